/** The editor itself: markdown in CodeMirror, with names that complete; its colours are in edit.css. */
import {
  Compartment, EditorState, EditorView, HighlightStyle, Language, Text, Transaction, autocompletion, completionKeymap,
  defaultKeymap, highlightActiveLine, highlightSelectionMatches, highlightSpecialChars, history,
  historyKeymap, indentWithTab, keymap, markdownKeymap, markdownLanguage, search, searchKeymap,
  syntaxHighlighting, tags,
} from "./vendor/edit.js";
import { changesBetween, sideAt } from "./edit_lines.js";

const MOST = 12; // names that are offered
const lineEnds = new Compartment();

const MARK = /^---[ \t]*$/;

/** Front matter is no text: to CommonMark its last line would make a heading of it. */
const FRONT_MATTER = {
  defineNodes: [{ name: "FrontMatter", block: true, style: tags.meta }],
  parseBlock: [{
    name: "FrontMatter",
    before: "HorizontalRule",
    /** @param {any} context @param {any} line */
    parse(context, line) {
      if (context.lineStart !== 0 || !MARK.test(line.text)) return false;
      while (context.nextLine()) {
        if (!MARK.test(line.text)) continue;
        context.nextLine();
        break;
      }
      context.addElement(context.elt("FrontMatter", 0, context.prevLineEnd()));
      return true;
    },
  }],
};
/** @type {any} */
const plain = markdownLanguage;
const language = new Language(plain.data, plain.parser.configure(FRONT_MATTER), [], "markdown");

const HIGHLIGHTS = HighlightStyle.define([
  { tag: tags.heading, class: "md-heading" },
  { tag: tags.strong, class: "md-strong" },
  { tag: tags.emphasis, class: "md-emphasis" },
  { tag: tags.strikethrough, class: "md-gone" },
  { tag: [tags.link, tags.url], class: "md-link" },
  { tag: tags.monospace, class: "md-code" },
  { tag: tags.quote, class: "md-quote" },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.meta, tags.comment], class: "md-mark" },
]);

/** The line end that a text has throughout; where they differ each stays as it is.
 * @param {string} text */
export function lineEndOf(text) {
  const ends = text.split("\n").length - 1;
  return ends > 0 && text.split("\r\n").length - 1 === ends ? "\r\n" : "\n";
}

/** Whether a place is between the two characters of a line end of Windows, which stands in the text where ends differ.
 * @param {any} doc @param {number} at */
function partsEnd(doc, at) {
  const line = doc.lineAt(at);
  return at === line.to && line.number < doc.lines && line.text.endsWith("\r");
}

/** Such a line end is one step from where the cursor is beside it, and nothing can be typed within it. */
export const wholeEnds = [
  EditorView.atomicRanges.of((/** @type {any} */ { state: { doc, selection } }) => {
    const { head } = selection.main;
    /** @param {number} from @param {number} to @param {(from: number, to: number, value: any) => false | void} found */
    const between = (from, to, found) => {
      const beside = [head - 1, head + 1].filter((at) => at >= Math.max(from, 0) && at <= Math.min(to, doc.length));
      for (const at of beside) if (partsEnd(doc, at)) found(at - 1, at + 1, null);
    };
    return /** @type {any} */ ({ between }); // all that is asked of a set of ranges
  }),
  EditorState.transactionFilter.of((/** @type {any} */ change) => {
    if (!change.selection && !change.docChanged) return change;
    const { anchor, head } = change.newSelection.main;
    const [from, to] = [anchor, head].map((at) => (partsEnd(change.newDoc, at) ? at - 1 : at));
    const isSame = from === anchor && to === head;
    return isSame ? change : [change, { selection: { anchor: from, head: to }, sequential: true }];
  }),
];

/**
 * What every editor of a page has.
 * @param {{nonce: string, label: string, lineEnd: string, isClosed?: boolean}} about
 */
export function common({ nonce, label, lineEnd, isClosed = false }) {
  return [
    EditorView.cspNonce.of(nonce),
    lineEnds.of(EditorState.lineSeparator.of(lineEnd)),
    wholeEnds,
    EditorState.readOnly.of(isClosed),
    EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "true", tabindex: "0" }),
    EditorView.lineWrapping,
    language.extension,
    syntaxHighlighting(HIGHLIGHTS),
    highlightSpecialChars(),
    history(),
    search({ top: true }),
    highlightSelectionMatches(),
    keymap.of([...completionKeymap, ...markdownKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
  ];
}

/**
 * An editor of one page.
 * @param {{parent: HTMLElement, text: string, nonce: string, label: string, path: string, isClosed: boolean,
 *   changed: () => void}} about
 */
export function editorOf({ parent, text, path, changed, ...about }) {
  const lineEnd = lineEndOf(text);
  return new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        common({ ...about, lineEnd }),
        highlightActiveLine(),
        autocompletion({ override: [(context) => complete(context, path)], icons: false, maxRenderedOptions: MOST }),
        EditorView.updateListener.of((update) => update.docChanged && changed()),
      ],
    }),
  });
}

