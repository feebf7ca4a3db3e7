/** Two versions that changed the same lines, beside each other, or on a narrow screen in one another. */
import { EditorState, EditorView, MergeView, getChunks, keymap, unifiedMergeView } from "./vendor/edit.js";
import { common, lineEndOf, textOf } from "./edit_text.js";

const NARROW = "(max-width: 60rem)";

/**
 * Show a file as it is now beside a draft; `save` is given the text that was made of both, and `changed` is called
 * whenever it is another one.
 * @param {HTMLElement} place
 * @param {{file: {text: string}, draft: string, nonce: string, path: string,
 *   save: (text: string) => Promise<void>, back: (text: string) => void, changed: () => void}} about
 * @returns {{text: () => string, end: () => void}} what was made of both until now
 */
export function compare(place, { file, draft, nonce, path, save, back, changed }) {
  place.replaceChildren();
  place.hidden = false;
  const heading = made("h2", { textContent: "The same lines were changed here and outside", tabIndex: -1 });
  const count = made("span", { className: "soft", role: "status" });
  const bar = made("div", { className: "bar" });
  const views = made("div", { className: "views" });
  place.append(
    heading,
    made("p", {
      className: "soft",
      textContent: matchMedia(NARROW).matches
        ? "This is your text, with the changes from outside that are in other lines. Lines of the file that yours replaces are shown struck out."
        : "Left is the file as it is now. Right is your text, with the changes from outside that are in other lines; you can write in it.",
    }),
    bar,
    views,
  );
  const shown = matchMedia(NARROW).matches
    ? inOne(views, file.text, draft, nonce, path, () => tell())
    : sideBySide(views, file.text, draft, nonce, path, () => tell());
  const say = () => {
    const left = getChunks(shown.mine.state)?.chunks.length ?? 0;
    count.textContent = left ? `${left} ${left === 1 ? "difference" : "differences"}` : "no difference any more";
  };
  const tell = () => {
    say();
    changed();
  };
  const button = (/** @type {string} */ text, /** @type {() => void} */ act, name = "") => {
    const each = made("button", { type: "button", textContent: text, className: name });
    each.addEventListener("click", act);
    bar.append(each);
  };
  button("Next difference", () => next(shown.mine));
  button("Take the file's lines", () => takeTheirs(shown.mine, shown.theirs()));
  button("Save this", () => void save(textOf(shown.mine)), "saves");
  button("Back to the text", () => back(textOf(shown.mine)));
  bar.prepend(count);
  say();
  heading.focus();
  next(shown.mine, { isFirst: true });
  return {
    text: () => textOf(shown.mine),
    end: () => {
      shown.destroy();
      place.replaceChildren();
      place.hidden = true;
    },
  };
}

/** @param {HTMLElement} parent @param {string} theirs @param {string} mine @param {string} nonce @param {string} path @param {() => void} changed */
function sideBySide(parent, theirs, mine, nonce, path, changed) {
  const extensions = (/** @type {string} */ label, isClosed = false) => [
    keys(() => view.a.state.doc),
    common({ nonce, label, lineEnd: commonEnd(theirs, mine), isClosed }),
  ];
  const view = new MergeView({
    parent,
    a: { doc: theirs, extensions: extensions(`The file ${path} as it is now`, true) },
    b: { doc: mine, extensions: [extensions("Your text"), telling(changed)] },
    revertControls: "a-to-b",
    renderRevertControl: () =>
      made("button", { className: "take", textContent: "→", tabIndex: -1, title: "Take the file's lines" }),
    gutter: true,
    collapseUnchanged: { margin: 3, minSize: 6 },
  });
  return { mine: view.b, theirs: () => view.a.state.doc, destroy: () => view.destroy() };
}

/** @param {HTMLElement} parent @param {string} theirs @param {string} mine @param {string} nonce @param {string} path @param {() => void} changed */
function inOne(parent, theirs, mine, nonce, path, changed) {
  const lineEnd = commonEnd(theirs, mine);
  const original = EditorState.create({ doc: theirs, extensions: EditorState.lineSeparator.of(lineEnd) }).doc;
  const view = new EditorView({
    parent,
    doc: mine,
    extensions: [
      keys(() => original),
      common({ nonce, label: `Your text beside the file ${path}`, lineEnd }),
      telling(changed),
      unifiedMergeView({ original, mergeControls: false, gutter: true, collapseUnchanged: { margin: 3, minSize: 6 } }),
    ],
  });
  return { mine: view, theirs: () => original, destroy: () => view.destroy() };
}

/** @param {string} one @param {string} other */
const commonEnd = (one, other) => (lineEndOf(one) === lineEndOf(other) ? lineEndOf(one) : "\n");

/** @param {() => void} changed */
const telling = (changed) => EditorView.updateListener.of((/** @type {any} */ update) => update.docChanged && queueMicrotask(changed));

/** Before those that every editor has. @param {() => any} theirs */
function keys(theirs) {
  return keymap.of([
    { key: "Alt-ArrowDown", run: (/** @type {any} */ view) => next(view) },
    { key: "Alt-ArrowLeft", run: (/** @type {any} */ view) => takeTheirs(view, theirs()) },
  ]);
}

/** Go to the difference behind the cursor, or to the first one. @param {any} view */
function next(view, { isFirst = false } = {}) {
  const chunks = getChunks(view.state)?.chunks ?? [];
  const { head } = view.state.selection.main;
  const found = (!isFirst && chunks.find((/** @type {any} */ each) => each.fromB > head)) || chunks[0];
  if (!found) return false;
  const at = Math.min(found.fromB, view.state.doc.length);
  view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
  if (!isFirst) view.focus();
  return true;
}

/** Put the lines of the file where the cursor is in a difference. @param {any} view @param {any} theirs */
function takeTheirs(view, theirs) {
  const { head } = view.state.selection.main;
  const chunks = getChunks(view.state)?.chunks ?? [];
  const found = chunks.find((/** @type {any} */ each) => each.fromB <= head && head <= each.endB);
  if (!found) return next(view);
  let insert = theirs.slice(found.fromA, Math.max(found.fromA, found.toA - 1));
  const { length } = view.state.doc;
  if (found.fromA !== found.toA && found.toB <= length) insert = insert.append(view.state.toText(view.state.lineBreak));
  view.dispatch({
    changes: { from: found.fromB, to: Math.min(length, found.toB), insert },
    userEvent: "revert",
  });
  return true;
}

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name @param {Partial<HTMLElementTagNameMap[K]>} about
 * @returns {HTMLElementTagNameMap[K]}
 */
function made(name, about) {
  return Object.assign(document.createElement(name), about);
}
