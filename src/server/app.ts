/** Answers requests: guards, limits and routes, as a function from `Request` to `Response`. */
import { type Context, Hono } from 'hono';
import { monotonicClock } from '../platform/clock.ts';
import { Admission } from '../session/requests/admission.ts';
import type { AnsweringStore } from '../session/requests/answering-store.ts';
import { type CheckInput, checkedInput, coerced } from '../session/requests/checked-input.ts';
import { isBug, problemOf, Refusal } from '../session/requests/problem.ts';
import { type Redact, secretRedaction } from '../session/requests/redact.ts';
import { STREAM_LIMITS, type StreamLimits } from './event-stream.ts';
import { type Access, type GuardOptions, guard } from './guards.ts';
import { McpMount } from './mcp-mount.ts';
import { Metrics } from './metrics.ts';
import { openApi } from './openapi.ts';
import { problemResponse } from './problem-response.ts';
import { RateLimit } from './rate-limit.ts';
import { readJson } from './read-body.ts';
import { json, type Route, type RouteCall, type Streamed } from './route.ts';
import { ROUTES } from './routes.ts';
import { corsHeaders, SECURITY_HEADERS } from './security-headers.ts';

export interface AppLimits extends StreamLimits {
  /** Runs at once, and requests that wait for a place. */
  readonly concurrent: number;
  readonly queue: number;
  /** Requests a minute of one client. */
  readonly perMinute: number;
  /** Bytes of the body of a question, and of documents. */
  readonly questionBytes: number;
  readonly documentBytes: number;
}

export const APP_LIMITS: AppLimits = {
  concurrent: 32,
  queue: 64,
  perMinute: 6000,
  questionBytes: 1024 * 1024,
  documentBytes: 16 * 1024 * 1024,
  ...STREAM_LIMITS,
};

type OwnPath = '/health' | '/ready' | '/openapi.json' | '/metrics';

/** Routes beside those of OpenAPI. Probes are not counted as requests of a client. */
export const OWN_ROUTES: Readonly<Record<OwnPath, { access: Access; limited: boolean }>> = {
  '/health': { access: 'open', limited: false },
  '/ready': { access: 'open', limited: false },
  '/openapi.json': { access: 'open', limited: true },
  '/metrics': { access: 'token', limited: true },
};

export interface AppOptions extends GuardOptions {
  readonly store: AnsweringStore;
  readonly limits?: Partial<AppLimits>;
  /** Receives one line a request, and the stack of a bug. */
  readonly log?: (line: string) => void;
  /** Serves the page beside `/v1`, without a token; undefined for other paths. */
  readonly page?: (path: string) => Response | undefined;
}

/** Facts of a request that stand beside it. */
export interface Sender {
  /** Identifies the client for limits: its address. */
  readonly client?: string;
}

export class App {
  readonly admission: Admission;
  private readonly options: AppOptions;
  private readonly limits: AppLimits;
  private readonly rate: RateLimit;
  private readonly metrics = new Metrics();
  private readonly hono = new Hono<{ Bindings: Sender }>();
  private readonly mcp: McpMount;
  private readonly redact: Redact;
  private readonly log: (line: string) => void;
  private stopping = false;

  constructor(options: AppOptions) {
    const { store, token, log = () => {} } = options;
    this.options = options;
    const hide = secretRedaction(token);
    this.redact = text => hide(store.redact(text));
    this.log = line => log(hide(line));
    this.limits = { ...APP_LIMITS, ...options.limits };
    this.admission = new Admission(this.limits);
    this.rate = new RateLimit(this.limits.perMinute);
    this.mcp = new McpMount({
      store,
      log: this.log,
      redact: this.redact,
      enter: (client, signal) => this.enter(client, signal),
      onRun: trace => this.metrics.run(trace),
    });
    for (const route of ROUTES) this.add(route);
    this.addOwn();
    this.addMcp();
    this.hono.notFound(context => this.page(context));
  }

  /** Answers a request; never rejects. */
  async handle(request: Request, sender: Sender = {}): Promise<Response> {
    const started = monotonicClock();
    const response = await this.answered(request, sender);
    const seconds = (monotonicClock() - started) / 1000;
    const route = response.headers.get(ROUTE_HEADER) ?? 'none';
    this.metrics.request(route, response.status, seconds);
    const path = new URL(request.url).pathname;
    this.log(`${request.method} ${path} ${response.status} ${seconds.toFixed(3)} s`);
    response.headers.delete(ROUTE_HEADER);
    return response;
  }

  /** Refuses new runs from here on. */
  stop(): void {
    this.stopping = true;
  }

  private async answered(request: Request, sender: Sender): Promise<Response> {
    const cors = corsHeaders(request, this.options.origins ?? []);
    if (request.method === 'OPTIONS' && cors)
      return new Response(null, { status: 204, headers: cors });
    let response: Response;
    try {
      response = await this.hono.fetch(request, sender);
    } catch (error) {
      response = this.failed(error, request);
    }
    for (const [name, value] of Object.entries({ ...SECURITY_HEADERS, ...cors }))
      if (!response.headers.has(name)) response.headers.set(name, value);
    return response;
  }

  private failed(error: unknown, { signal }: Request): Response {
    // A run ends in whatever error its client's disconnect causes; the answer is not sent.
    if (signal.aborted) return problemResponse(new Refusal(503, 'aborted', 'The client is gone'));
    if (isBug(error)) this.log(error instanceof Error ? (error.stack ?? '') : String(error));
    return problemResponse(error, this.redact);
  }

