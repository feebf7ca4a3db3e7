// What static/edit.js uses: an editor of markdown, and two texts side by side.
export { EditorState, Compartment, Transaction } from "@codemirror/state";
export {
  EditorView, keymap, drawSelection, dropCursor, highlightActiveLine, highlightSpecialChars,
} from "@codemirror/view";
export { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
export { autocompletion, completionKeymap, closeBrackets } from "@codemirror/autocomplete";
export { search, searchKeymap, highlightSelectionMatches } from "@codemirror/search";
export { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
export { deleteMarkupBackward, insertNewlineContinueMarkup, markdownLanguage } from "@codemirror/lang-markdown";
export { MergeView, unifiedMergeView, getChunks, goToNextChunk, goToPreviousChunk, diff } from "@codemirror/merge";
export { tags } from "@lezer/highlight";
