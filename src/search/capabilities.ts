/**
 * The capabilities that engines state, and the capabilities that strategies and retrievers require.
 */
import type { Filter } from '../core/corpus/filter.ts';
import { InputError } from '../core/errors.ts';
import type { Unit } from '../core/ranking/ranking.ts';
import type { FindPort, Port } from './ports.ts';

export type FilterOperation = Filter['op'];

export interface Capabilities {
  /** Units that can be searched and read. */
  readonly units: readonly Unit[];
  /** Filter operations that apply before top-k. */
  readonly filters: readonly FilterOperation[];
  /**
   * Lexical scorers: `any` for every member of `scorers`, with parameters given at query time; a
   * list of canonical names for an engine whose scorers are fixed, the first being its default.
   */
  readonly scorers: 'any' | readonly string[];
  /** Precision of searches in vector spaces; missing if there are none. */
  readonly vectorSearch?: 'exact' | 'approximate';
  /** Labels of the edges that the port `NEIGHBOURS` returns; missing if it is not served. */
  readonly edges?: readonly string[];
}

/** An engine that states its capabilities and serves optional ports by name. */
export interface CapableEngine {
  readonly capabilities: Capabilities;
  /** Returns an optional port, undefined if the engine does not serve it. */
  readonly port: FindPort;
}

/** Capabilities without which a strategy, retriever, context or reader cannot work. */
export interface Requirements {
  readonly ports?: readonly Pick<Port<object>, 'name' | 'summary'>[];
  readonly units?: readonly Unit[];
  readonly filters?: readonly FilterOperation[];
  readonly scorer?: string;
  /** `any` takes approximate search too. */
  readonly vectorSearch?: 'any' | 'exact';
  /** Labels of edges, all of them. */
  readonly edges?: readonly string[];
}

/** Returns the operations that a filter consists of. */
export function filterOperations(filter: Filter): FilterOperation[] {
  if (filter.op === 'and' || filter.op === 'or')
    return [...new Set([filter.op, ...filter.filters.flatMap(filterOperations)])];
  if (filter.op === 'not') return [...new Set([filter.op, ...filterOperations(filter.filter)])];
  return [filter.op];
}

/** Throws `InputError('missing-capability')` for the first requirement that the engine lacks. */
export function checkRequirements(
  who: string,
  requirements: Requirements,
  engine: CapableEngine,
): void {
  const lacking = firstLacking(requirements, engine);
  if (!lacking) return;
  throw new InputError('missing-capability', `${who} needs ${lacking.what}`, {
    expected: `an engine that serves ${lacking.what}`,
    received: lacking.received,
    hint: `Use an engine with this capability, such as the embedded one, or ${lacking.instead}.`,
  });
}

interface Lacking {
  readonly what: string;
  readonly received: string;
  readonly instead: string;
}

function firstLacking(
  { ports = [], units = [], filters = [], scorer, vectorSearch, edges = [] }: Requirements,
  engine: CapableEngine,
): Lacking | undefined {
  const has = engine.capabilities;
  const list = (names: readonly string[]): string => names.join(', ') || 'none';
  const port = ports.find(each => !engine.port(each as Port<object>));
  if (port)
    return {
      what: `the port "${port.name}" (${port.summary})`,
      received: 'an engine without it',
      instead: 'a strategy or retriever that does without',
    };
  const unit = units.find(each => !has.units.includes(each));
  if (unit)
    return {
      what: `${unit}s`,
      received: `an engine of the units ${list(has.units)}`,
      instead: 'another unit',
    };
  const filter = filters.find(each => !has.filters.includes(each));
  if (filter)
    return {
      what: `filters by "${filter}"`,
      received: `an engine that filters by ${list(has.filters)}`,
      instead: 'another filter',
    };
  if (scorer !== undefined && has.scorers !== 'any' && !has.scorers.includes(scorer))
    return {
      what: `the scorer "${scorer}"`,
      received: `an engine whose scorers are fixed to ${list(has.scorers)}`,
      instead: 'one of these scorers',
    };
  const edge = edges.find(each => !has.edges?.includes(each));
  if (edge !== undefined)
    return {
      what: `edges "${edge}" between items`,
      received: `an engine with edges ${list(has.edges ?? [])}`,
      instead: 'a strategy that follows no edges',
    };
  return vectorSearch && lackingSearch(vectorSearch, has.vectorSearch);
}

function lackingSearch(
  needed: 'any' | 'exact',
  has: Capabilities['vectorSearch'],
): Lacking | undefined {
  if (has === undefined)
    return {
      what: 'search in vector spaces',
      received: 'an engine without vector spaces',
      instead: 'a lexical retriever',
    };
  if (needed === 'exact' && has !== 'exact')
    return {
      what: 'exact search in vector spaces',
      received: 'an engine that searches them approximately',
      instead: 'a strategy that takes approximate search',
    };
  return undefined;
}

/** Returns the port, or throws `InputError('missing-capability')` on behalf of `who`. */
export function requirePort<Methods extends object>(
  engine: CapableEngine,
  port: Port<Methods>,
  who: string,
): Methods {
  checkRequirements(who, { ports: [port] }, engine);
  return engine.port(port)!;
}
