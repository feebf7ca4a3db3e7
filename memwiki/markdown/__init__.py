"""Markdown: text <-> model, pure; `parse.parse` turns one file into one Page."""
