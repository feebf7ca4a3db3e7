"""The forms in which other programs write pages and call their files; pure."""
