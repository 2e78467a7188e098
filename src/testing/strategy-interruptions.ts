/**
 * Interrupts a strategy at every point: by each limit, by the clock, by an engine that fails, hangs
 * or returns nothing, and by a caller that stops reading events.
 */

import { PortError } from '../core/errors.ts';
import { mulberry32 } from '../core/mulberry32.ts';
import { needOf } from '../core/port.ts';
import { keptInOrder } from '../core/trace/evidence-order.ts';
import type { Trace } from '../core/trace/trace.ts';
import type { Budget, LimitName } from '../core/trace/usage.ts';
import type { LanguageModel } from '../models/language-model.ts';
import { reranker } from '../models/ports.ts';
import { askEvents } from '../run/ask.ts';
import type { Strategy } from '../strategies/strategy.ts';
import { type Fault, faultyEngine } from './faulty-engine.ts';
import { holds, same } from './law.ts';
import { contentOf, countingClock, type Ran, runOf, type Script } from './strategy-run.ts';
import { checkTrace } from './trace-checks.ts';
import { WatchedStrategy } from './watched-strategy.ts';

/** Guards against endless laws: no fixture run calls an engine or reads a clock this often. */
const MOST_POINTS = 2000;
const RANDOM_BUDGETS = 40;

/**
 * Checks limits of every amount below the cost of the whole run: the run names the limit and stays
 * within it, and each hit that the budget refuses is rejected in its hop.
 */
export async function checkLimit(
  strategy: Strategy,
  script: Script,
  limit: 'hops' | 'retrievals' | 'rerankedPairs' | 'documents' | 'contextTokens' | 'modelCalls',
): Promise<void> {
  const watched = new WatchedStrategy(strategy);
  const full = await runOf(watched.strategy, script);
  // Evidence that was withdrawn later had to fit the limit before.
  const { documents, contextTokens } = watched.most;
  const most = { ...full.trace.spent, documents, contextTokens }[limit] ?? 0;
  const step = Math.max(1, Math.floor(most / 25));
  for (let amount = 0; amount < most; amount += step) {
    const what = `"${script.question.text}", ${limit} = ${amount}`;
    const within = new WatchedStrategy(strategy);
    const cut = await runOf(within.strategy, { ...script, budget: { [limit]: amount } });
    await checkTrace(cut, script.engine, what);
    same(within.lost, [], `${what}, hits that the budget refused and no hop rejects`);
    // The cut may follow the strategy's own last round; then only searches that it never made are
    // missing.
    const complete = cut.trace.evidence.length === full.trace.evidence.length;
    if (!(limit === 'hops' && complete))
      same(cut.trace.stopped, { by: 'limit', limit }, `${what}, stopped`);
  }
  const enough = await runOf(strategy, { ...script, budget: { [limit]: most } });
  same(
    enough.trace.stopped,
    undefined,
    `"${script.question.text}", ${limit} = ${most} (its full cost), stopped`,
  );
  same(
    enough.trace.hops,
    full.trace.hops,
    `"${script.question.text}", ${limit} = ${most} (its full cost), hops`,
  );
}

/**
 * Checks that the time limit ends the run at the nth reading of the clock, for every n: the signal
 * reaches `ask` from every `begin` and `keep`.
 */
export async function checkClock(strategy: Strategy, script: Script): Promise<void> {
  const full = await runOf(strategy, script);
  let stops = 0;
  for (let at = 1; at < MOST_POINTS; at++) {
    const what = `"${script.question.text}", time runs out at reading ${at}`;
    const watched = new WatchedStrategy(strategy);
    const budget = { ms: at };
    const cut = await runOf(watched.strategy, { ...script, budget, clock: countingClock() });
    await checkTrace(cut, script.engine, what);
    checkChoice(cut.trace, watched.withdrew, what);
    if (cut.trace.stopped === undefined) {
      same(cut.trace.hops, full.trace.hops, `${what}, hops of a run that was not stopped`);
      break;
    }
    same(cut.trace.stopped, { by: 'limit', limit: 'ms' }, `${what}, stopped`);
    stops++;
  }
  const points = full.trace.hops.reduce(
    (sum, hop) => sum + (hop.searches.length > 0 ? 1 : 0) + hop.kept.length,
    0,
  );
  holds(
    stops >= points,
    `"${script.question.text}", readings at which the run was stopped`,
    `at least ${points} (every stop is reported)`,
    stops,
  );
}

