/**
 * Declares the run of an agent of another library, as each reader of traces hands it over: steps
 * that search, what the searches returned, and the answer. Written as a line of JSON it is the
 * format `runs`.
 */

/** A document that a tool returned, or a passage of one, as far as the trace says. */
export interface AgentHit {
  /** Id of the document. */
  readonly document?: string;
  readonly title?: string;
  readonly text?: string;
  readonly score?: number;
}

/** A call of a tool that searches. */
export interface AgentSearch {
  readonly tool: string;
  readonly query?: string;
  readonly hits: readonly AgentHit[];
}

/** A call of the model and the searches that it asked for; the last one may ask for none. */
export interface AgentHop {
  /** Words of the model beside its calls of tools. */
  readonly reason?: string;
  readonly searches: readonly AgentSearch[];
  readonly modelCalls?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Milliseconds from the beginning of the run to the end of this hop. */
  readonly ms?: number;
}

export interface AgentRun {
  /** Id of its question. */
  readonly id?: string;
  /** Missing in traces that hold calls of tools alone. */
  readonly question?: string;
  /** Names the agent. */
  readonly agent?: string;
  readonly hops: readonly AgentHop[];
  /** Missing if the trace does not hold it; empty if the agent said nothing. */
  readonly answer?: string;
  readonly ms?: number;
}

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the fields of a value; none if it is no object. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns the first of the named fields that is a text or a number, as a text. */
export function textOf(value: unknown, ...names: readonly string[]): string | undefined {
  const fields = fieldsOf(value);
  for (const name of names) {
    const found = Object.hasOwn(fields, name) ? fields[name] : undefined;
    // Half of a surrogate pair is in no text that a trace may hold.
    if (typeof found === 'string') return found.toWellFormed();
    if (typeof found === 'number' && Number.isFinite(found)) return String(found);
  }
  return undefined;
}

/** Returns the first of the named fields that is a finite number of at least 0. */
export function amountOf(value: unknown, ...names: readonly string[]): number | undefined {
  const fields = fieldsOf(value);
  const found = names.map(name => fields[name]).find(amount => Number.isFinite(amount));
  return typeof found === 'number' && found >= 0 ? found : undefined;
}
