/**
 * Runs test files for the process that started it, each with one mutant switched on. Loads the test
 * file anew each time, so that values at its top see the mutant, while the sources stay loaded.
 */
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defined } from '../../../src/core/defined.ts';
import { takenTests } from './node-test.ts';
import { TestFailure } from './registered-tests.ts';
import type { Answer, Job } from './test-worker.ts';

/** The object that instrumented code reads (`@stryker-mutator/api`, `INSTRUMENTER_CONSTANTS`). */
interface Switch {
  activeMutant?: string;
  currentTestId?: string | undefined;
  mutantCoverage?: { static: Counts; perTest: Record<string, Counts> };
}
type Counts = Record<string, number>;

const STAND_IN = new URL('node-test.ts', import.meta.url).href;
registerHooks({
  resolve: (name, context, next) =>
    name === 'node:test' ? { url: STAND_IN, shortCircuit: true } : next(name, context),
});

const state = ((globalThis as { __stryker__?: Switch }).__stryker__ ??= {});
const { MULTIHOP_BORN_WITH: born = '' } = process.env;
const loaded = new Set<string>();
let loads = 0;

function switchTo(mutant: string): void {
  state.activeMutant = mutant;
  // Processes and threads that a test starts read it there.
  process.env['__STRYKER_ACTIVE_MUTANT__'] = mutant;
}

async function answerOf({ file, mutant, only, cover }: Job): Promise<Answer> {
  const url = pathToFileURL(join(process.cwd(), file)).href;
  state.currentTestId = undefined;
  if (born === '' && !loaded.has(file)) {
    switchTo('');
    await import(url);
    takenTests();
    loaded.add(file);
  }
  switchTo(mutant);
  state.currentTestId = '*';
  const started = performance.now();
  try {
    await import(`${url}?run=${++loads}`);
    const tests = takenTests();
    await tests.run(name => void (state.currentTestId = name || '*'), only && new Set(only));
  } catch (error) {
    takenTests();
    const { test, message } =
      error instanceof TestFailure ? error : { test: '*', message: `${error}` };
    return { outcome: 'failed', test, message, ms: performance.now() - started };
  } finally {
    switchTo(born);
  }
  const ms = performance.now() - started;
  return defined({ outcome: 'passed', ms, coverage: cover ? coverage() : undefined });
}

function coverage(): Answer['coverage'] {
  const { static: loading = {}, perTest = {} } = state.mutantCoverage ?? {};
  const covered = Object.entries(perTest).map(([test, counts]) => [test, Object.keys(counts)]);
  return { loading: Object.keys(loading), byTest: Object.fromEntries(covered) };
}

const failed = (error: unknown): void => {
  process.send!({ outcome: 'failed', test: '*', message: `uncaught: ${error}`, ms: 0 });
  // Its state is unknown now.
  process.exit(1);
};
process.on('uncaughtException', failed);
process.on('unhandledRejection', failed);
process.on('disconnect', () => process.exit(0));
process.on('message', (job: Job) => {
  void answerOf(job).then(answer => process.send!(answer));
});
