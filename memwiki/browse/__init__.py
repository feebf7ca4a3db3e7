"""Asking without searching: a page, lists of pages, links, tags, the graph, completions."""