/** The text, with its line ends. @param {any} view @returns {string} */
export const textOf = (view) => view.state.sliceDoc();

/** Put another text in place, so that the cursor and what was typed stay where they are.
 * @param {any} view @param {string} text @param {{isOwn?: boolean}} [about] own is what Ctrl-Z takes back */
export function become(view, text, { isOwn = false } = {}) {
  if (isWindows(view.state) && /(?<!\r)\n/.test(text)) spellEnds(view);
  view.dispatch(becoming(view.state, text, isOwn));
}

/** @param {any} state */
const isWindows = (state) => state.facet(EditorState.lineSeparator) === "\r\n";

/** From now on each line has its end in the text, as they are to differ. @param {any} view */
function spellEnds(view) {
  const { doc } = view.state;
  const changes = Array.from({ length: doc.lines - 1 }, (_, at) => ({ from: doc.line(at + 1).to, insert: "\r" }));
  const effects = lineEnds.reconfigure(EditorState.lineSeparator.of("\n"));
  view.dispatch({ changes, effects, annotations: Transaction.addToHistory.of(false) });
}

/** @param {any} state @param {string} text */
export function becoming(state, text, isOwn = false) {
  const { empty, head } = state.selection.main;
  const found = changesBetween(state.doc.toString(), isWindows(state) ? text.replaceAll("\r\n", "\n") : text, head);
  const changes = state.changes(found.map((each) => ({ ...each, insert: Text.of(each.insert.split("\n")) })));
  return {
    changes,
    // What is selected never grows: the next key would take out what came in at its ends.
    ...(empty && { selection: { anchor: changes.mapPos(head, sideAt(found, head)) } }),
    // Ctrl-Z takes back what was typed here and nobody else's change.
    annotations: Transaction.addToHistory.of(isOwn),
    ...(isOwn && { userEvent: "input.draft" }), // never one step with what was typed just before
  };
}

/** Names for what is being typed: pages behind `[[` and `](`, tags behind `#`.
 * @param {any} context @param {string} path */
async function complete(context, path) {
  const found =
    context.matchBefore(/\[\[[^[\]|#\n]*/) ?? context.matchBefore(/\]\([^()\s]*/) ?? context.matchBefore(/(?<=^|\s)#[^\s#]+/);
  if (!found) return null;
  const isTag = found.text.startsWith("#");
  const typed = isTag ? found.text : found.text.slice(2);
  if (typed.length < (isTag ? 2 : 1)) return null;
  const answer = await fetch(`/api/suggest?${new URLSearchParams({ q: typed, limit: String(MOST) })}`).catch(() => null);
  if (!answer?.ok || context.aborted) return null;
  /** @type {{suggestions: {name: string, kind: string, path: string}[]}} */
  const { suggestions } = await answer.json();
  const fit = suggestions.filter((each) => (isTag ? each.kind === "tag" : each.path && each.kind !== "entity"));
  const write = isTag ? writeTag : found.text.startsWith("[[") ? writeWikilink : writeLink(path);
  return {
    from: isTag ? found.from : found.from + 2,
    filter: false,
    options: fit.map((each) => ({ label: each.name, detail: isTag ? "" : each.path, apply: write(each) })),
  };
}

/** @typedef {{name: string, kind: string, path: string}} Name */

/** @param {Name} each */
const writeTag = (each) => `#${each.name}`;

/** Other programs look at file names only: a title stands behind the bar.
 * @param {Name} each */
function writeWikilink(each) {
  const stem = each.path.replace(/^.*\//, "").replace(/\.[^.]*$/, "");
  const isFolderPage = /^(index|readme|_index)$/i.test(stem);
  const target = isFolderPage ? each.path.replace(/\.[^.]*$/, "") : stem;
  return closing("]]", target === each.name ? target : `${target}|${each.name}`);
}

/** @param {string} path */
function writeLink(path) {
  /** @param {Name} each */
  return (each) => closing(")", encodeURI(relative(path, each.path)).replaceAll("(", "%28").replaceAll(")", "%29"));
}

/** @param {string} from @param {string} to */
function relative(from, to) {
  const here = from.split("/").slice(0, -1);
  const there = to.split("/");
  while (here.length && there.length > 1 && here[0] === there[0]) {
    here.shift();
    there.shift();
  }
  return [...here.map(() => ".."), ...there].join("/");
}

/** Insert a name and what closes it, where that is not there already.
 * @param {string} end @param {string} text */
function closing(end, text) {
  /** @param {any} view @param {unknown} _ @param {number} from @param {number} to */
  return (view, _, from, to) => {
    const isClosed = view.state.sliceDoc(to, to + end.length) === end;
    const insert = isClosed ? text : text + end;
    const at = from + text.length + end.length;
    view.dispatch({ changes: { from, to, insert }, selection: { anchor: at }, userEvent: "input.complete" });
  };
}
