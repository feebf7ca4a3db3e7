"""Pieces of markdown's syntax that patterns in several modules are made of."""

import re

LIST_MARKER = r"(?:[-+*]|\d{1,9}[.)])"
ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")  # punctuation, and the backslash that makes it plain
ENTRY_ID = re.compile(r"(?:^|[ \t])\^m-[A-Za-z0-9]+[ \t]*$", re.MULTILINE)
CATALOG_BEGIN = "<!-- memwiki:catalog:begin -->"
