/**
 * Checks strategies that need a reranker: rejected without it, stopped by its failures, and charged
 * for every pair.
 */
import { InputError, PortError } from '../core/errors.ts';
import { addUsage, type Usage } from '../core/trace/usage.ts';
import { reranker } from '../models/ports.ts';
import type { Reranker } from '../models/reranker.ts';
import { resourcesOf } from '../models/resources.ts';
import type { SearchEngine } from '../search/engine.ts';
import type { Strategy } from '../strategies/strategy.ts';
import { holds, same, throws } from './law.ts';
import { runOf, type Script } from './strategy-run.ts';
import { checkTrace } from './trace-checks.ts';

/** Guards against endless laws: no fixture run calls a reranker this often. */
const MOST_CALLS = 500;

type Scores = Reranker['score'];
/**
 * Faults of a reranker, and the code of the failure that must end the run; undefined if it hangs
 * and the run is aborted.
 */
const FAULTS: readonly (readonly [
  what: string,
  code: string | undefined,
  fault: (inner: Scores) => Scores,
])[] = [
  [
    'down',
    'down',
    () => () => Promise.reject(new PortError('reranker', 'down', 'The reranker is down')),
  ],
  ['throws', 'failed', () => () => Promise.reject(new RangeError('deep'))],
  [
    'not a number',
    'not-finite',
    () => async (_, texts) => new Float32Array(texts.length).fill(Number.NaN),
  ],
  [
    'one score too many',
    'wrong-count',
    () => async (_, texts) => new Float32Array(texts.length + 1),
  ],
  ['no scores', 'wrong-count', () => async () => new Float32Array(0)],
  ['hangs', undefined, () => () => new Promise(() => {})],
];

const rerankersOf = ({ resources = {} }: Script): readonly Reranker[] =>
  resourcesOf(resources, reranker.name) as readonly Reranker[];

const withRerankers = (script: Script, rerankers: readonly Reranker[]): Script => ({
  ...script,
  resources: { ...script.resources, [reranker.name]: rerankers },
});

/** Checks that the reranker is resolved before anything is read or searched. */
export async function checkUnknownReranker(
  strategy: Strategy,
  { resources: _, ...script }: Script,
): Promise<void> {
  let calls = 0;
  const untouched = (): never => {
    calls++;
    throw new PortError('engine', 'touched', 'The engine was called');
  };
  const engine = new Proxy({} as SearchEngine, { get: () => untouched, has: () => false });
  await throws(
    () => runOf(strategy, { ...script, engine }),
    error => InputError.is(error) && error.code === 'missing-resource',
    `${strategy.name}, without rerankers`,
    'InputError missing-resource',
  );
  same(calls, 0, `${strategy.name}, calls of the engine`);
}

/** Injects each fault into the reranker's nth call, for every n that the run reaches. */
export async function checkRerankerFaults(strategy: Strategy, script: Script): Promise<void> {
  for (const [what, code, fault] of FAULTS) {
    for (let at = 1; at < MOST_CALLS; at++) {
      const controller = new AbortController();
      let calls = 0;
      const reached = (): void => {
        if (code === undefined) void Promise.resolve().then(() => controller.abort());
      };
      const rerankers = rerankersOf(script).map((inner): Reranker => {
        const score: Scores = (...asked) => inner.score(...asked);
        const broken = fault(score);
        return {
          id: inner.id,
          score: (...asked) => {
            if (++calls !== at) return score(...asked);
            reached();
            return broken(...asked);
          },
        };
      });
      const cut = await runOf(strategy, {
        ...withRerankers(script, rerankers),
        signal: controller.signal,
      });
      const where = `"${script.question.text}", the reranker's call ${at}: ${what}`;
      await checkTrace(cut, script.engine, where);
      if (calls < at) break;
      const { stopped } = cut.trace;
      if (code === undefined) same(stopped, { by: 'abort' }, `${where}, stopped`);
      else {
        holds(stopped?.by === 'failure', `${where}, stopped`, 'by a failure', stopped);
        same([stopped.port, stopped.code], ['reranker', code], `${where}, port and code`);
      }
    }
  }
}

/**
 * Checks that the trace and its hops count as many pairs as the rerankers received, and that no
 * call is empty.
 */
export async function checkPairs(strategy: Strategy, script: Script): Promise<void> {
  let pairs = 0;
  const rerankers = rerankersOf(script).map(
    (inner): Reranker => ({
      id: inner.id,
      score(query, texts, call) {
        holds(texts.length > 0, `"${script.question.text}"`, 'no call without texts', texts);
        pairs += texts.length;
        return inner.score(query, texts, call);
      },
    }),
  );
  const { trace } = await runOf(strategy, withRerankers(script, rerankers));
  same(trace.spent.rerankedPairs ?? 0, pairs, `"${script.question.text}", pairs`);
  const sum = trace.hops.reduce<Usage>((total, hop) => addUsage(total, hop.spent), {});
  same(sum.rerankedPairs ?? 0, pairs, `"${script.question.text}", pairs over all hops`);
}
