/**
 * Answers the Model Context Protocol over HTTP, each request by a new server: as the
 * revision 2026-07-28 has it, and without streams to listen on for the earlier ones.
 */
import { InputError } from '../core/errors.ts';
import type { Trace } from '../core/trace/trace.ts';
import { terminalJson } from '../platform/terminal-json.ts';
import type { AnsweringStore } from '../session/requests/answering-store.ts';
import { type McpOptions, McpServers } from './mcp-server.ts';
import { newSession, type RunningCall, RunningCalls, SESSION_HEADER } from './running-calls.ts';
import { loadMcpSdk, type McpSdk } from './sdk.ts';
import type { Reporting } from './tool-result.ts';

/** Messages in one request. */
const MOST_MESSAGES = 20;

/** One request that passed the guards. */
export interface McpRequest {
  readonly request: Request;
  /** Its JSON; undefined for a request without a body. */
  readonly body: unknown;
  readonly admit: McpOptions['admit'];
  readonly onRun: (trace: Trace) => void;
}

export interface McpHttpOptions extends Reporting {
  readonly store: AnsweringStore;
  readonly mostResult?: number;
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
    checkNumber(body);
    const session = request.headers.get(SESSION_HEADER) ?? undefined;
    if (session !== undefined)
      for (const message of messagesOf(body)) this.calls.hear(session, message);
    const begin = (id: string | number): RunningCall => this.calls.begin(session!, id);
    const isSession = session !== undefined;
    const server = { ...this.options, admit, onRun, begin: isSession ? begin : undefined };
    const errors: Error[] = [];
    const handler = this.sdk.createMcpHandler(() => this.servers.server(server), {
      // Nothing of a store is announced, so that there is nothing to listen to.
      maxSubscriptions: 0,
      onerror: error => errors.push(error),
    });
    const response = await handler.fetch(request, body === undefined ? {} : { parsedBody: body });
    // Refused requests are answered, and may hold what no log should.
    if (response.status >= 500) for (const { stack = '' } of errors) log?.(stack);
    return sent(response, isGreeting(body) && response.ok);
  }
}

/** Throws `InputError('bad-request')`: a short body could ask for very many results. */
function checkNumber(body: unknown): void {
  if (!Array.isArray(body) || body.length <= MOST_MESSAGES) return;
  throw new InputError('bad-request', 'The body', {
    expected: `a message, or a list of at most ${MOST_MESSAGES}`,
    received: `${body.length} messages`,
  });
}

/** A body may be a list of messages. */
const messagesOf = (body: unknown): unknown[] =>
  (Array.isArray(body) ? body : [body]).filter(
    message => typeof message === 'object' && message !== null,
  );

const isGreeting = (body: unknown): boolean =>
  messagesOf(body).some(
    message => (message as { readonly method?: unknown }).method === 'initialize',
  );

/** Escapes what terminals act on, and names a session in the answer to a greeting. */
function sent(response: Response, greets: boolean): Response {
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  if (greets) headers.set(SESSION_HEADER, newSession());
  const escaping = new TransformStream<string, string>({
    transform: (text, controller) => controller.enqueue(terminalJson(text)),
  });
  const body = response.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(escaping)
    .pipeThrough(new TextEncoderStream());
  return new Response(body ?? null, { status, statusText, headers });
}
