// All that needs the library for MCP: a bundle of its own (dist/mcp.js), loaded by those who serve tools.
export { mcpOverHttp } from './http.ts'
export { serveTools } from './stdio.ts'
