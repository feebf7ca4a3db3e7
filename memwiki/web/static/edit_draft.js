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
 * What was left of a page, each under its own key. Only a decision takes one away: what is typed until then
 * has the first key that is free.
 * @param {string} key @returns {{left: [string, Draft][], own: string}}
 */
export function drafts(key) {
  /** @type {[string, Draft][]} */
  const left = [];
  let own = key;
  for (let draft = kept(own); draft; draft = kept(own)) {
    left.push([own, draft]);
    own = `${key}:${left.length + 1}`;
  }
  return { left, own };
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
