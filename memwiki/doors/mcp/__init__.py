"""The MCP server: tables of tools over stdio or HTTP; the only home of the protocol's library."""
