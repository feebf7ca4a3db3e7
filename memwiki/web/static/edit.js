/** The page of the editor: saving, drafts, what changes outside meanwhile, and the preview. */
import { post, trusted } from "./app.js";
import { drafts, forget, keep } from "./edit_draft.js";
import { become, editorOf, textOf } from "./edit_text.js";

const PREVIEW_MS = 300; // without a key, after which the preview follows
const DRAFT_MS = 400; // the same before a draft is kept
const MAX_BODY = 900_000; // bytes; from there on the server has to know what a draft was made of

/** @typedef {{path: string, text: string, digest: string}} File */

const writing = /** @type {HTMLElement} */ (document.getElementById("writing"));
const { path = "", nonce = "", closed = "", back = "/", workspace = "" } = writing.dataset;
const { left, own } = drafts(`memwiki-draft:${workspace}:${path}`);
const at = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const clock = () => new Date().toLocaleTimeString("en-GB");

/** What the draft is made of; null where there is no file yet. @type {File | null} */
let base = JSON.parse(at("file").textContent ?? "null");
let isAsked = false; // to save, and did not begin to
/** What was sent, where nobody knows whether it was written. @type {string | null} */
let unanswered = null;
let isKept = true;
/** @type {Promise<unknown>} */
let exchange = Promise.resolve();
/** The two versions that are compared, and what is made of them. @type {{text: () => string, end: () => void, file: File} | null} */
let comparing = null;
/** @type {Record<string, number>} */
const timers = {};

const view = editorOf({
  parent: at("source"),
  text: base?.text ?? firstText(),
  nonce,
  path,
  label: `Text of ${path}`,
  isClosed: Boolean(closed),
  changed: () => {
    later("draft", DRAFT_MS, keepDraft);
    later("preview", PREVIEW_MS, preview);
    showState();
  },
});

function firstText() {
  const name = path.replace(/^.*\//, "").replace(/\.[^.]*$/, "").replaceAll(/[-_]+/g, " ");
  return `# ${name.charAt(0).toUpperCase()}${name.slice(1)}\n\n`;
}

/** @param {string} name @param {number} ms @param {() => unknown} act */
function later(name, ms, act) {
  clearTimeout(timers[name]);
  timers[name] = setTimeout(act, ms);
}

/** One exchange with the server at a time: what is answered was made of the base that the draft still has.
 * Merged with another one, a line that came in before would come in again.
 * @param {() => Promise<unknown>} act */
const inTurn = (act) => (exchange = exchange.then(act, act));

const isChanged = () => !closed && textOf(view) !== (base?.text ?? "");

function showState(text = "") {
  at("saved").textContent = text || (isChanged() ? "not saved" : base ? "" : "new page");
}

/** Say something that stays until it is done with.
 * @param {string} id @param {string} text @param {[string, () => unknown][]} [choices] @param {string} [kind] */
function notice(id, text, choices = [], kind = "") {
  at(`notice-${id}`)?.remove();
  const note = document.createElement("p");
  note.id = `notice-${id}`;
  note.className = `notice ${kind}`;
  note.append(`${text} `);
  for (const [name, act] of [...choices, /** @type {[string, () => unknown]} */ (["Close this", () => view.focus()])]) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: name });
    button.addEventListener("click", () => {
      note.remove();
      act();
    });
    note.append(button, " ");
  }
  at("notices").append(note);
}

/** The body of a request about the draft. @param {string} text @param {File | null} from */
function about(text, from) {
  if (!from) return { path, text };
  const whole = { path, text, base: { text: from.text, digest: from.digest } };
  const size = new Blob([JSON.stringify(whole)]).size;
  return size < MAX_BODY ? whole : { path, text, base: { digest: from.digest } };
}

// --- drafts ---

function keepDraft() {
  if (closed) return;
  const [text, from] = comparing ? [comparing.text(), comparing.file] : [textOf(view), base];
  if (text === (from?.text ?? "")) return forget(own);
  isKept = keep(own, { text, base: from?.text ?? null, digest: from?.digest ?? "", at: Date.now() });
}

/** A draft that was left here is offered, and merged with what the file became; it stays until that is decided.
 * @param {string} key @param {import("./edit_draft.js").Draft} draft @param {number} at */
function offerDraft(key, draft, at) {
  if (draft.text === base?.text) return forget(key);
  const when = new Date(draft.at).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
  notice(`draft${at ? `-${at + 1}` : ""}`, `A draft of ${when} was not saved.`, [
    ["Go on with it", () => inTurn(() => takeUp(key, draft))],
    ["Throw it away", () => forget(key)],
  ]);
}

/** @param {string} key @param {import("./edit_draft.js").Draft} draft */
async function takeUp(key, draft) {
  const now = base;
  become(view, draft.text, { isOwn: true }); // who typed something before this has it back by Ctrl-Z
  if (now && draft.base !== null && draft.digest !== now.digest) {
    base = { path, text: draft.base, digest: draft.digest };
    await meet();
  }
  keepDraft();
  if (isKept) forget(key);
  view.focus();
}

// --- what changes outside ---

/** Take in what the file became; where the same lines changed, offer to compare.
 * @returns {Promise<(Error & {code?: string}) | undefined>} why that is not known */
