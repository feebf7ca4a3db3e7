"""Making a folder a workspace, and finding workspaces: around a folder, or by their names."""