/**
 * Checks that the evidence of a run that was cut inside a hop is that of the last complete hop, or,
 * if the hop has withdrawn nothing, that with more behind it.
 */
function checkChoice({ hops, evidence }: Trace, withdrew: boolean, what: string): void {
  if (hops.at(-1)?.incomplete === undefined) return;
  const complete = keptInOrder(hops.slice(0, -1)).map(({ id }) => id);
  const ids = evidence.map(({ id }) => id);
  same(withdrew ? ids : ids.slice(0, complete.length), complete, `${what}, evidence`);
}

/** Injects a fault into the engine's nth call, for every n that the run reaches. */
export async function checkFault(strategy: Strategy, script: Script, fault: Fault): Promise<void> {
  for (let at = 1; at < MOST_POINTS; at++) {
    const what = `"${script.question.text}", the engine's call ${at}: ${fault}`;
    const controller = new AbortController();
    const injected = faultyEngine(script.engine, fault, at, () => controller.abort());
    const cut = await runOf(strategy, {
      ...script,
      engine: injected.engine,
      signal: controller.signal,
    });
    await checkTrace(cut, script.engine, what);
    if (!injected.fired()) return;
    if (fault === 'throw') same(cut.trace.stopped?.by, 'failure', `${what}, stopped by`);
    if (fault === 'hang') same(cut.trace.stopped, { by: 'abort' }, `${what}, stopped`);
  }
}

/** Has the model fail at its nth call, for every n: the run names it and does not ask it again. */
export async function checkModelFaults(
  strategy: Strategy,
  script: Script,
  model: LanguageModel,
): Promise<void> {
  for (let at = 1; at < MOST_POINTS; at++) {
    const what = `"${script.question.text}", the model's call ${at} fails`;
    let calls = 0;
    const failing: LanguageModel = {
      ...model,
      generate: (...prompted) =>
        ++calls < at
          ? model.generate(...prompted)
          : Promise.reject(new PortError('model', 'down', 'The model is down')),
    };
    const resources = { ...script.resources, model: failing };
    const cut = await runOf(strategy, { ...script, resources });
    await checkTrace(cut, script.engine, what);
    if (calls < at) return;
    const { stopped } = cut.trace;
    same(
      [stopped?.by === 'failure' && stopped.code, calls],
      ['down', at],
      `${what}, code and calls`,
    );
  }
}

/** Checks random combinations of limits; equal in every run. */
export async function checkRandomBudgets(strategy: Strategy, script: Script): Promise<void> {
  const random = mulberry32(script.question.text.length);
  const pairs: Budget = needOf(strategy, reranker) === undefined ? {} : { rerankedPairs: 12 };
  const most: Budget = {
    hops: 5,
    retrievals: 7,
    documents: 7,
    contextTokens: 700,
    modelCalls: 6,
    modelTokens: 6000,
    ms: 60,
    ...pairs,
  };
  for (let trial = 0; trial < RANDOM_BUDGETS; trial++) {
    const budget: Partial<Record<LimitName, number>> = {};
    for (const [name, limit] of Object.entries(most) as [LimitName, number][])
      if (random() < 0.5) budget[name] = Math.floor(random() * (limit + 1));
    const ran = await runOf(strategy, { ...script, budget, clock: countingClock() });
    await checkTrace(
      ran,
      script.engine,
      `"${script.question.text}" under ${JSON.stringify(budget)}`,
    );
  }
}

/**
 * Checks that a caller may stop reading after any event: the run is over, and the hops so far have
 * a ranking.
 */
export async function checkLeaving(strategy: Strategy, script: Script): Promise<void> {
  const { question, clock: _, ...options } = script;
  const full: Ran = await runOf(strategy, script);
  for (let count = 1; count < full.events.length; count++) {
    const source = askEvents(
      question.text,
      { ...options, strategy, reader: 'evidence-only', id: question.id },
      () => 0,
    );
    const seen = [];
    while (seen.length < count) seen.push((await source.next()).value as Ran['events'][number]);
    await source.return(undefined as never);
    same(contentOf(seen), contentOf(full.events.slice(0, count)), `the first ${count} events`);
    same((await source.next()).done, true, `the run after event ${count}, over`);
    const ranking = strategy.ranking(
      seen.flatMap(event => (event.type === 'hop' ? [event.hop] : [])),
    );
    same(
      new Set(ranking).size,
      ranking.length,
      `distinct documents of the ranking after event ${count}`,
    );
  }
}
