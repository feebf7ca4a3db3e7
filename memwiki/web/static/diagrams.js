/** Diagrams: their text is drawn in a frame that can reach nothing, and shown here as a picture. */

const BLOCKS = ".prose pre > code.md-lang-mermaid";
const MAX_ERROR_CHARS = 300;
const MAX_WAIT_MS = 15_000; // for the script
/** @typedef {{ block: HTMLElement, text: string }} Asked */
/** @type {HTMLIFrameElement | null} */
let frame = null;
let isReady = false;
/** @type {Asked[]} */
const asked = [];

/** Draw all that is no picture yet; after the page changed, what was drawn is text again. */
function draw() {
  for (const code of document.querySelectorAll(BLOCKS)) {
    const block = code.parentElement;
    if (!block || block.closest(".diagram")) continue;
    asked.push({ block, text: block.textContent ?? "" });
    if (isReady) send(asked.length - 1);
  }
  if (asked.length && !frame) open();
}

function open() {
  frame = document.createElement("iframe");
  frame.className = "diagram-frame";
  frame.title = "Draws diagrams";
  frame.tabIndex = -1;
  frame.setAttribute("aria-hidden", "true");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.src = "/diagrams";
  document.body.append(frame);
  setTimeout(() => {
    if (!isReady) asked.forEach((each) => fail(each, "its script cannot be read or does not start"));
  }, MAX_WAIT_MS);
}

/** @param {number} id */
function send(id) {
  const theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "neutral";
  // The frame has no origin that could be named, and gets nothing but text of this page.
  frame?.contentWindow?.postMessage({ id, text: asked[id].text, theme }, "*");
}

addEventListener("message", (event) => {
  if (!frame || event.source !== frame.contentWindow) return;
  if (event.data.isReady) {
    isReady = true;
    asked.forEach((_, id) => send(id));
    return;
  }
  const found = asked[event.data.id];
  const isShown = found?.block.isConnected && !found.block.closest(".diagram");
  if (!isShown || found.block.textContent !== found.text) return; // the page changed meanwhile
  if (event.data.svg) void show(found, String(event.data.svg));
  else fail(found, String(event.data.error));
});

/** @param {Asked} found @param {string} svg */
async function show({ block, text }, svg) {
  const figure = document.createElement("figure");
  figure.className = "diagram";
  const picture = document.createElement("img");
  picture.alt = `Diagram: ${text.trim().split("\n")[0]}`;
  const [, width] = /viewBox="\S+ \S+ ([\d.]+) /.exec(svg) ?? []; // by itself it is as wide as it can be
  if (width) picture.width = Math.ceil(Number(width));
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`; // runs nothing as a picture
  try {
    await picture.decode();
  } catch {
    fail({ block, text }, "what was drawn is no picture");
    return;
  }
  if (!block.isConnected || block.closest(".diagram")) return;
  const source = document.createElement("details");
  source.append(Object.assign(document.createElement("summary"), { textContent: "As text" }));
  block.replaceWith(figure);
  source.append(block);
  figure.append(picture, source);
}

/** @param {Asked} found @param {string} error */
function fail({ block }, error) {
  if (block.previousElementSibling?.matches(".notice")) return;
  const said = document.createElement("p");
  said.className = "notice warn";
  said.textContent = `This diagram cannot be drawn: ${error.slice(0, MAX_ERROR_CHARS)}`;
  block.before(said);
}

document.addEventListener("memwiki:morphed", draw);
draw();
