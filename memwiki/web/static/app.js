/** What every page has: the key out of the address, keys of the keyboard, posting, search. */
import { suggestions } from "./find.js";
import { previews, showPreview, hidePreview } from "./peek.js";

const policy = /** @type {any} */ (window).trustedTypes?.createPolicy("memwiki", {
  createHTML: (/** @type {string} */ html) => html,
});

/**
 * HTML that the server made and sanitised, as the browser wants to be given it.
 * @param {string} html
 * @returns {any}
 */
export const trusted = (html) => policy?.createHTML(html) ?? html;

const MAX_MS = 40_000; // the server gives a request 30 seconds

/**
 * Ask the server to change something.
 * @param {string} address
 * @param {Record<string, unknown>} body
 * @returns {Promise<any>} what it answers; throws an Error with its words
 */
export async function post(address, body) {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new Error("the server did not answer in time")), MAX_MS);
  try {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: limit.signal,
    });
    const found = await answer.json().catch(() => ({}));
    limit.signal.throwIfAborted();
    if (!answer.ok) throw Object.assign(new Error(found.error?.message ?? answer.statusText), found.error);
    return found;
  } finally {
    clearTimeout(timer);
  }
}

/** @param {HTMLFormElement} form @param {HTMLElement | null} button */
async function send(form, button) {
  const sure = button?.dataset.sure;
  if (sure && !confirm(sure)) return;
  /** @type {Record<string, unknown>} */
  const body = Object.fromEntries(new FormData(form, /** @type {any} */ (button)));
  const said = /** @type {HTMLElement | null} */ (form.querySelector(".notice"));
  try {
    const answer = await post(form.dataset.post ?? "", body);
    const then = button?.dataset.then ?? form.dataset.then ?? "reload";
    if (then === "reload") location.reload();
    else location.assign(then === "page" ? `/p/${answer.paths[0].split("/").map(encodeURIComponent).join("/")}` : then);
  } catch (error) {
    if (!said) throw error;
    const { hint, now = {} } = /** @type {any} */ (error);
    for (const name in now) /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).value = now[name];
    said.textContent = `${/** @type {Error} */ (error).message}${hint ? `: ${hint}` : ""}`;
    said.hidden = false;
  }
}

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.dataset.post) return;
  event.preventDefault();
  void send(form, /** @type {HTMLElement | null} */ (event.submitter));
});

/* --- keys ------------------------------------------------------------------------------------ */

/** @type {Element | null} */
let at = null;

/** Go to the next or the previous item of the lists of the page. @param {number} step */
function walk(step) {
  const items = [...document.querySelectorAll("[data-list] > *, .backlinks > li")].filter((each) => each.querySelector("a"));
  if (!items.length) return;
  const now = at ? items.indexOf(at) : -1;
  at?.classList.remove("is-at");
  at = items[Math.max(0, Math.min(items.length - 1, now + step))];
  at.classList.add("is-at");
  at.querySelector("a")?.focus();
}

/** @type {Record<string, () => void>} */
const keys = {
  "/": () => /** @type {HTMLElement} */ (document.getElementById("q")).focus(),
  "?": () => /** @type {HTMLDialogElement} */ (document.getElementById("help")).showModal(),
  j: () => walk(1),
  k: () => walk(-1),
  b: () => {
    const links = document.querySelector("#backlinks a");
    document.getElementById("backlinks")?.scrollIntoView();
    /** @type {HTMLElement | null} */ (links)?.focus({ preventScroll: true });
  },
  p: () => showPreview(/** @type {HTMLElement} */ (document.activeElement)),
  Escape: () => hidePreview(),
};

document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  const writes = target.closest("input, textarea, select, [contenteditable], dialog");
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
  if (writes && event.key !== "Escape") return;
  if (document.querySelector("[data-own-keys]") && event.key.length === 1 && event.key !== "/" && event.key !== "?") return;
  const link = /** @type {HTMLAnchorElement | null} */ (document.querySelector(`a[data-key="${CSS.escape(event.key)}"]`));
  if (event.key in keys) {
    if (event.key !== "Escape") event.preventDefault(); // which closes a dialog by itself
    keys[event.key]();
  } else if (link) link.click();
});

/* --- a page ---------------------------------------------------------------------------------- */

/** Go to the block that begins on the line of the address, or last before it. */
function goToLine() {
  const line = Number(/^#L(\d+)$/.exec(location.hash)?.[1] ?? 0);
  if (!line) return;
  /** @type {HTMLElement | null} */
  let best = null;
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".prose [data-line]"))) {
    if (Number(each.dataset.line) <= line) best = each;
  }
  document.querySelector(".is-line")?.classList.remove("is-line");
  best?.classList.add("is-line");
  best?.scrollIntoView({ block: "center" });
}

const TASKS = ".prose .md-task > input, .prose .md-task > p > input";

/** Go to the heading that the address calls in another way than we do, as GitHub leaves out what is no letter. */
function goToHeading() {
  const squeezed = (/** @type {string} */ name) => name.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
  const id = decodeURIComponent(location.hash.slice(1));
  if (!id.startsWith("h-") || document.getElementById(id)) return;
  const headings = [...document.querySelectorAll('.prose [id^="h-"]')];
  headings.find((each) => squeezed(each.id) === squeezed(id))?.scrollIntoView();
}

/** Let tasks be ticked, but for those of pages that this one shows, and of versions that are past. */
function tasks() {
  const page = document.getElementById("page");
  if (!page?.dataset.digest || document.body.dataset.readOnly === "yes") return;
  for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (page.querySelectorAll(TASKS))) {
    box.disabled = box.closest(".md-embed") !== null; // its line is one of another page
  }
}

document.addEventListener("change", (event) => {
  const box = /** @type {HTMLInputElement} */ (event.target);
  const page = document.getElementById("page");
  if (page && box.matches(TASKS)) void tick(page, box);
});

/** @param {HTMLElement} page @param {HTMLInputElement} box */
async function tick(page, box) {
  const line = Number(/** @type {HTMLElement} */ (box.closest("li")).dataset.line);
  try {
    await post("/api/task", { path: page.dataset.path, line, done: box.checked, expect: page.dataset.digest });
  } catch (error) {
    box.checked = !box.checked;
    say(/** @type {Error} */ (error).message);
  }
  document.dispatchEvent(new CustomEvent("memwiki:stale"));
}

/** Say something above the text. @param {string} text */
function say(text) {
  const note = Object.assign(document.createElement("p"), { className: "notice warn", textContent: text });
  note.setAttribute("role", "status");
  document.getElementById("main")?.prepend(note);
}

document.addEventListener("toggle", async (event) => {
  const details = /** @type {HTMLDetailsElement} */ (event.target);
  if (!details.open || !details.dataset?.load) return;
  const answer = await fetch(details.dataset.load);
  const found = document.createElement("div");
  found.innerHTML = trusted(answer.ok ? await answer.text() : "");
  details.lastElementChild?.replaceWith(found);
}, true);

const hasKey = () => new URLSearchParams(location.hash.slice(1)).has("key");
if (hasKey()) history.replaceState(null, "", location.pathname + location.search);
addEventListener("hashchange", () => hasKey() && location.reload()); // which is let in, or asked for the key
suggestions(trusted);
previews(trusted);
tasks();
document.addEventListener("memwiki:morphed", () => {
  tasks();
  at?.classList.add("is-at");
});
for (const go of [goToLine, goToHeading]) {
  go();
  addEventListener("hashchange", go);
}
