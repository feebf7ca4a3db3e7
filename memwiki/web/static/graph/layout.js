/**
 * Where every page of a map stands: each group is a disc in which its pages are placed by a force,
 * and discs are packed beside those that they are linked with. Pure; in portions, so that the page
 * answers meanwhile.
 */
import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from "../vendor/force.js";
import { packEnclose, packSiblings } from "../vendor/groups.js";
import { random } from "./random.js";

const TICKS = 32; // of the force of a group; more change little that can be seen
const SPREAD_TICKS = 5;
const MAX_WELL_SPREAD = 3000; // pages of a map, up to which there is time for more of them
const WELL_SPREAD_TICKS = 30;
const GAP = 1.6; // between discs, where a page alone takes a disc of radius 1
const PORTION_MS = 40;

/**
 * @typedef {object} Disc
 * @property {import("./groups.js").Group} group
 * @property {number} x
 * @property {number} y
 * @property {number} r
 * @property {number} level 0 for one on the map, 1 for a part of one
 *
 * @typedef {object} Layout
 * @property {Float64Array} x of each page that is shown
 * @property {Float64Array} y
 * @property {Disc[]} discs groups first, then their parts
 */

/**
 * @param {import("./groups.js").Group[]} groups
 * @param {number[][]} around the pages that each is linked with
 * @param {number} aspect width / height of the picture
 * @param {() => Promise<void>} pause lets the page answer
 * @returns {Promise<Layout>}
 */
export async function layoutOf(groups, around, aspect, pause) {
  const size = around.length;
  /** @type {Layout} */
  const layout = { x: new Float64Array(size), y: new Float64Array(size), discs: [] };
  const discs = [];
  let since = Date.now();
  for (const group of groups) {
    discs.push(group.parts.length ? packed(group, around, layout) : alone(group, around, layout));
    if (Date.now() - since < PORTION_MS) continue;
    await pause();
    since = Date.now();
  }
  arranged(discs, linksBetween(groups, around), aspect);
  for (const disc of discs) moved(disc, layout);
  const every = discs.flatMap(({ parts }) => parts);
  layout.discs = [...discs, ...every].map(({ group, x, y, r, level }) => ({ group, x, y, r, level }));
  return layout;
}

/** A group as one disc around 0, its pages placed. */
function alone(group, around, layout, level = 0) {
  const radius = placed(group.pages, around, layout);
  return { group, x: 0, y: 0, r: radius + GAP, level, parts: [] };
}

/** A group as the packed discs of its parts, the first in the middle. */
function packed(group, around, layout) {
  const parts = group.parts.map((part) => alone(part, around, layout, 1));
  packSiblings(parts);
  const { x, y, r } = packEnclose(parts);
  for (const part of parts) {
    part.x -= x;
    part.y -= y;
  }
  return { group, x: 0, y: 0, r: r + GAP, level: 0, parts };
}

/**
 * Place pages around 0 by the links among them, evenly over a disc.
 * @returns {number} its radius
 */
function placed(pages, around, layout) {
  const place = new Map(pages.map((page, at) => [page, at]));
  const nodes = pages.map((_, at) => spiral(at));
  const links = [];
  pages.forEach((page, source) => {
    for (const other of around[page]) {
      const target = place.get(other);
      if (target !== undefined && source < target) links.push({ source, target });
    }
  });
  if (links.length) forced(nodes, links);
  const radius = spread(nodes, around.length > MAX_WELL_SPREAD ? SPREAD_TICKS : WELL_SPREAD_TICKS);
  pages.forEach((page, at) => {
    layout.x[page] = nodes[at].x;
    layout.y[page] = nodes[at].y;
  });
  return radius;
}

/** A place on the spiral of sunflowers, on which each has as much room. */
function spiral(at) {
  const radius = Math.sqrt(at + 0.5) * 0.9;
  const angle = at * 2.399963; // the golden angle
  return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
}

