"""One module a kind of source: whether a source is of it, and what it becomes here."""
