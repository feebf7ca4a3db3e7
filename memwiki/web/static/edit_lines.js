/** What changed between two texts: by whole lines first, then by the letters of lines that became others. */
import { diff } from "./vendor/edit.js";

const LETTERS = { scanLimit: 500 };
const LINES = { scanLimit: 2_000 };
const MOST_CODES = 0xd800; // characters that stand by themselves, one for a line

/** Lines `fromA` to `toA` of one text become lines `fromB` to `toB` of another; half-open, from 0.
 * @typedef {{fromA: number, toA: number, fromB: number, toB: number}} Hunk */

/** @typedef {{from: number, to: number, insert: string}} Change */

/**
 * The changes that make a text of another one, in order; line ends are "\n". Lines that stay are in none of them,
 * and where lines changed places that with the cursor stayed.
 * @param {string} old @param {string} next @param {number} cursor @returns {Change[]}
 */
export function changesBetween(old, next, cursor = 0) {
  const [a, b] = [old.split("\n"), next.split("\n")];
  let end = -1;
  const starts = [...a.map((line) => (end += line.length + 1) - line.length), old.length + 1];
  const whole = { fromA: 0, toA: a.length, fromB: 0, toB: b.length };
  const line = old.slice(0, cursor).split("\n").length - 1;
  const own = isOnce(a, a[line]) && isOnce(b, a[line]) ? [[line, b.indexOf(a[line])]] : [];
  return hunksOf(a, b, between(whole, own)).flatMap((hunk) => {
    const insert = b.slice(hunk.fromB, hunk.toB).join("\n");
    const [from, to] = [starts[hunk.fromA], starts[hunk.toA]];
    if (hunk.fromA < hunk.toA && hunk.fromB < hunk.toB) return lettersOf(old.slice(from, to - 1), insert, from);
    const above = hunk.toA === a.length ? 1 : 0; // where no line follows the line end is the one above
    const text = hunk.fromB === hunk.toB ? "" : above ? `\n${insert}` : `${insert}\n`;
    return { from: from - above, to: to - above, insert: text };
  });
}

/** @param {string} old @param {string} next @param {number} at @returns {Change[]} */
function lettersOf(old, next, at) {
  return diff(old, next, LETTERS).map((each) => ({
    from: at + each.fromA,
    to: at + each.toA,
    insert: next.slice(each.fromB, each.toB),
  }));
}

/**
 * Where a cursor goes on: in its line, and so below whole lines that come in above that.
 * @param {Change[]} changes @param {number} at @returns {1 | -1} the side of what is inserted there
 */
export function sideAt(changes, at) {
  return changes.some(({ from, to, insert }) => from === at && to === at && insert.endsWith("\n")) ? 1 : -1;
}

/** @param {string[]} lines @param {string} line */
const isOnce = (lines, line) => lines.includes(line) && lines.indexOf(line) === lines.lastIndexOf(line);

/** Lines that changed, found between those that stay for sure: they stand once in either text, in one order.
 * @param {string[]} a @param {string[]} b @param {Hunk[]} within @returns {Hunk[]} */
function hunksOf(a, b, within) {
  const waiting = within.toReversed();
  const found = [];
  for (let each = waiting.pop(); each; each = waiting.pop()) {
    const inner = withoutEnds(a, b, each);
    if (inner.fromA === inner.toA && inner.fromB === inner.toB) continue;
    const stays = inner.fromA < inner.toA && inner.fromB < inner.toB ? staying(a, b, inner) : [];
    if (stays.length) waiting.push(...between(inner, stays).reverse());
    else found.push(...repeating(a, b, inner));
  }
  return found;
}

/** @param {string[]} a @param {string[]} b @param {Hunk} hunk @returns {Hunk} */
function withoutEnds(a, b, { fromA, toA, fromB, toB }) {
  while (fromA < toA && fromB < toB && a[fromA] === b[fromB]) [fromA, fromB] = [fromA + 1, fromB + 1];
  while (fromA < toA && fromB < toB && a[toA - 1] === b[toB - 1]) [toA, toB] = [toA - 1, toB - 1];
  return { fromA, toA, fromB, toB };
}

/** What is left of a hunk around lines that stay. @param {Hunk} hunk @param {number[][]} stays @returns {Hunk[]} */
function between({ fromA, toA, fromB, toB }, stays) {
  const above = [[fromA - 1, fromB - 1], ...stays];
  return [...stays, [toA, toB]].map(([endA, endB], at) => {
    const [lastA, lastB] = above[at];
    return { fromA: lastA + 1, toA: endA, fromB: lastB + 1, toB: endB };
  });
}

/** @param {string[]} a @param {string[]} b @param {Hunk} hunk @returns {[number, number][]} */
function staying(a, b, { fromA, toA, fromB, toB }) {
  const there = once(b, fromB, toB);
  const pairs = [...once(a, fromA, toA)].map(([line, at]) => [at, there.get(line) ?? -1]);
  return rising(/** @type {[number, number][]} */ (pairs.filter(([one, other]) => one >= 0 && other >= 0)));
}

/** Where each line stands; -1 for one that stands there twice. @param {string[]} lines @param {number} from @param {number} to */
function once(lines, from, to) {
  /** @type {Map<string, number>} */
  const found = new Map();
  for (let at = from; at < to; at++) found.set(lines[at], found.has(lines[at]) ? -1 : at);
  return found;
}

/** The longest part of these pairs in which both numbers rise. @param {[number, number][]} pairs */
function rising(pairs) {
  /** @type {number[]} */
  const ends = []; // of the part of each length the pair that it ends with
  const before = pairs.map(([, b], at) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[ends[middle]][1] < b) low = middle + 1;
      else high = middle;
    }
    ends[low] = at;
    return low ? ends[low - 1] : -1;
  });
  const found = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]) found.push(pairs[at]);
  return found.reverse();
}

/** A hunk whose lines all repeat, or are new: compared as letters are, a letter for each line.
 * @param {string[]} a @param {string[]} b @param {Hunk} hunk @returns {Hunk[]} */
function repeating(a, b, { fromA, toA, fromB, toB }) {
  const [here, there] = [a.slice(fromA, toA), b.slice(fromB, toB)];
  const codes = new Map([...new Set([...here, ...there])].map((line, at) => [line, String.fromCharCode(at)]));
  if (codes.size > MOST_CODES) return [{ fromA, toA, fromB, toB }];
  const coded = (/** @type {string[]} */ lines) => lines.map((line) => codes.get(line)).join("");
  return diff(coded(here), coded(there), LINES)
    .filter((each) => each.fromA < each.toA || each.fromB < each.toB)
    .map((each) => ({
      fromA: fromA + each.fromA,
      toA: fromA + each.toA,
      fromB: fromB + each.fromB,
      toB: fromB + each.toB,
    }));
}
