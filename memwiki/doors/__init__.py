"""Doors: the MCP server, by which agents and other programs meet a workspace; the only home of the
protocol's library. They decide nothing about content."""
