/** Drafts: what was typed and not saved stays in this browser, by workspace and path. */

/**
 * `base` is the text that it was made of, null where there was no file.
 * @typedef {{text: string, base: string | null, digest: string, at: number}} Draft
 */

/** Keep a draft; false where the browser keeps nothing.
 * @param {string} key @param {Draft} draft */
export function keep(key, draft) {
  try {
    localStorage.setItem(key, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/**
 * What was left of a page, each under a key of its own. Only a decision takes one away: what is typed until then
 * has a key that is free.
 * @param {string} key of the page @returns {{left: [string, Draft][], own: string}}
 */
export function drafts(key) {
  const taken = new Set(keys().filter((each) => each === key || (each.startsWith(key) && /^:\d+$/.test(each.slice(key.length)))));
  /** @type {[string, Draft][]} */
  const left = [...taken].sort().flatMap((each) => {
    const draft = kept(each);
    return draft ? [/** @type {[string, Draft]} */ ([each, draft])] : [];
  });
  let own = key;
  for (let number = 2; taken.has(own); number += 1) own = `${key}:${number}`;
  return { left, own };
}

function keys() {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

/** @param {string} key @returns {Draft | null} */
function kept(key) {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? "null");
    return typeof found?.text === "string" ? found : null;
  } catch {
    return null;
  }
}

/** @param {string} key */
export function forget(key) {
  try {
    localStorage.removeItem(key);
  } catch {
    // nothing is kept here, so nothing is to be forgotten
  }
}
