/** Answers requests: guards, limits and routes, as a function from `Request` to `Response`. */
import { type Context, Hono } from 'hono';
import { monotonicClock } from '../clock.ts';
import { Admission } from './admission.ts';
import type { AnsweringStore } from './answering-store.ts';
import { type CheckInput, checkedInput, queryValues } from './checked-input.ts';
import { type GuardOptions, guard } from './guards.ts';
import { Metrics } from './metrics.ts';
import { openApi } from './openapi.ts';
import { isBug, problemResponse, Refusal } from './problem.ts';
import { RateLimit } from './rate-limit.ts';
import { readJson } from './read-body.ts';
import { json, type Route, type RouteCall, type Streamed } from './route.ts';
import { ROUTES } from './routes.ts';
import { corsHeaders, SECURITY_HEADERS } from './security-headers.ts';

export interface AppLimits {
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
  ...{ concurrent: 32, queue: 64, perMinute: 6000 },
  ...{ questionBytes: 1024 * 1024, documentBytes: 16 * 1024 * 1024 },
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
  private stopping = false;

  constructor(options: AppOptions) {
    this.options = options;
    this.limits = { ...APP_LIMITS, ...options.limits };
    this.admission = new Admission(this.limits);
    this.rate = new RateLimit(this.limits.perMinute);
    for (const route of ROUTES) this.add(route);
    this.addOpen();
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
    this.options.log?.(`${request.method} ${path} ${response.status} ${seconds.toFixed(3)} s`);
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
      response = this.failed(error);
    }
    for (const [name, value] of Object.entries({ ...SECURITY_HEADERS, ...cors }))
      if (!response.headers.has(name)) response.headers.set(name, value);
    return response;
  }

  private failed(error: unknown): Response {
    if (isBug(error))
      this.options.log?.(error instanceof Error ? (error.stack ?? '') : String(error));
    return problemResponse(error);
  }

  private add(route: Route): void {
    const check = route.body ? checkedInput(route.body) : undefined;
    const query = route.query ? checkedInput(route.query) : undefined;
    // An id may hold slashes.
    const path = route.path.replace(/\{(\w+)\}/g, ':$1{.+}');
    this.hono.on(route.method, path, async context => {
      let response: Response;
      try {
        response = await this.routed(route, context, { check, query });
      } catch (error) {
        response = this.failed(error);
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
    guard(request, route.access, this.options);
    this.rate.take(client);
    const most = this.limits[`${route.bodyOf ?? 'question'}Bytes`];
    const search = new URL(request.url).searchParams;
    const input = check
      ? check(await readJson(request, most))
      : query?.(queryValues(search, route.query!));
    const call: RouteCall = {
      ...{ request, input, params: context.req.param() as Record<string, string> },
      ...{ store: this.options.store, signal: request.signal },
      onRun: trace => this.metrics.run(trace),
    };
    return route.works ? this.admitted(route, call, client) : whole(await route.answer(call));
  }

  /** Holds a place from the start of the work to its end, which may come after the response. */
  private async admitted(route: Route, call: RouteCall, client: string): Promise<Response> {
    if (this.stopping) throw new Refusal(503, 'shutting-down', 'The server is shutting down');
    const leave = await this.admission.enter(client, call.signal);
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

  private addOpen(): void {
    const open = (
      path: string,
      answer: () => Promise<Response> | Response,
      access: 'open' | 'token',
    ): void => {
      this.hono.get(path, async context => {
        try {
          guard(context.req.raw, access, this.options);
          return await answer();
        } catch (error) {
          return this.failed(error);
        }
      });
    };
    open('/health', () => json({ status: 'ok' }), 'open');
    open('/ready', () => this.ready(), 'open');
    open('/openapi.json', () => json(openApi(ROUTES)), 'open');
    open('/metrics', () => this.counted(), 'token');
  }

  private async ready(): Promise<Response> {
    if (this.stopping) throw new Refusal(503, 'shutting-down', 'The server is shutting down');
    return json({ status: 'ready', documents: await this.options.store.count() });
  }

  private async counted(): Promise<Response> {
    const { running, waiting } = this.admission.load;
    const gauges = {
      ...{ multihop_running: running, multihop_waiting: waiting },
      multihop_documents: await this.options.store.count(),
    };
    const headers = { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' };
    return new Response(this.metrics.text(gauges), { headers });
  }

  private page(context: Context): Response {
    const { raw: request } = context.req;
    try {
      guard(request, 'open', this.options);
      const path = new URL(request.url).pathname;
      const found = request.method === 'GET' ? this.options.page?.(path) : undefined;
      if (found) return found;
      throw new Refusal(
        404,
        'unknown-route',
        `There is no ${request.method} ${path.slice(0, 200)}: see /openapi.json`,
      );
    } catch (error) {
      return this.failed(error);
    }
  }
}

/** Names the route of a response until it is counted; it is not sent. */
const ROUTE_HEADER = 'X-Multihop-Route';

const whole = (answer: Response | Streamed): Response =>
  answer instanceof Response ? answer : answer.response;
