"""The YAML of a front matter opened for editing: nodes with their places, and how values are
written."""
