"""Verbs that write text: new pages, additions, other text for a section."""
