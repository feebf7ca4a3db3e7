/**
 * An open page follows the files: its text becomes what the server has now, the dot in the header
 * says how fresh that is. A page that looks after its own text has the meta element `memwiki-live` and
 * hears of changes by the event `memwiki:changed`.
 */
import { trusted } from "./app.js";

const HIDDEN_MS = 1_000; // after which a tab that nobody sees lets go of its connection
const GAP_MS = 250; // between two looks at the server
const RETRY_MS = 2_000; // twice as long each time that it fails again
const MAX_RETRY_MS = 60_000;
const OTHER = "What this page asks of you is something else now. It stays as you read it, and is refused: reload the page.";
const ANOTHER = "This page is another one now. What you typed stays here: send it, or reload the page.";
const LOCKED = "The server was restarted and has another key. Open the address that memwiki web printed; this tab goes on by itself then.";

/** @typedef {{is_fresh: boolean, is_watched: boolean, pending: number | null, as_of: string, reason: string}} State */

/** @type {EventSource | null} */
let source = null;
let isLooking = false;
let isStale = false;
/** @type {number | undefined} */
let hiding;
/** @type {number | undefined} */
let retrying;
let wait = RETRY_MS;

/** @param {State} state @returns {{kind: string, text: string}} */
export function wordsOf(state) {
  if (!state.is_watched) return { kind: "bad", text: "watcher stopped" };
  if (state.pending) {
    return { kind: "warn", text: `${state.pending} ${state.pending === 1 ? "file" : "files"} out of date` };
  }
  if (!state.as_of) return { kind: "good", text: "up to date" };
  return { kind: "good", text: `up to date ${new Date(state.as_of).toLocaleTimeString("en-GB")}` };
}

/** @param {{kind: string, text: string}} words @param {string} [why] */
function show({ kind, text }, why = "") {
  const place = document.getElementById("state");
  if (!place) return;
  place.dataset.kind = kind;
  place.title = why;
  if (place.textContent !== text) place.textContent = text;
}

/** Where somebody sees the page: a browser has six connections to a server, for all tabs together. */
function connect() {
  clearTimeout(retrying);
  if (source || document.visibilityState === "hidden") return;
  const mark = document.documentElement.dataset.mark ?? ""; // what changed since is told first
  source = new EventSource(`/api/events?since=${mark}`);
  source.addEventListener("open", () => {
    wait = RETRY_MS;
    document.getElementById("locked-out")?.remove();
  });
  source.addEventListener("state", (event) => {
    const state = JSON.parse(event.data);
    show(wordsOf(state), state.reason);
  });
  source.addEventListener("changed", (event) => {
    document.dispatchEvent(new CustomEvent("memwiki:changed", { detail: JSON.parse(event.data) }));
    void look();
  });
  source.addEventListener("error", () => {
    show({ kind: "bad", text: "server does not answer" });
    if (source?.readyState !== EventSource.CLOSED) return; // the browser tries again by itself
    disconnect();
    void refused();
  });
}

/** The server answers, and not with events: say why, and ask ever less often. */
async function refused() {
  const later = wait;
  wait = Math.min(2 * wait, MAX_RETRY_MS);
  retrying = setTimeout(connect, later);
  const answer = await fetch("/api/suggest?q=", { cache: "no-store" }).catch(() => null);
  if (answer?.status !== 401) return;
  show({ kind: "bad", text: "locked" }, LOCKED);
  notice("locked-out", LOCKED);
}

function disconnect() {
  source?.close();
  source = null;
}

/** Fetch the page as it is now, and let the open one become it; once at a time. */
async function look() {
  if (document.querySelector('meta[name="memwiki-live"][content="own"]')) return;
  isStale = true;
  if (isLooking) return;
  isLooking = true;
  try {
    while (isStale) {
      isStale = false;
      await follow();
      await new Promise((done) => setTimeout(done, GAP_MS));
    }
  } finally {
    isLooking = false;
  }
}

