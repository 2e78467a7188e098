/** Declares a route: what OpenAPI says of it, and the function that answers it. */
import type { Trace } from '../core/trace/trace.ts';
import { terminalJson } from '../platform/terminal-json.ts';
import type { AnsweringStore } from '../session/requests/answering-store.ts';
import type { Problem } from '../session/requests/problem.ts';
import type { Schema } from '../session/requests/schema.ts';
import type { StreamLimits } from './event-stream.ts';
import type { Access } from './guards.ts';

/** A response whose work goes on after its head was sent. */
export interface Streamed {
  readonly response: Response;
  /** Settles once the work has ended; never rejects. */
  readonly ended: Promise<void>;
}

export interface RouteCall<Input = unknown> {
  readonly request: Request;
  readonly store: AnsweringStore;
  /** Checked by `body`, or by `query`. */
  readonly input: Input;
  /** Parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
  readonly streams: StreamLimits;
  /** Words an error for the client. */
  problemOf(error: unknown): Problem;
  /** Called with every finished run. */
  onRun(trace: Trace): void;
}

export interface Answered {
  readonly type: 'application/json' | 'application/jsonl' | 'text/event-stream' | 'text/plain';
  readonly schema?: Schema;
  readonly description: string;
}

/** `Input`: what the schema of its body or query describes. */
export interface Route<Input = unknown> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With parameters in braces: `/v1/documents/{id}`. */
  readonly path: string;
  /** Name of the operation, unique. */
  readonly id: string;
  readonly summary: string;
  readonly access: Access;
  /** Waits for a place among the runs. */
  readonly works?: boolean;
  readonly body?: Schema<Input>;
  /** Bytes of the largest body; that of questions if undefined. */
  readonly bodyOf?: 'question' | 'document';
  readonly query?: Schema<Input>;
  readonly answers: readonly Answered[];
  answer(call: RouteCall<Input>): Promise<Response | Streamed> | Response;
}

/** Types the input of a route by its schema. */
export const route = <Input>(typed: Route<Input>): Route => typed as Route;

const TEXT = Symbol('text');

/** Returns a response whose text is known, so that it can be sent without reading its body. */
export function textResponse(text: string, init: ResponseInit): Response {
  return Object.defineProperty(new Response(text, init), TEXT, { value: text });
}

/** Returns the text of a response that `textResponse` made; undefined of any other. */
export const textOf = (response: Response): string | undefined =>
  (response as { readonly [TEXT]?: string })[TEXT];

export const json = (value: unknown, headers: Readonly<Record<string, string>> = {}): Response =>
  textResponse(terminalJson(JSON.stringify(value)), {
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
  });

/** Tells whether the client prefers a media type that it names to JSON. */
export function accepts(request: Request, type: string): boolean {
  const header = request.headers.get('accept') ?? '';
  const rank = (media: string): number => {
    const part = header.split(',').find(range => range.split(';')[0]!.trim() === media);
    return part === undefined ? 0 : Number(/;\s*q=([\d.]+)/.exec(part)?.[1] ?? 1);
  };
  return rank(type) > 0 && rank(type) >= rank('application/json');
}
