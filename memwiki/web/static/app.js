/** What every page has: the key out of the address, keys of the keyboard, posting. */

/**
 * Ask the server to change something.
 * @param {string} address
 * @param {Record<string, unknown>} body
 * @returns {Promise<any>} what it answers; throws an Error with its words
 */
export async function post(address, body) {
  const answer = await fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const found = await answer.json().catch(() => ({}));
  if (!answer.ok) throw Object.assign(new Error(found.error?.message ?? answer.statusText), found.error);
  return found;
}

if (new URLSearchParams(location.hash.slice(1)).has("key")) {
  history.replaceState(null, "", location.pathname + location.search);
}
