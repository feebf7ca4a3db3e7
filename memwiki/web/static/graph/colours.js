/** The colours of a map: those of the page's style, and which page gets which. */
import { folderOf } from "./data.js";

const SERIES = 6;

/**
 * @typedef {object} Theme
 * @property {string} paper
 * @property {string} ink
 * @property {string} soft
 * @property {string} rule
 * @property {string} accent
 * @property {string} font
 * @property {string[]} series
 */

/** @returns {Theme} as the style says now, light or dark */
export function themeNow() {
  const style = getComputedStyle(document.documentElement);
  const token = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    paper: token("paper"),
    ink: token("ink"),
    soft: token("ink-soft"),
    rule: token("rule"),
    accent: token("accent"),
    font: token("font"),
    series: Array.from({ length: SERIES }, (_, at) => token(`series-${at + 1}`)),
  };
}

/** A colour as it looks when this much of it lies on another. */
export function mixed(colour, below, share) {
  const [front, back] = [parts(colour), parts(below)];
  const each = front.map((value, at) => Math.round(value * share + back[at] * (1 - share)));
  return `#${each.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

function parts(hex) {
  const full = hex.length === 4 ? [...hex.slice(1)].map((c) => c + c).join("") : hex.slice(1);
  return [0, 2, 4].map((at) => parseInt(full.slice(at, at + 2), 16));
}

/**
 * Which series each shown page has, and what each stands for; -1 for all that has none.
 * @param {string} by group, folder or type
 * @param {import("./data.js").MapData} data
 * @param {import("./data.js").Shown} shown
 * @param {import("./groups.js").Group[]} groups
 * @returns {{series: Int8Array, legend: {name: string, series: number, count: number}[]}}
 */
export function colouring(by, data, shown, groups) {
  if (by === "group") return byGroup(shown, groups);
  const named =
    by === "folder"
      ? (page) => folderOf(data.paths[page]).split("/").slice(0, depth(data, shown)).join("/")
      : (page) => data.type_names[data.types[page]];
  const names = shown.pages.map(named);
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const sorted = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const legend = sorted.slice(0, SERIES).map(([name, count], series) => ({ name, series, count }));
  const rest = sorted.slice(SERIES).reduce((sum, [, count]) => sum + count, 0);
  if (rest) legend.push({ name: `${sorted.length - SERIES} others`, series: -1, count: rest });
  const seriesOf = new Map(sorted.slice(0, SERIES).map(([name], at) => [name, at]));
  return { series: Int8Array.from(names, (name) => seriesOf.get(name) ?? -1), legend };
}

/** How deep folders have to be told apart: below what all pages share. */
function depth(data, shown) {
  const folders = shown.pages.map((page) => folderOf(data.paths[page]).split("/"));
  let level = 1;
  while (level < 4 && new Set(folders.map((each) => each.slice(0, level).join("/"))).size < 2) level += 1;
  return level;
}

function byGroup(shown, groups) {
  const series = new Int8Array(shown.pages.length);
  groups.forEach(({ pages }, at) => pages.forEach((page) => (series[page] = at % SERIES)));
  return { series, legend: [] };
}
