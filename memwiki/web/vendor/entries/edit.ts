// What static/edit*.js use: an editor of markdown, and two texts side by side.
export { Compartment, EditorState, Text, Transaction } from "@codemirror/state";
export { EditorView, highlightActiveLine, highlightSpecialChars, keymap } from "@codemirror/view";
export { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
export { autocompletion, completionKeymap } from "@codemirror/autocomplete";
export { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
export { HighlightStyle, Language, syntaxHighlighting } from "@codemirror/language";
export { markdownKeymap, markdownLanguage } from "@codemirror/lang-markdown";
export { MergeView, diff, getChunks, unifiedMergeView } from "@codemirror/merge";
export { tags } from "@lezer/highlight";
