/**
 * An engine that fails, hangs or comes back empty-handed at its n-th call, to check that a run ends
 * properly wherever the world gives way.
 */
import { PortError } from '../errors.ts';
import type { SearchEngine } from '../retrieval/engine.ts';

/**
 * `throw`: a port's error. `hang`: never settles, whatever its signal says. `nothing`: no hits, no
 * values.
 */
export type Fault = 'throw' | 'hang' | 'nothing';

export interface Injected {
  readonly engine: SearchEngine;
  /** Whether the n-th call has come. */
  fired(): boolean;
}

/** `onHang` is told when a call begins to hang: the moment to abort. */
export function faultyEngine(
  inner: SearchEngine,
  fault: Fault,
  at: number,
  onHang: () => void = () => {},
): Injected {
  let calls = 0;
  const tried = <T>(work: () => Promise<T>, nothing: T | undefined): Promise<T> => {
    if (++calls !== at) return work();
    if (fault === 'throw')
      return Promise.reject(new PortError('engine', 'down', 'The engine is down'));
    if (fault === 'nothing') return nothing === undefined ? work() : Promise.resolve(nothing);
    return new Promise<T>(() => void Promise.resolve().then(onHang));
  };
  const engine: SearchEngine = {
    search: (request, call) =>
      tried(
        () => inner.search(request, call),
        request.queries.map(() => []),
      ),
    vectors: (unit, ids, space, call) =>
      tried(() => inner.vectors(unit, ids, space, call), undefined),
    scores: (unit, ids, vectors, space, call) =>
      tried(() => inner.scores(unit, ids, vectors, space, call), undefined),
    queryVectors: (unit, texts, space, call) =>
      tried(
        () => inner.queryVectors(unit, texts, space, call),
        texts.map(() => undefined),
      ),
    read: ((unit: 'document', ids: readonly string[], call: Parameters<SearchEngine['read']>[2]) =>
      tried(() => inner.read(unit, ids, call), undefined)) as SearchEngine['read'],
    parts: (unit, ids, call) => tried(() => inner.parts(unit, ids, call), undefined),
    values: (field, call) => tried(() => inner.values(field, call), []),
    fields: call => tried(() => inner.fields(call), []),
    explain: (request, call) => tried(() => inner.explain(request, call), undefined),
  };
  return { engine, fired: () => calls >= at };
}
