/**
 * Reads what servers of chat completions send in other forms than the one that was asked for: whole
 * JSON for a stream, a stream for whole JSON, events without a finish reason, errors of any shape.
 */
import { parseJson } from '../core/text/bounded-json.ts';
import { reportedError } from './reported-error.ts';

interface Choice {
  readonly message?: object;
  readonly delta?: Readonly<Record<string, unknown>>;
  readonly finish_reason?: unknown;
}
interface Answer {
  readonly choices?: readonly Choice[];
  readonly usage?: unknown;
}

/** Matches the beginning of a body that is no stream of events: JSON, or a page of HTML. */
const WHOLE = /^[{["<]/;
/** Matches a finish reason; in a text of JSON its quotes would be escaped. */
const FINISH = /"finish_reason"\s*:\s*"/;
const DONE = '[DONE]';
/** The reason of an answer that ends without one; the text is complete anyway. */
const NO_REASON = 'other';

/** Returns the bytes of a stream that the SDK reads. Throws the error of `unreadable`. */
export async function* chatEvents(
  pieces: AsyncIterable<Uint8Array>,
  unreadable: (text: string) => Error,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder();
  const lines = new EventLines();
  let form: 'unknown' | 'whole' | 'events' = 'unknown';
  let text = '';
  for await (const piece of pieces) {
    text += decoder.decode(piece, { stream: true });
    if (form === 'unknown' && text.trim() !== '')
      form = WHOLE.test(text.trimStart()) ? 'whole' : 'events';
    if (form !== 'events') continue;
    yield Buffer.from(lines.push(text));
    text = '';
  }
  if (form === 'whole') yield Buffer.from(eventsOf(text, unreadable));
  else yield Buffer.from(lines.push(text + decoder.decode()) + lines.end());
}

/** Rewrites a stream of events line by line. */
class EventLines {
  /** A line that has not ended. */
  private rest = '';
  private begun = false;
  private finished = false;

  push(text: string): string {
    const lines = (this.rest + text).split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop()!;
    return lines.map(line => `${this.rewritten(line)}\n`).join('');
  }

  /** The last line may be complete without its end; a part of one stays a part. */
  end(): string {
    const data = dataOf(this.rest);
    const isComplete = data === DONE || (data !== undefined && parsed(data) !== undefined);
    return isComplete ? `${this.rewritten(this.rest)}\n` : this.rest;
  }

  private rewritten(line: string): string {
    const data = dataOf(line);
    if (data === undefined) return line;
    if (data === DONE) return `${this.begun && !this.finished ? ENDED : ''}data: ${DONE}\n`;
    this.begun ||= data.includes('"delta"');
    this.finished ||= FINISH.test(data);
    // Each line of a chunk is an event, also where the blank line between events is missing.
    return isWhole(data) ? `data: ${JSON.stringify(errorIn(data)) ?? data}\n` : line;
  }
}

const DATA = 'data:';

/** Returns the data of a line of an event. */
const dataOf = (line: string): string | undefined =>
  line.startsWith(DATA) ? line.slice(DATA.length).trim() : undefined;
const isWhole = (data: string): boolean => data.startsWith('{') && data.endsWith('}');

/** Returns the error of an event in the shape that the SDK reads. */
function errorIn(data: string): object | undefined {
  if (data.includes('"choices"') && !data.includes('"error"')) return undefined;
  const error = reportedError(parsed(data));
  return error && { error: { message: error.words, code: error.status } };
}

/** Returns a whole answer as events. */
function eventsOf(text: string, unreadable: (text: string) => Error): string {
  const answer = parsed(text) as Answer | undefined;
  const error = reportedError(answer);
  if (error) return eventOf({ error: { message: error.words, code: error.status } });
  const [first] = Array.isArray(answer?.choices) ? (answer.choices as (Choice | null)[]) : [];
  const delta = first?.message ?? first?.delta;
  if (!delta) throw unreadable(text);
  const choices = [{ delta, finish_reason: first?.finish_reason ?? NO_REASON }];
  return `${eventOf({ ...answer, choices })}data: [DONE]\n\n`;
}

/**
 * Returns a stream of events as one answer, and any other text as it is. Throws the error of
 * `unreadable` for a page.
 */
export function wholeAnswer(text: string, unreadable: (text: string) => Error): string {
  if (/^\s*</.test(text)) throw unreadable(text);
  if (!/^(?:\uFEFF?(?:data|event|id|retry)?:|\s)/.test(text) || !text.includes('data:'))
    return text;
  const datas = text.split(/\r\n|\n|\r/).map(line => dataOf(line) ?? '');
  const chunks = datas.filter(isWhole).map(data => (errorIn(data) ?? parsed(data) ?? {}) as Answer);
  const failed = chunks.find(chunk => 'error' in chunk);
  const parts = chunks.flatMap(({ choices = [] }) => choices);
  const begun = parts.some(({ delta }) => delta);
  const ended = datas.includes(DONE) || parts.some(({ finish_reason }) => finish_reason);
  if (failed || !begun || !ended) return JSON.stringify(failed ?? {});
  const joined = (name: string): string =>
    parts.map(({ delta }) => (typeof delta?.[name] === 'string' ? delta[name] : '')).join('');
  const message = { role: 'assistant', content: joined('content') };
  const finish = parts.map(({ finish_reason }) => finish_reason).find(reason => reason);
  const usage = chunks.map(chunk => chunk.usage).findLast(counts => counts);
  return JSON.stringify({ choices: [{ message, finish_reason: finish ?? NO_REASON }], usage });
}

const eventOf = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
const ENDED = eventOf({ choices: [{ delta: {}, finish_reason: NO_REASON }] });

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
