// The pure parts of the map: run by test_scripts.py.
import assert from "node:assert/strict";
import { test } from "node:test";
import { degreesOf, found, shownOf } from "../../memwiki/web/static/graph/data.js";
import { groupsOf, neighboursOf } from "../../memwiki/web/static/graph/groups.js";
import { Taken } from "../../memwiki/web/static/graph/labels.js";
import { layoutOf } from "../../memwiki/web/static/graph/layout.js";

const ALL = { folder: "", tag: "", type: "", hubs: 0, plain: true, orphans: false };

function star(leaves) {
  const paths = Array.from({ length: leaves + 1 }, (_, at) => `f${at % 5}/p${String(at).padStart(5, "0")}.md`);
  return {
    paths,
    titles: paths.map((_, at) => `Page ${at}`),
    types: paths.map(() => 0),
    type_names: ["page"],
    marks: paths.map(() => 0),
    ranks: paths.map((_, at) => (at ? 0.001 : 0.5)),
    starts: [0, ...paths.map((_, at) => at)],
    targets: paths.slice(1).map(() => 0),
    tag_starts: [0, ...paths.map(() => 0)],
    tags: [],
    tag_names: [],
  };
}

async function laidOut(data) {
  const shown = shownOf(data, ALL, degreesOf(data));
  const groups = groupsOf(data, shown);
  return { shown, groups, layout: await layoutOf(groups, neighboursOf(shown), 1.5, async () => {}) };
}

test("a star does not stay one disc, and loses no page", async () => {
  const { groups } = await laidOut(star(600));
  const parts = groups.flatMap((group) => (group.parts.length ? group.parts : [group]));
  assert.ok(Math.max(...parts.map((part) => part.pages.length)) <= 150);
  const pages = parts.flatMap((part) => part.pages).sort((a, b) => a - b);
  assert.deepEqual(pages, Array.from({ length: 601 }, (_, at) => at));
});

test("discs of groups do not lie over one another, and every page is in its own", async () => {
  const { layout } = await laidOut(star(600));
  const discs = layout.discs.filter((disc) => !disc.group.parts.length);
  for (const { group, x, y, r } of discs)
    for (const page of group.pages) assert.ok(Math.hypot(layout.x[page] - x, layout.y[page] - y) <= r);
  for (const a of discs)
    for (const b of discs)
      if (a !== b) assert.ok(Math.hypot(a.x - b.x, a.y - b.y) > (a.r + b.r) * 0.97);
});

test("the same map is laid out the same each time", async () => {
  const [one, two] = [await laidOut(star(200)), await laidOut(star(200))];
  assert.deepEqual(one.layout.x, two.layout.x);
});

test("filters leave out hubs, folders and pages without links", () => {
  const data = star(10);
  const degrees = degreesOf(data);
  assert.equal(shownOf(data, ALL, degrees).pages.length, 11);
  assert.equal(shownOf(data, { ...ALL, hubs: 5 }, degrees).pages.length, 0);
  assert.equal(shownOf(data, { ...ALL, hubs: 5, orphans: true }, degrees).pages.length, 10);
  assert.deepEqual(shownOf(data, { ...ALL, folder: "f0" }, degrees).pages, [0, 5, 10]);
});

test("what is found is first what begins so", () => {
  const data = star(12);
  assert.deepEqual(found(data, [0, 1, 2, 12], "page 12"), [12]);
  assert.deepEqual(found(data, [0, 1], " "), []);
});

test("a box that is taken is free no more", () => {
  const taken = new Taken();
  taken.take([0, 0, 100, 20]);
  assert.equal(taken.isFree([90, 10, 200, 30]), false);
  assert.equal(taken.isFree([100, 0, 200, 20]), true);
});
