/** Loads the SDK of the Model Context Protocol, an optional peer. */
import { loadPackage } from '../platform/optional-package.ts';

export type McpSdk = typeof import('@modelcontextprotocol/server');
export type McpStdio = typeof import('@modelcontextprotocol/server/stdio');
export type Server = InstanceType<McpSdk['Server']>;
export type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';

const NAME = '@modelcontextprotocol/server';
const PACKAGE = { name: NAME, user: 'MCP servers' };

/** Throws `PortError('missing-package' | 'broken-package')` that says what to install. */
export const loadMcpSdk = async (): Promise<McpSdk> =>
  (await loadPackage('mcp', PACKAGE)) as McpSdk;

/** Throws as `loadMcpSdk` does. */
export const loadMcpStdio = async (): Promise<McpStdio> =>
  (await loadPackage('mcp', { ...PACKAGE, entry: `${NAME}/stdio` })) as McpStdio;
