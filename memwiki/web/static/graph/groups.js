/**
 * Groups of pages that link to one another, each with a name. Pure.
 *
 * Louvain finds communities; a community that is too large is mostly a hub with all that links to
 * it. Its hubs are taken out, which lets the rest fall apart; what then hangs on nothing is
 * grouped by folder, else by name. So a star becomes a ring of small groups around its hub.
 */
import { UndirectedGraph, louvain } from "../vendor/groups.js";
import { folderOf } from "./data.js";
import { random } from "./random.js";

const MIN_GROUP = 4; // pages; smaller ones are gathered
const MIN_LARGE = 150; // pages, from which a group may be split
const LARGE_SHARE = 0.06; // of all pages
const HUB_SHARE = 0.25; // of a group that a hub is linked with
const MIN_PART = 12; // pages of a part
const MAX_PART = 120; // pages without links among them in one part

/**
 * @typedef {object} Group
 * @property {string} name
 * @property {number[]} pages by rank, all of its parts too
 * @property {Group[]} parts of a large group; [] for one that is small enough
 */

/**
 * @param {import("./data.js").MapData} data
 * @param {import("./data.js").Shown} shown
 * @returns {Group[]} the largest first; pages as they are numbered in `shown`
 */
export function groupsOf(data, shown) {
  const around = neighboursOf(shown);
  const every = shown.pages.map((_, at) => at);
  const { large, loose } = communities(every, around);
  const limit = Math.max(MIN_LARGE, shown.pages.length * LARGE_SHARE);
  const context = { data, shown, around, names: new Set() };
  const groups = large.map((pages) =>
    pages.length > limit ? split(pages, context) : { pages, parts: [] },
  );
  for (const part of gathered(loose, context)) groups.push({ pages: part, parts: [] });
  groups.sort((a, b) => b.pages.length - a.pages.length || a.pages[0] - b.pages[0]);
  return groups.map((group) => named(group, context));
}

/** @returns {number[][]} for each page those that it is linked with */
export function neighboursOf({ pages, links }) {
  /** @type {number[][]} */
  const around = pages.map(() => []);
  for (const [a, b] of links) {
    around[a].push(b);
    around[b].push(a);
  }
  return around;
}

/** Communities of these pages, by the links among them; those that are too small in one list. */
function communities(pages, around, least = MIN_GROUP) {
  const graph = new UndirectedGraph();
  const inside = new Set(pages);
  for (const page of pages) graph.addNode(page);
  for (const page of pages)
    for (const other of around[page])
      if (page < other && inside.has(other)) graph.addEdge(page, other);
  const byCommunity = new Map();
  const found = graph.size ? louvain(graph, { rng: random(1), resolution: 1 }) : {};
  for (const page of pages) {
    const key = found[page] ?? `alone ${page}`;
    if (!byCommunity.has(key)) byCommunity.set(key, []);
    byCommunity.get(key).push(page);
  }
  const all = [...byCommunity.values()];
  return {
    large: all.filter((each) => each.length >= least),
    loose: all.filter((each) => each.length < least).flat(),
  };
}

/** A large community as its hubs, and the parts that are left without them. */
function split(pages, context) {
  const inside = new Set(pages);
  const own = (page) => context.around[page].filter((other) => inside.has(other));
  const least = Math.max(12, pages.length * HUB_SHARE);
  const hubs = pages.filter((page) => own(page).length >= least);
  const isHub = new Set(hubs);
  const rest = pages.filter((page) => !isHub.has(page));
  const { large, loose } = communities(rest, context.around, MIN_PART);
  const parts = [...large, ...gathered(loose, context)];
  if (hubs.length) parts.unshift(hubs);
  return parts.length > 1
    ? { pages, parts: parts.map((each) => ({ pages: each, parts: [] })) }
    : { pages, parts: [] };
}

/** Pages without a group, by their folder; where one has too many, by their names. */
function gathered(pages, { data, shown }) {
  const byFolder = new Map();
  for (const page of pages) {
    const folder = folderOf(data.paths[shown.pages[page]]);
    if (!byFolder.has(folder)) byFolder.set(folder, []);
    byFolder.get(folder).push(page);
  }
  const parts = [];
  const few = [];
  for (const each of byFolder.values()) {
    if (each.length < MIN_PART) few.push(...each);
    else parts.push(...inParts(each));
  }
  return few.length ? [...parts, ...inParts(few)] : parts;
}

/** As few parts of about one size as hold at most so many each. */
function inParts(pages) {
  const count = Math.ceil(pages.length / MAX_PART);
  const size = Math.ceil(pages.length / count);
  return Array.from({ length: count }, (_, at) => pages.slice(at * size, (at + 1) * size));
}

/** The group with its pages by rank, and a name that no other one has. */
function named(group, context) {
  const { data, shown, names } = context;
  const rank = (page) => data.ranks[shown.pages[page]];
  const pages = [...group.pages].sort((a, b) => rank(b) - rank(a) || a - b);
  const free = (page) => !names.has(data.titles[shown.pages[page]]);
  const title = data.titles[shown.pages[pages.find(free) ?? pages[0]]];
  const folder = group.parts.length ? "" : looseFolder(pages, context);
  const name = folder && !names.has(folder) ? folder : title;
  names.add(name);
  return { name, pages, parts: group.parts.map((part) => named(part, context)) };
}

/** The folder of pages that hardly link to one another, "" where they do or lie in several. */
function looseFolder(pages, { data, shown, around }) {
  const inside = new Set(pages);
  const links = pages.reduce((sum, page) => sum + around[page].filter((o) => inside.has(o)).length, 0);
  if (links >= pages.length) return "";
  const folders = new Set(pages.map((page) => folderOf(data.paths[shown.pages[page]])));
  return folders.size === 1 ? ([...folders][0].split("/").at(-1) ?? "") : "";
}
