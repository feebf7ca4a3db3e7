"""The cards: what the index knows about each page, and all SQL that asks for it."""
