/**
 * The graph around a page, as an SVG in each `.local-graph`: small beside a page, wide on its own.
 * Pages are links, which the keyboard reaches; names are shown as far as there is room.
 */
import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from "./vendor/force.js";
import { Taken } from "./graph/labels.js";
import { addressOf } from "./graph/list.js";
import { random } from "./graph/random.js";

const TICKS = 200;
/** @type {Record<string, [number, number]>} */
const SIZES = { small: [300, 260], wide: [1000, 560], phone: [320, 380] };
const LETTER = 6.2; // pixels that a letter takes, about; a Chinese one twice that

/**
 * @typedef {object} Node
 * @property {string} name
 * @property {string} path
 * @property {string} kind
 * @property {string} end what links call it
 * @property {number} distance
 * @property {number} links
 * @property {number} [x]
 * @property {number} [y]
 */

/** What is around a page, laid out within a box: pure but for what it changes in `nodes`. */
export function placed(nodes, links, [width, height]) {
  const place = new Map(nodes.map((node, at) => [node.end, at]));
  const drawn = links
    .map(({ from, to }) => ({ source: place.get(from), target: place.get(to) }))
    .filter(({ source, target }) => source !== undefined && target !== undefined && source !== target);
  for (const { source, target } of drawn) {
    nodes[source].links += 1;
    nodes[target].links += 1;
  }
  const room = Math.sqrt((width * height) / nodes.length);
  Object.assign(nodes[0], { fx: width / 2, fy: height / 2 });
  forceSimulation(nodes)
    .randomSource(random(5))
    .force("link", forceLink(drawn).distance(room * 0.75).strength(0.25))
    .force("apart", forceManyBody().strength(-room * 1.6))
    .force("x", forceX(width / 2).strength(0.04))
    .force("y", forceY(height / 2).strength((0.04 * width) / height))
    .force("collide", forceCollide(room * 0.28))
    .alphaDecay(1 - 0.001 ** (1 / TICKS))
    .stop()
    .tick(TICKS);
  fitted(nodes, [width, height]);
  return drawn;
}

/** Bring all into the box, as large as it goes. */
function fitted(nodes, [width, height]) {
  const [wide, high] = [30, 18]; // that a name needs at the edge
  for (const [axis, most, edge] of [["x", width, wide], ["y", height, high]]) {
    const middle = most / 2;
    const far = Math.max(...nodes.map((node) => Math.abs(node[axis] - middle)), 1);
    const factor = Math.min((middle - edge) / far, 1.6);
    for (const node of nodes) node[axis] = middle + (node[axis] - middle) * factor;
  }
}

/** Which nodes have room for their name: the middle, then by links. */
export function namedOf(nodes, [width]) {
  const taken = new Taken();
  const named = new Set();
  const order = nodes.map((_, at) => at).sort((a, b) => Number(b === 0) - Number(a === 0) || nodes[b].links - nodes[a].links);
  for (const node of nodes) taken.take([node.x - 4, node.y - 4, node.x + 4, node.y + 4]);
  for (const at of order) {
    const { x, y, name } = nodes[at];
    const half = widthOf(short(name)) / 2;
    const box = [x - half, y + 7, x + half, y + 19];
    if (at && (box[0] < 0 || box[2] > width || !taken.isFree(box))) continue;
    taken.take(box);
    named.add(at);
  }
  return named;
}

function widthOf(text) {
  return [...text].reduce((sum, letter) => sum + (letter > "⺀" ? 2 * LETTER : LETTER), 0);
}

function short(name) {
  const letters = [...name];
  return letters.length > 24 ? `${letters.slice(0, 23).join("")}…` : name;
}

/** How edges call a node: an entry by its page with its id or line. */
function endOf({ kind, path, id, line, name }) {
  if (kind === "entry") return id ? `${path}#^${id}` : `${path}:${line}`;
  return path || name;
}

function svg(name, attributes, ...inside) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...inside);
  return made;
}

function drawing(nodes, links, size) {
  const named = namedOf(nodes, size);
  const lines = links.map(({ source, target }) =>
    svg("line", { x1: source.x, y1: source.y, x2: target.x, y2: target.y }),
  );
  const most = Math.max(...nodes.map((node) => node.links), 1);
  const groups = nodes.map((node, at) => {
    const r = (at ? 3 : 6) + 4 * Math.sqrt(node.links / most);
    const parts = [
      svg("title", {}, node.path || node.name),
      svg("circle", { r }),
      svg("text", { y: r + 11 }, short(node.name)),
    ];
    const isPage = node.path && node.kind !== "file";
    const inside = isPage ? [svg("a", { href: addressOf(node.path) }, ...parts)] : parts;
    const kind = `${at ? node.kind : "middle"}${named.has(at) ? "" : " quiet"}`;
    return svg("g", { class: kind, transform: `translate(${node.x} ${node.y})` }, ...inside);
  });
  lit(nodes, links, lines, groups);
  const name = `${nodes[0].name} and ${nodes.length - 1} that it is linked with`;
  return svg("svg", { viewBox: `0 0 ${size.join(" ")}`, role: "group", "aria-label": name }, ...lines, ...groups);
}

/** Pointing at a node brings out what it is linked with. */
function lit(nodes, links, lines, groups) {
  const bring = (at) => {
    const near = new Set([nodes[at]]);
    links.forEach(({ source, target }, line) => {
      const isOwn = at >= 0 && (source === nodes[at] || target === nodes[at]);
      lines[line].classList.toggle("lit", isOwn);
      if (isOwn) near.add(source).add(target);
    });
    groups.forEach((group, other) => group.classList.toggle("dim", at >= 0 && !near.has(nodes[other])));
  };
  groups.forEach((group, at) => {
    for (const event of ["pointerenter", "focusin"]) group.addEventListener(event, () => bring(at));
    for (const event of ["pointerleave", "focusout"]) group.addEventListener(event, () => bring(-1));
  });
}

/** What each figure shows, as the server said it. @type {WeakMap<HTMLElement, string>} */
const shown = new WeakMap();

/** Draw what is around the page; nothing where that is what is drawn. @param {HTMLElement} figure */
async function show(figure) {
  const { around, depth, wide } = figure.dataset;
  const answer = await fetch(`/api/around?path=${encodeURIComponent(around ?? "")}&depth=${depth}`);
  if (!answer.ok) return;
  const text = await answer.text();
  figure.dataset.state = "ready";
  if (shown.get(figure) === text) return;
  shown.set(figure, text);
  const found = JSON.parse(text);
  figure.hidden = found.nodes.length < 2 && !wide;
  if (found.nodes.length < 2) {
    figure.textContent = wide ? "No page links here, and this one links to none." : "";
    return;
  }
  const nodes = found.nodes.map((node) => ({ ...node, end: endOf(node), links: 0 }));
  const size = !wide ? SIZES.small : figure.clientWidth < 500 ? SIZES.phone : SIZES.wide;
  const links = placed(nodes, found.edges, size);
  figure.replaceChildren(drawing(nodes, links, size));
}

function showAll() {
  for (const figure of document.querySelectorAll(".local-graph")) void show(/** @type {HTMLElement} */ (figure));
}

if (typeof document !== "undefined") {
  document.addEventListener("memwiki:morphed", showAll);
  showAll();
}
