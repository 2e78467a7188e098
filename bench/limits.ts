/**
 * `npm run node24 -- bench/limits.ts STORE QUESTION...`: asks by every strategy that needs no
 * model, under limits of 20 to 2,000 ms, and prints how far beyond its limit the worst run ended.
 * The clock of the runs is the CPU time of this thread, so that other processes do not count.
 */
import process from 'node:process';
import type { Trace } from '../src/core/trace/trace.ts';
import { takeTurns } from '../src/platform/clock.ts';
import { askEvents } from '../src/run/ask.ts';
import { Store } from '../src/stores/disk/store.ts';
import { strategies } from '../src/strategies/strategies.ts';

const LIMITS = [20, 50, 100, 200, 500, 1000, 2000];
const [folder, ...questions] = process.argv.slice(2);
if (folder === undefined || questions.length === 0)
  throw new Error('usage: bench/limits.ts STORE QUESTION...');

const cpu = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

interface Ended {
  readonly ms: number;
  readonly trace: Trace;
}

/** Asks a store that was opened for this run alone (cold), or an engine that was asked before. */
async function run(question: string, strategy: string, ms: number, warm?: Store): Promise<Ended> {
  const startedAt = cpu();
  const store = warm ?? (await Store.open(folder!));
  await using engine = await store.snapshot();
  const options = { engine, strategy, budget: { ms } };
  const events = askEvents(question, options, cpu, { startedAt, turn: takeTurns });
  for (;;) {
    const step = await events.next();
    if (step.done) return { ms: cpu() - startedAt, trace: step.value };
  }
}

const allowed = (limit: number): number => limit + Math.max(50, limit / 10);
let missed = 0;
const warm = await Store.open(folder);
for (const { name, needs = [] } of strategies.members.map(({ name }) => strategies.create(name))) {
  if (needs.some(({ optional }) => !optional)) continue;
  const worst = { warm: Number.NEGATIVE_INFINITY, cold: Number.NEGATIVE_INFINITY };
  const late: string[] = [];
  for (const question of questions) {
    await run(question, name, 60_000, warm);
    for (const limit of LIMITS)
      for (const kind of ['warm', 'cold'] as const) {
        const { ms, trace } = await run(question, name, limit, kind === 'warm' ? warm : undefined);
        worst[kind] = Math.max(worst[kind], ms - limit);
        // A run that ends by itself right at the limit is complete, and names none.
        const unnamed = ms > limit + Math.max(25, limit / 20) && trace.stopped?.by !== 'limit';
        if (ms <= allowed(limit) && !unnamed) continue;
        missed++;
        late.push(`${kind} ${limit}: ${ms.toFixed(0)}${unnamed ? ' not named' : ''}`);
      }
  }
  console.log(
    `${name}: at most ${worst.warm.toFixed(0)} ms beyond warm, ${worst.cold.toFixed(0)} cold${late.length > 0 ? `; MISSED ${late.join(', ')}` : ''}`,
  );
}
console.log(
  `${missed} of the runs ended later than 10 % or 50 ms beyond, or did not name the limit`,
);
