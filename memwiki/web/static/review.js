/** Deciding on proposals with the keys of `git add -p`: y n e d a q. */
import { post } from "./app.js";

const list = /** @type {HTMLElement} */ (document.getElementById("operations"));
const said = /** @type {HTMLElement} */ (document.getElementById("decided"));
const waiting = () => /** @type {HTMLElement[]} */ ([...list.querySelectorAll('li[data-state="open"], li[data-state="aside"], li[data-state="stale"]')]);
/** @type {HTMLElement | undefined} */
let at;

/** @param {HTMLElement | undefined} item */
function goTo(item) {
  at?.classList.remove("is-at");
  at = item;
  at?.classList.add("is-at");
  at?.focus({ preventScroll: true });
  at?.scrollIntoView({ block: "nearest" });
}

/** @param {Record<string, unknown>} decision */
async function decide(decision) {
  try {
    await post("/api/review", { id: list.dataset.id, expect: list.dataset.etag, ...decision });
    location.reload();
  } catch (error) {
    said.textContent = /** @type {Error} */ (error).message;
    said.hidden = false;
  }
}

/** @param {string} key @param {HTMLElement | undefined} item */
function act(key, item) {
  const n = Number(item?.dataset.n);
  if (key === "q" || key === "d") location.assign("/review");
  else if (!item) return;
  else if (key === "a") void decide({ accept: [n, ...safeBehind(item)] });
  else if (key === "y") void decide({ accept: [n] });
  else if (key === "n") void decide({ reject: [n] });
  else if (key === "e") reword(item, n);
}

/** The numbers of the operations behind one that are supported and not flagged. @param {HTMLElement} item */
function safeBehind(item) {
  const items = waiting();
  const rest = items.slice(items.indexOf(item) + 1);
  return rest.filter((each) => each.dataset.state === "open" && !each.querySelector(".flag")).map((each) => Number(each.dataset.n));
}

/** @param {HTMLElement} item @param {number} n */
function reword(item, n) {
  const words = item.querySelector(".words");
  if (!words || item.querySelector("textarea")) return;
  const field = document.createElement("textarea");
  field.value = words.textContent ?? "";
  field.setAttribute("aria-label", "Other words");
  const save = document.createElement("button");
  save.textContent = "Keep these words";
  save.addEventListener("click", () => void decide({ reword: true, n, text: field.value }));
  words.replaceWith(field, save);
  item.dataset.keep = ""; // while the page follows the files
  field.focus();
}

document.addEventListener("memwiki:morphed", () => at?.classList.add("is-at"));
if (list.dataset.readOnly !== "yes") {
  list.dataset.ownKeys = "";
  goTo(waiting()[0]);
  list.addEventListener("click", (event) => {
    const button = /** @type {HTMLElement} */ (event.target).closest("button[data-do]");
    if (button instanceof HTMLElement) act(button.dataset.do ?? "", button.closest("li") ?? undefined);
  });
  document.addEventListener("keydown", (event) => {
    const writes = /** @type {HTMLElement} */ (event.target).closest("input, textarea, select");
    if (writes || event.ctrlKey || event.metaKey || event.altKey || !waiting().length) return;
    const items = waiting();
    const now = at ? items.indexOf(at) : -1;
    if (event.key === "j") goTo(items[Math.min(items.length - 1, now + 1)]);
    else if (event.key === "k") goTo(items[Math.max(0, now - 1)]);
    else if ("yneadq".includes(event.key)) act(event.key, at);
    else return;
    event.preventDefault();
  });
}