async function meet() {
  if (!base || comparing) return;
  const text = textOf(view);
  const found = await post("/api/merge", about(text, base)).catch((error) => error);
  if (found instanceof Error) return outside(/** @type {Error & {code?: string}} */ (found));
  if (found.file.text === unanswered) base = found.file;
  unanswered = null;
  if (found.file.digest === base?.digest) return;
  if (textOf(view) !== text) return meet(); // typed meanwhile
  if (!found.is_clean) {
    notice("outside", `The same lines were changed outside at ${clock()}. Your text is kept.`, [["Compare", () => inTurn(openCompare)]], "warn");
    return;
  }
  const wasChanged = isChanged();
  base = found.file;
  become(view, found.text);
  if (wasChanged) notice("outside", `Changed outside at ${clock()}: both changes are in the text, yours is not saved yet.`);
  else showState(`changed outside at ${clock()}`);
  keepDraft();
}

/** @param {Error & {code?: string}} error @returns {(Error & {code?: string}) | undefined} the error, where it tells nothing of the page */
function outside(error) {
  if (error.code !== "not_found") {
    showState(error.message);
    return error;
  }
  base = null;
  notice("outside", "The page was moved or deleted outside. Saving makes it again under this path.", [], "warn");
  keepDraft();
}

/** Show what was typed until now beside the file as it is now. @returns {Promise<boolean>} whether it could be */
async function openCompare() {
  const { compare } = await import("./edit_compare.js");
  const text = textOf(view);
  /** @type {{text: string, file: File} | null} */
  const found = comparing ? null : await post("/api/merge", about(text, base)).catch(() => null);
  if (!found) return false;
  if (textOf(view) !== text) return openCompare(); // typed meanwhile
  at("notice-outside")?.remove();
  at("panes").hidden = true;
  writing.classList.add("comparing");
  const shown = compare(at("compare"), {
    file: found.file,
    draft: found.text,
    nonce,
    path,
    back: (text) => closeCompare(text, found.file),
    save: async (text) => {
      closeCompare(text, found.file);
      await save();
    },
    changed: () => later("draft", DRAFT_MS, keepDraft),
  });
  comparing = { ...shown, file: found.file };
  return true;
}

/** The draft is from now on one of the file as it was compared. @param {string} text @param {File} file */
function closeCompare(text, file) {
  comparing?.end();
  comparing = null;
  at("panes").hidden = false;
  writing.classList.remove("comparing");
  base = file;
  become(view, text);
  keepDraft();
  showState();
  view.focus();
}

// --- saving ---

async function save() {
  if (closed || isAsked || comparing) return;
  isAsked = true;
  showState("saving …");
  await inTurn(write);
}

async function write() {
  isAsked = false;
  // Made of a base that is not known to be one, what was saved already would come in again.
  const sent = unanswered;
  const failed = sent === null ? undefined : await meet();
  if (failed) return notSaved(sent ?? "", failed);
  if (comparing) return showState();
  const text = textOf(view);
  const found = await post("/api/write", about(text, base)).catch((error) => error);
  if (found instanceof Error) return notSaved(text, /** @type {Error & {code?: string, hint?: string}} */ (found));
  const isSame = textOf(view) === text;
  // What is typed meanwhile was made of what was sent, and not of what that was merged into.
  base = isSame || found.file.text === text ? found.file : { path, text, digest: "" };
  if (isSame) become(view, found.file.text);
  keepDraft();
  showState(isSame ? `saved ${clock()}` : "");
  at("back").setAttribute("href", back);
  if (found.merged.length) notice("outside", `Saved ${clock()}, with what had changed outside: both changes are in the page.`);
  for (const note of found.notes) notice("note", note);
  if (base?.digest === "") void inTurn(meet);
  void preview();
}

/** @param {string} text that was sent last @param {Error & {code?: string, hint?: string}} error */
async function notSaved(text, error) {
  keepDraft();
  showState("not saved");
  if (!error.code) unanswered = text;
  if (error.code === "not_found") return void outside(error);
  if (error.code === "conflict" || error.code === "already_exists") {
    if (await openCompare()) return;
  }
  notice("failed", `Not saved: ${error.message}. ${error.hint ? `${error.hint}.` : ""} Your text is kept.`, [], "bad");
}

// --- the preview ---

async function preview() {
  const pane = at("preview");
  if (!pane.offsetParent) return;
  const text = textOf(view);
  const answer = await fetch("/api/preview", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ path, text }),
  }).catch(() => null);
  if (!answer?.ok) return; // a draft may be more than can be drawn; it is saved all the same
  const drawn = new DOMParser().parseFromString(trusted(await answer.text()), "text/html");
  const { Idiomorph } = await import("./vendor/idiomorph.js");
  const next = /** @type {HTMLElement} */ (pane.cloneNode(false));
  next.append(...drawn.body.childNodes);
  Idiomorph.morph(pane, next, { ignoreActive: true });
}

function toggle() {
  const isShown = writing.classList.toggle("previewing");
  at("toggle").setAttribute("aria-pressed", String(isShown));
  void preview();
}

// --- wiring ---

at("save").addEventListener("click", () => void save());
at("toggle").addEventListener("click", toggle);
window.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== "s") return;
  event.preventDefault();
  void save();
});
document.addEventListener("memwiki:changed", (event) => {
  const { paths, many } = /** @type {CustomEvent} */ (event).detail;
  if (many || paths.includes(path)) void inTurn(meet);
});
window.addEventListener("resize", () => later("preview", PREVIEW_MS, preview)); // it may have room now
at("back").addEventListener("click", keepDraft);
window.addEventListener("pagehide", keepDraft);
window.addEventListener("beforeunload", (event) => {
  keepDraft();
  if (isChanged() && !isKept) event.preventDefault(); // nowhere else would it be
});
if (!closed) left.forEach(([key, draft], at) => offerDraft(key, draft, at));
showState();
void preview();
if (!closed) view.focus();
