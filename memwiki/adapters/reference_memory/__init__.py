"""The tools of the reference MCP memory server over `workspace.knowledge`, as published."""
