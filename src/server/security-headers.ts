/** Headers that tell browsers what a response may do, and who may read it. */

/** Sent with every response that sets no other value. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

/** Headers of clients of the Model Context Protocol. */
const MCP_HEADERS = 'mcp-session-id, mcp-protocol-version, mcp-method, mcp-name, last-event-id';

/** Returns the headers for a page of an allowed origin; undefined for any other request. */
export function corsHeaders(
  request: Request,
  origins: readonly string[],
): Record<string, string> | undefined {
  const origin = request.headers.get('origin');
  if (origin === null || !origins.includes(origin)) return undefined;
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE',
    'Access-Control-Allow-Headers': `authorization, content-type, ${MCP_HEADERS}`,
    'Access-Control-Expose-Headers': 'x-trace-id, retry-after, mcp-session-id',
    'Access-Control-Max-Age': '600',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    Vary: 'Origin',
  };
}
