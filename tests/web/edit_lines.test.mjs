// What another writer changes comes into the editor: run by test_scripts.py.
import assert from "node:assert/strict";
import { test } from "node:test";
import { changesBetween } from "../../memwiki/web/static/edit_lines.js";
import { becoming, wholeEnds } from "../../memwiki/web/static/edit_text.js";
import { EditorState } from "../../memwiki/web/static/vendor/edit.js";

const LINES = ["", "", "- ", "- tea", "- milk", "tab b 2", "tab", "command 31"];

/** Whole numbers below a limit, the same each time. */
function chanceOf(seed) {
  return (limit) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor(seed / 65536) % limit;
  };
}

function applied(old, changes) {
  let [made, done] = ["", 0];
  for (const { from, to, insert } of changes) {
    assert.ok(from >= done);
    made += old.slice(done, from) + insert;
    done = to;
  }
  return made + old.slice(done);
}

/** What stands there when another text came in, and the rest was typed. */
function typedOn(before, next, rest, { lineSeparator = "\n" } = {}) {
  const head = before.indexOf("|");
  const doc = before.replace("|", "").replaceAll("\n", lineSeparator);
  const extensions = EditorState.lineSeparator.of(lineSeparator);
  const state = EditorState.create({ doc, selection: { anchor: head }, extensions });
  const became = state.update(becoming(state, next.replaceAll("\n", lineSeparator))).state;
  return became.update(became.replaceSelection(rest)).state.doc.toString();
}

test("changes make the one text of the other, whatever they are", () => {
  const chance = chanceOf(1);
  const text = () => Array.from({ length: 1 + chance(9) }, () => LINES[chance(LINES.length)]).join("\n");
  for (let round = 0; round < 3_000; round++) {
    const [old, next] = [text(), text()];
    assert.equal(applied(old, changesBetween(old, next)), next);
  }
});

test("a line that is typed while a like one comes in above is whole", () => {
  assert.equal(typedOn("# Log\ntab |", "# Log\ntab b 2\ntab ", "a 3"), "# Log\ntab b 2\ntab a 3");
  assert.equal(typedOn("# Log\ntab |\n", "# Log\ntab b 2\ntab \n", "a 3"), "# Log\ntab b 2\ntab a 3\n");
});

test("a cursor on an empty line stays on it", () => {
  assert.equal(typedOn("# Log\n|\nend", "# Log\ntab b\n\nend", "typed"), "# Log\ntab b\ntyped\nend");
  assert.equal(typedOn("# Log\n|", "# Log\ntab b\n", "typed"), "# Log\ntab b\ntyped");
});

test("at an end without a line end what is added comes below the cursor", () => {
  assert.equal(typedOn("# Log\ntab a|", "# Log\ntab a\ncommand", " 3"), "# Log\ntab a 3\ncommand");
  assert.equal(typedOn("# Log\ntab a|\ncommand", "# Log\ntab a", " 3"), "# Log\ntab a 3");
});

test("line ends of Windows are one place each", () => {
  const windows = { lineSeparator: "\r\n" };
  assert.equal(typedOn("# Log\ntab |\n", "# Log\ntab b 2\ntab \n", "a 3", windows), "# Log\ntab b 2\ntab a 3\n");
});

test("where line ends differ nothing is typed within one", () => {
  const extensions = [EditorState.lineSeparator.of("\n"), wholeEnds];
  const state = EditorState.create({ doc: "# Tea\r\nmilk\n\r\nx\r", extensions });
  const typedAt = (at) => {
    const { state: there } = state.update({ selection: { anchor: at } });
    return there.update(there.replaceSelection("Z")).state.doc.toString();
  };
  assert.equal(typedAt(6), "# TeaZ\r\nmilk\n\r\nx\r");
  assert.equal(typedAt(7), "# Tea\r\nZmilk\n\r\nx\r");
  assert.equal(typedAt(11), "# Tea\r\nmilkZ\n\r\nx\r");
  assert.equal(typedAt(13), "# Tea\r\nmilk\nZ\r\nx\r");
  assert.equal(typedAt(16), "# Tea\r\nmilk\n\r\nx\rZ"); // no line end
});

test("what comes in at the ends of what is selected is not selected", () => {
  const state = EditorState.create({ doc: "a\nb\nc\nd\n", selection: { anchor: 2, head: 6 } }); // b and c
  const became = state.update(becoming(state, "a\nX\nb\nc\nY\nd\n")).state;
  assert.equal(became.update(became.replaceSelection("")).state.doc.toString(), "a\nX\nY\nd\n");
});

test("no line is parted, wherever others come and go", () => {
  const chance = chanceOf(7);
  for (let round = 0; round < 2_000; round++) {
    const lines = Array.from({ length: 1 + chance(8) }, () => LINES[chance(LINES.length)]);
    const at = chance(lines.length);
    lines[at] = "typed by me";
    const others = (line) => [...Array.from({ length: chance(3) }, () => LINES[chance(LINES.length)]), ...(chance(4) ? [line] : [])];
    const next = [...lines.slice(0, at).flatMap(others), lines[at], ...lines.slice(at + 1).flatMap(others)];
    const column = chance(lines[at].length + 1);
    const before = lines.with(at, `${lines[at].slice(0, column)}|${lines[at].slice(column)}`);
    const wanted = next.map((line) => (line === lines[at] ? `${line.slice(0, column)}…${line.slice(column)}` : line));
    assert.equal(typedOn(before.join("\n"), next.join("\n"), "…"), wanted.join("\n"));
  }
});

test("in a very long text changes stay where they are", () => {
  const lines = Array.from({ length: 120_000 }, (_, at) => `line ${at}`);
  const next = lines.flatMap((line, at) => (at % 1_000 ? [line] : [`new ${at}`, line]));
  const changes = changesBetween(lines.join("\n"), next.join("\n"));
  assert.equal(changes.length, 120);
  assert.deepEqual(changes[1], { from: lines.slice(0, 1_000).join("\n").length + 1, to: lines.slice(0, 1_000).join("\n").length + 1, insert: "new 1000\n" });
});
