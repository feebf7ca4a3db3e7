/** The map as the server gives it, and which part of it is shown. Pure. */

/**
 * @typedef {object} MapData pages by number, in order of their paths
 * @property {string[]} paths
 * @property {string[]} titles
 * @property {number[]} types places in `type_names`
 * @property {string[]} type_names
 * @property {number[]} marks 0 for a page, 1 a catalog, 2 the journal
 * @property {number[]} ranks
 * @property {number[]} starts where the links of each page begin in `targets`
 * @property {number[]} targets
 * @property {number[]} tag_starts
 * @property {number[]} tags
 * @property {string[]} tag_names
 *
 * @typedef {object} Filters
 * @property {string} folder all below it, "" for all
 * @property {string} tag it and all below it
 * @property {string} type
 * @property {number} hubs pages with more links than this are left out; 0 for none
 * @property {boolean} plain whether catalogs and the journal are left out
 * @property {boolean} orphans whether pages without links are shown
 *
 * @typedef {object} Shown a part of a map, its pages numbered anew
 * @property {number[]} pages the number of each in the whole map
 * @property {[number, number][]} links each pair once
 * @property {number[]} degrees how many of these each page has
 */

/** @param {string} path */
export function folderOf(path) {
  return path.slice(0, Math.max(path.lastIndexOf("/"), 0));
}

/**
 * Every folder with the number of pages in and below it.
 * @param {string[]} paths
 * @returns {Map<string, number>} sorted by name
 */
export function folderCounts(paths) {
  const counts = new Map();
  for (const path of paths)
    for (let folder = folderOf(path); folder; folder = folderOf(folder))
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
  return new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * How many pages link to each page, or from it: each pair counts once.
 * @param {MapData} data
 * @returns {Uint32Array}
 */
export function degreesOf(data) {
  const degrees = new Uint32Array(data.paths.length);
  for (const [from, to] of pairsOf(data)) {
    degrees[from] += 1;
    degrees[to] += 1;
  }
  return degrees;
}

/**
 * Each pair of linked pages once, whichever links to the other.
 * @param {MapData} data
 * @returns {Generator<[number, number]>}
 */
function* pairsOf({ starts, targets, paths }) {
  for (let from = 0; from < paths.length; from++)
    for (let at = starts[from]; at < starts[from + 1]; at++) {
      const to = targets[at];
      if (from < to || !includes(targets, from, starts[to], starts[to + 1])) yield [from, to];
    }
}

/** Whether a sorted part of a list holds a number. */
function includes(list, wanted, start, end) {
  while (start < end) {
    const middle = (start + end) >> 1;
    if (list[middle] === wanted) return true;
    if (list[middle] < wanted) start = middle + 1;
    else end = middle;
  }
  return false;
}

/**
 * @param {MapData} data
 * @param {Filters} filters
 * @param {Uint32Array} degrees of the whole map
 * @returns {Shown}
 */
export function shownOf(data, filters, degrees) {
  const isWanted = wantedBy(data, filters, degrees);
  let pages = data.paths.map((_, page) => page).filter(isWanted);
  let place = placesOf(pages, data.paths.length);
  const whole = [];
  const counts = new Uint32Array(data.paths.length);
  for (const [from, to] of pairsOf(data)) {
    if (place[from] < 0 || place[to] < 0) continue;
    whole.push([from, to]);
    counts[from] += 1;
    counts[to] += 1;
  }
  if (!filters.orphans) pages = pages.filter((page) => counts[page] > 0);
  place = placesOf(pages, data.paths.length);
  return {
    pages,
    links: whole.map(([from, to]) => [place[from], place[to]]),
    degrees: pages.map((page) => counts[page]),
  };
}

function placesOf(pages, size) {
  const place = new Int32Array(size).fill(-1);
  pages.forEach((page, at) => (place[page] = at));
  return place;
}

/** What says of a page whether it passes the filters. */
function wantedBy(data, { folder, tag, type, hubs, plain }, degrees) {
  const tags = new Set();
  data.tag_names.forEach((name, at) => {
    if (name === tag || name.startsWith(`${tag}/`)) tags.add(at);
  });
  const isTagged = (page) => {
    for (let at = data.tag_starts[page]; at < data.tag_starts[page + 1]; at++)
      if (tags.has(data.tags[at])) return true;
    return false;
  };
  return (page) =>
    !(plain && data.marks[page]) &&
    !(hubs && degrees[page] > hubs) &&
    !(folder && !data.paths[page].startsWith(`${folder}/`)) &&
    !(type && data.type_names[data.types[page]] !== type) &&
    !(tag && !isTagged(page));
}

/**
 * The pages with all these words in their title or path, the best first.
 * @param {MapData} data
 * @param {number[]} pages
 * @param {string} text
 */
export function found(data, pages, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return [];
  const holds = (page) => {
    const name = `${data.titles[page]} ${data.paths[page]}`.toLowerCase();
    return words.every((word) => name.includes(word));
  };
  const begins = (page) => (data.titles[page].toLowerCase().startsWith(words[0]) ? 1 : 0);
  return pages
    .filter(holds)
    .sort((a, b) => begins(b) - begins(a) || data.ranks[b] - data.ranks[a] || a - b);
}
