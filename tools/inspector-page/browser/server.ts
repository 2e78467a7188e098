/** Calls the server that this page came from: its only address. */
import type { Document } from '../../../src/core/corpus/document.ts';

const TOKEN = 'multihop-token';

export interface About {
  readonly documents: number;
  readonly strategies: readonly string[];
  readonly defaults: { readonly strategy: string };
}

/** A run that the server keeps. */
export interface TraceSummary {
  readonly id: string;
  readonly question: string;
  readonly strategy: string;
  readonly hops: number;
}

/** One event of a stream. */
export interface Sent {
  readonly event: string;
  readonly data: string;
}

/** A refusal of the server, with its status. */
export class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Takes the token out of the address, where a copied link or a screen would show it, and keeps it
 * for this tab.
 */
export function takeToken(): void {
  const given = new URLSearchParams(location.hash.slice(1));
  const token = given.get('token');
  if (token === null) return;
  setToken(token);
  given.delete('token');
  const rest = given.size > 0 ? `#${given}` : '';
  history.replaceState(null, '', `${location.pathname}${rest}`);
}

export const setToken = (token: string): void => sessionStorage.setItem(TOKEN, token);

async function call(path: string, request: RequestInit = {}): Promise<Response> {
  const token = sessionStorage.getItem(TOKEN);
  const headers = new Headers(request.headers);
  if (token !== null) headers.set('Authorization', `Bearer ${token}`);
  const response = await fetch(path, { ...request, headers });
  if (response.ok) return response;
  const { detail, hint } = (await response.json().catch(() => ({}))) as Record<string, string>;
  const words = [detail ?? `The server answered ${response.status}.`, hint].filter(Boolean);
  throw new Refused(response.status, words.join(' '));
}

const read = async <Value>(path: string): Promise<Value> =>
  (await (await call(path)).json()) as Value;

export const about = (): Promise<About> => read('/v1/about');

export const traces = async (): Promise<readonly TraceSummary[]> =>
  (await read<{ traces: readonly TraceSummary[] }>('/v1/traces')).traces;

export const trace = async (id: string): Promise<string> =>
  (await call(`/v1/traces/${encodeURIComponent(id)}`)).text();

/** Undefined for a document that the store no longer holds. */
export const readDocument = (id: string): Promise<Document | undefined> =>
  read<Document>(`/v1/documents/${encodeURIComponent(id)}`).catch(() => undefined);

/** Asks a question; the events arrive as the run goes. */
export async function* ask(
  body: { readonly question: string; readonly strategy: string },
  signal: AbortSignal,
): AsyncGenerator<Sent, void, void> {
  const headers = { 'Content-Type': 'application/json', Accept: 'text/event-stream' };
  const request = { method: 'POST', headers, body: JSON.stringify(body), signal };
  const response = await call('/v1/ask', request);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split('\n\n');
    rest = parts.pop()!;
    for (const part of parts) {
      const sent = eventOf(part);
      if (sent) yield sent;
    }
  }
}

function eventOf(part: string): Sent | undefined {
  const values = (name: string): string[] =>
    part
      .split('\n')
      .flatMap(line => (line.startsWith(`${name}: `) ? [line.slice(name.length + 2)] : []));
  const data = values('data');
  return data.length === 0 ? undefined : { event: values('event')[0] ?? '', data: data.join('\n') };
}
