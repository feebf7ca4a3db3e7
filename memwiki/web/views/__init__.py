"""What each page shows: a question to the workspace, its answer into a template."""