async function follow() {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => null);
  if (answer?.status === 404) return notice("gone", "This page was moved or deleted; what you see is its last text.");
  if (!answer?.ok) return; // it is asked again when the server is back
  const there = new DOMParser().parseFromString(trusted(await answer.text()), "text/html");
  const main = document.getElementById("main");
  const next = there.getElementById("main");
  if (!main || !next) return;
  document.getElementById("gone")?.remove();
  document.getElementById("other")?.remove();
  const asked = (/** @type {ParentNode} */ part) => part.querySelector("[data-etag]")?.getAttribute("data-etag");
  if (asked(main) && asked(main) !== asked(next)) return notice("other", OTHER);
  if (forms(main).some((form) => isTyped(form) && !forms(next).some(({ dataset }) => dataset.post === form.dataset.post))) return notice("other", ANOTHER);
  document.title = there.title;
  document.documentElement.dataset.mark = there.documentElement.dataset.mark;
  const { Idiomorph } = await import("./vendor/idiomorph.js");
  Idiomorph.morph(main, next, { ignoreActiveValue: true, callbacks: { beforeNodeMorphed } });
  document.dispatchEvent(new CustomEvent("memwiki:morphed"));
}

/** What the reader has opened, typed or asked for stays. @param {Node} old @param {Node} next */
function beforeNodeMorphed(old, next) {
  if (!(old instanceof Element) || !(next instanceof Element)) return true;
  if (old.hasAttribute("data-keep") || old.matches(".local-graph") || old.isEqualNode(next)) return false;
  if (old instanceof HTMLFormElement && next instanceof HTMLFormElement && isBegun(old)) return stays(old, next);
  if (!(old instanceof HTMLDetailsElement)) return true;
  next.toggleAttribute("open", old.open);
  return !old.dataset.load; // what was fetched into it
}

/** @param {ParentNode} part @returns {HTMLFormElement[]} */
const forms = (part) => [...part.querySelectorAll("form")];

/** @param {HTMLFormElement} form */
function isTyped(form) {
  const fields = /** @type {HTMLInputElement[]} */ ([...form.elements]);
  return fields.some(({ type, value, defaultValue }) => type !== "hidden" && value !== (defaultValue ?? value));
}

/** Whether somebody is at a form, or has typed into it. @param {HTMLFormElement} form */
const isBegun = (form) => form.contains(document.activeElement) || isTyped(form);

/** What is typed in the place of a text names the one that was there; what is added goes to the page as it is.
 * @param {HTMLFormElement} form @param {HTMLFormElement} next */
function stays(form, next) {
  const [old, now] = [form, next].map((each) => /** @type {Record<string, HTMLInputElement | undefined>} */ (/** @type {any} */ (each.elements)));
  const said = /** @type {HTMLElement | null} */ (form.querySelector(".notice"));
  if (!old.expect || !now.expect || old.expect.value === now.expect.value) return false;
  if (!old.base) old.expect.value = now.expect.value;
  else if (said) {
    said.textContent = `It was changed meanwhile, and says now “${now.base?.value}”`;
    said.hidden = false;
  }
  return false;
}

/** @param {string} id @param {string} text */
function notice(id, text) {
  const main = document.getElementById("main");
  if (!main || document.getElementById(id)) return;
  const note = document.createElement("p");
  note.id = id;
  note.className = "notice";
  note.setAttribute("role", "status");
  note.textContent = text;
  main.prepend(note);
}

document.addEventListener("memwiki:stale", () => void look()); // something was changed from here
document.addEventListener("visibilitychange", () => {
  clearTimeout(hiding);
  if (document.visibilityState === "hidden") hiding = setTimeout(disconnect, HIDDEN_MS);
  else connect();
});
window.addEventListener("pagehide", disconnect); // one that waits in the cache of the browser
window.addEventListener("pageshow", connect);
connect();
