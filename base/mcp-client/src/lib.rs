//! MCP client over Streamable HTTP on the official SDK.
