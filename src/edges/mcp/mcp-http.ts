/**
 * Answers the Model Context Protocol over HTTP, each request by a server of its own: as the
 * revision 2026-07-28 has it, and without streams to listen on for the earlier ones.
 */
import type { Trace } from '../../trace/trace.ts';
import type { AnsweringStore } from '../server/answering-store.ts';
import { type McpOptions, McpServers } from './mcp-server.ts';
import { newSession, RunningCalls, SESSION_HEADER } from './running-calls.ts';
import { loadMcpSdk, type McpSdk } from './sdk.ts';

/** One request that passed the guards. */
export interface McpRequest {
  readonly request: Request;
  /** Its JSON; undefined for a request without one. */
  readonly body: unknown;
  readonly admit: McpOptions['admit'];
  readonly onRun: (trace: Trace) => void;
}

export interface McpHttpOptions {
  readonly store: AnsweringStore;
  readonly mostResult?: number;
  readonly log?: (line: string) => void;
}

export type McpFetch = (request: McpRequest) => Promise<Response>;

/** Throws `PortError('missing-package')` that says what to install. */
export async function mcpFetch(options: McpHttpOptions): Promise<McpFetch> {
  const sdk = await loadMcpSdk();
  const http = new McpHttp(sdk, options);
  return request => http.answer(request);
}

class McpHttp {
  private readonly sdk: McpSdk;
  private readonly servers: McpServers;
  private readonly options: McpHttpOptions;
  private readonly calls = new RunningCalls();

  constructor(sdk: McpSdk, options: McpHttpOptions) {
    this.sdk = sdk;
    this.servers = new McpServers(sdk);
    this.options = options;
  }

  async answer({ request, body, admit, onRun }: McpRequest): Promise<Response> {
    const { log } = this.options;
    const session = request.headers.get(SESSION_HEADER) ?? undefined;
    if (session !== undefined) for (const one of messagesOf(body)) this.calls.hear(session, one);
    const server = {
      ...{ ...this.options, admit, onRun },
      ...(session === undefined
        ? {}
        : { begin: (id: string | number) => this.calls.begin(session, id) }),
    };
    const handler = this.sdk.createMcpHandler(() => this.servers.server(server), {
      // Nothing of a store is announced, so that there is nothing to listen to.
      maxSubscriptions: 0,
      onerror: error => log?.(`MCP: ${error.message.slice(0, 200)}`),
    });
    const response = await handler.fetch(request, body === undefined ? {} : { parsedBody: body });
    return isGreeting(body) && response.ok ? withSession(response) : response;
  }
}

/** A body may be a list of messages. */
const messagesOf = (body: unknown): unknown[] =>
  (Array.isArray(body) ? body : [body]).filter(one => typeof one === 'object' && one !== null);

const isGreeting = (body: unknown): boolean =>
  messagesOf(body).some(one => (one as { readonly method?: unknown }).method === 'initialize');

function withSession(response: Response): Response {
  const { status, statusText, body } = response;
  const headers = new Headers(response.headers);
  headers.set(SESSION_HEADER, newSession());
  return new Response(body, { status, statusText, headers });
}
