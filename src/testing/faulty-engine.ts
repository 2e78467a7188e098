/** Injects a fault into the n-th call of any port of an engine, to check that runs end properly. */
import { PortError } from '../core/errors.ts';
import { type SearchEngine, wrapEngine } from '../search/engine.ts';

/**
 * `throw`: rejects with a `PortError`. `hang`: never settles, and ignores the signal. `nothing`:
 * returns the empty result of an engine without hits.
 */
export type Fault = 'throw' | 'hang' | 'nothing';

export interface Injected {
  readonly engine: SearchEngine;
  /** Returns true once the n-th call was made. */
  fired(): boolean;
}

/** Wraps an engine. Calls `onHang` when a call begins to hang, so that the test can abort it. */
export function faultyEngine(
  inner: SearchEngine,
  fault: Fault,
  at: number,
  onHang: () => void = () => {},
): Injected {
  let calls = 0;
  const engine = wrapEngine(inner, ({ definition, args, next }) => {
    if (++calls !== at) return next();
    if (fault === 'throw')
      return Promise.reject(new PortError('engine', 'down', 'The engine is down'));
    if (fault === 'nothing')
      return definition.nothing ? Promise.resolve(definition.nothing(...args)) : next();
    return new Promise(() => void Promise.resolve().then(onHang));
  });
  return { engine, fired: () => calls >= at };
}
