/**
 * Injects a fault into the n-th call of an engine, of whatever port, to check that runs end
 * properly.
 */
import { PortError } from '../errors.ts';
import { type SearchEngine, wrapEngine } from '../retrieval/engine.ts';

/**
 * `throw`: a port's error. `hang`: never settles, whatever its signal says. `nothing`: the answer of
 * an engine that finds nothing.
 */
export type Fault = 'throw' | 'hang' | 'nothing';

export interface Injected {
  readonly engine: SearchEngine;
  /** Returns true once the n-th call has come. */
  fired(): boolean;
}

/** Calls `onHang` when a call begins to hang: the moment to abort. */
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