  private add(route: Route): void {
    const check = route.body ? checkedInput(route.body) : undefined;
    const query = route.query ? checkedInput(route.query) : undefined;
    // An id may hold slashes and line ends.
    const path = route.path.replace(/\{(\w+)\}/g, ':$1{[\\s\\S]+}');
    this.hono.on(route.method, path, async context => {
      let response: Response;
      try {
        response = await this.routed(route, context, { check, query });
      } catch (error) {
        response = this.failed(error, context.req.raw);
      }
      response.headers.set(ROUTE_HEADER, `${route.method} ${route.path}`);
      return response;
    });
  }

  private async routed(
    route: Route,
    context: Context<{ Bindings: Sender }>,
    {
      check,
      query,
    }: { readonly check?: CheckInput | undefined; readonly query?: CheckInput | undefined },
  ): Promise<Response> {
    const { raw: request } = context.req;
    const client = context.env.client ?? 'unknown';
    guard(request, { access: route.access, reads: route.body !== undefined }, this.options);
    this.rate.take(client);
    // A body that would be refused is not read: under a flood, reading costs more than refusing.
    if (route.works) this.admission.checkRoom(client);
    const most = this.limits[`${route.bodyOf ?? 'question'}Bytes`];
    const search = new URL(request.url).searchParams;
    const input = check
      ? check(await readJson(request, most))
      : query?.(coerced(Object.fromEntries(search), route.query!));
    const call: RouteCall = {
      request,
      input,
      params: context.req.param() as Record<string, string>,
      store: this.options.store,
      signal: request.signal,
      streams: this.limits,
      onRun: trace => this.metrics.run(trace),
      problemOf: error => problemOf(error, this.redact),
    };
    return route.works ? this.admitted(route, call, client) : whole(await route.answer(call));
  }

  /** Holds a place from the start of the work to its end, which may come after the response. */
  private async admitted(route: Route, call: RouteCall, client: string): Promise<Response> {
    const leave = await this.enter(client, call.signal);
    try {
      const answer = await route.answer(call);
      if (answer instanceof Response) leave();
      else void answer.ended.finally(leave);
      return whole(answer);
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** The protocol defines its statuses and errors: it is no route of OpenAPI. */
  private addMcp(): void {
    this.hono.on(['GET', 'POST', 'DELETE'], MCP_PATH, async context => {
      const { raw: request } = context.req;
      let response: Response;
      try {
        response = await this.overMcp(request, context.env.client ?? 'unknown');
      } catch (error) {
        response = this.failed(error, request);
      }
      response.headers.set(ROUTE_HEADER, `${request.method} ${MCP_PATH}`);
      return response;
    });
  }

  private async overMcp(request: Request, client: string): Promise<Response> {
    const isPost = request.method === 'POST';
    guard(request, { access: 'token', reads: isPost }, this.options);
    this.rate.take(client);
    const body = isPost ? await readJson(request, this.limits.questionBytes) : undefined;
    return this.mcp.answer({ request, body, client });
  }

  private enter(client: string, signal: AbortSignal): Promise<() => void> {
    if (this.stopping) throw new Refusal(503, 'shutting-down', 'The server is shutting down');
    return this.admission.enter(client, signal);
  }

  private addOwn(): void {
    const answers: Readonly<Record<OwnPath, () => Promise<Response> | Response>> = {
      '/health': () => json({ status: 'ok' }),
      '/ready': () => this.ready(),
      '/openapi.json': () => json(openApi(ROUTES)),
      '/metrics': () => this.counted(),
    };
    for (const [path, { access, limited }] of Object.entries(OWN_ROUTES))
      this.hono.get(path, async context => {
        const { raw: request } = context.req;
        try {
          guard(request, { access }, this.options);
          if (limited) this.rate.take(context.env.client ?? 'unknown');
          return await answers[path as OwnPath]();
        } catch (error) {
          return this.failed(error, request);
        }
      });
  }

  private async ready(): Promise<Response> {
    if (this.stopping) throw new Refusal(503, 'shutting-down', 'The server is shutting down');
    return json({ status: 'ready', documents: await this.options.store.ready() });
  }

  private async counted(): Promise<Response> {
    const { running, waiting } = this.admission.load;
    const gauges = {
      multihop_running: running,
      multihop_waiting: waiting,
      // A store that is gone must not hide the counts of what failed for it.
      multihop_documents: await this.options.store.ready().catch(() => Number.NaN),
    };
    const headers = { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' };
    return new Response(this.metrics.text(gauges), { headers });
  }

  private page(context: Context<{ Bindings: Sender }>): Response {
    const { raw: request } = context.req;
    try {
      guard(request, { access: 'open' }, this.options);
      this.rate.take(context.env.client ?? 'unknown');
      const path = new URL(request.url).pathname;
      const found = request.method === 'GET' ? this.options.page?.(path) : undefined;
      if (found) return found;
      throw new Refusal(
        404,
        'unknown-route',
        `There is no ${request.method} ${path.slice(0, 200)}: see /openapi.json`,
      );
    } catch (error) {
      return this.failed(error, request);
    }
  }
}

export const MCP_PATH = '/mcp';

/** Names the route of a response until it is counted; it is not sent. */
const ROUTE_HEADER = 'X-Multihop-Route';

const whole = (answer: Response | Streamed): Response =>
  answer instanceof Response ? answer : answer.response;