function forced(nodes, links) {
  const simulation = forceSimulation(nodes)
    .randomSource(random(7))
    .force("link", forceLink(links).distance(1.2).iterations(1))
    .force("apart", forceManyBody().strength(-1.2).theta(1.5).distanceMax(10))
    .force("x", forceX(0).strength(0.04))
    .force("y", forceY(0).strength(0.04))
    .stop();
  simulation.alphaDecay(1 - 0.001 ** (1 / TICKS)).tick(TICKS);
}

/** Pull pages apart until none lies on another, and the disc is full to its edge. */
function spread(nodes, ticks) {
  const radius = Math.sqrt(nodes.length) * 1.05;
  const far = (node) => Math.hypot(node.x, node.y);
  const order = [...nodes].sort((a, b) => far(a) - far(b));
  order.forEach((node, at) => {
    const wanted = radius * Math.sqrt((at + 0.5) / order.length);
    const factor = wanted / (far(node) || 1);
    node.x *= factor;
    node.y *= factor;
    node.vx = node.vy = 0;
  });
  if (nodes.length > 1)
    forceSimulation(nodes)
      .randomSource(random(7))
      .force("apart", forceCollide(0.8).strength(0.7))
      .alphaDecay(0)
      .velocityDecay(0.6)
      .stop()
      .tick(ticks);
  return Math.max(...nodes.map(far), 0.5) + 0.5;
}

/** How many links there are between each two groups, by number. */
export function linksBetween(groups, around) {
  const groupOf = new Int32Array(around.length).fill(-1);
  groups.forEach(({ pages }, at) => pages.forEach((page) => (groupOf[page] = at)));
  const counts = new Map();
  around.forEach((others, page) => {
    for (const other of others) {
      const [a, b] = [groupOf[page], groupOf[other]];
      if (page < other && a !== b) {
        const key = Math.min(a, b) * groups.length + Math.max(a, b);
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
  });
  return [...counts].map(([key, count]) => ({
    source: Math.floor(key / groups.length),
    target: key % groups.length,
    count,
  }));
}

/** Bring discs beside those that they are linked with, none over another, as wide as the picture. */
function arranged(discs, links, aspect) {
  if (discs.length < 2) return;
  packSiblings(discs);
  const total = Math.sqrt(discs.reduce((sum, { r }) => sum + r * r, 0));
  // d3 puts the discs themselves in the place of their numbers.
  const drawn = links.map(({ source, target, count }) => {
    const [a, b] = [discs[source], discs[target]];
    const share = count / Math.min(a.group.pages.length, b.group.pages.length);
    return { source, target, distance: a.r + b.r, strength: 0.6 * Math.min(1, share) };
  });
  forceSimulation(discs)
    .randomSource(random(3))
    .force("link", forceLink(drawn).distance((link) => link.distance).strength((link) => link.strength))
    .force("x", forceX(0).strength(0.05 / aspect ** 1.5))
    .force("y", forceY(0).strength(0.05 * aspect ** 1.5))
    .force("apart", forceCollide(({ r }) => r + total * 0.008).strength(0.9).iterations(3))
    .alphaDecay(1 - 0.001 ** (1 / 240))
    .stop()
    .tick(240);
  separated(discs);
}

/** What the force left over one another is moved apart. */
function separated(discs) {
  forceSimulation(discs)
    .randomSource(random(3))
    .force("apart", forceCollide(({ r }) => r).strength(1).iterations(4))
    .alphaDecay(0)
    .stop()
    .tick(60);
}

/** Move the pages of a disc to where it came to stand. */
function moved(disc, layout) {
  const parts = disc.parts.length ? disc.parts : [disc];
  for (const part of parts) {
    if (part !== disc) {
      part.x += disc.x;
      part.y += disc.y;
    }
    for (const page of part.group.pages) {
      layout.x[page] += part.x;
      layout.y[page] += part.y;
    }
  }
}
