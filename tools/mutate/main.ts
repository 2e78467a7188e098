/**
 * `npm run mutate -- ROOM [--sample N] [--seed S] [--fresh]`: changes the code of a room in one
 * place at a time and runs the tests that import the changed file, the room's tests and the
 * acceptance sample until one fails; lists what no test notices. Works at the lowest priority in a
 * copy of the checkout, for hours; prints what it has when a signal ends it, and goes on when it is
 * run again.
 */
import { rmSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CheckoutCopy } from './copy.ts';
import { CoverageStore } from './coverage.ts';
import { type Mutant, mutantsOf, sha256, shuffled } from './mutants.ts';
import { Nearness } from './nearness.ts';
import { report } from './report.ts';
import { Results } from './results.ts';
import { ACCEPTANCE, allTests, MUTATED_ROOMS, sourcesOf, testsOf } from './rooms.ts';
import { drawCompiled, MutationRun, stateOf } from './run.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const CACHE = `${ROOT}/.cache/mutate`;
const LEAST_SAMPLE = 1;

interface Given {
  readonly room: string;
  readonly sample: number;
  readonly seed: number;
  readonly fresh: boolean;
}

function givenArguments(): Given {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      sample: { type: 'string', default: '200' },
      seed: { type: 'string', default: '1' },
      fresh: { type: 'boolean', default: false },
    },
  });
  const [room = '', ...rest] = positionals;
  const [sample, seed] = [Number(values.sample), Number(values.seed)];
  if (!MUTATED_ROOMS.includes(room) || rest.length > 0)
    throw new TypeError(`Expected one room of ${MUTATED_ROOMS.join(', ')}, got "${positionals}"`);
  if (!Number.isInteger(sample) || sample < LEAST_SAMPLE)
    throw new TypeError(`--sample: expected a number of mutants, got "${values.sample}"`);
  if (!Number.isInteger(seed))
    throw new TypeError(`--seed: expected an integer, got "${values.seed}"`);
  return { room, sample, seed, fresh: values.fresh };
}

async function mutate({ room, sample, seed, fresh }: Given): Promise<void> {
  setPriority(constants.priority.PRIORITY_LOW);
  const path = `${CACHE}/${room}.jsonl`;
  if (fresh) rmSync(path, { force: true });
  const results = new Results(path);
  const all = await mutantsOf(sourcesOf(room, ROOT), ROOT);
  const against = stateOf(ROOT, process.env['MULTIHOP_DATA'] !== undefined);
  console.log(`${room}: ${all.length} mutants, of which ${sample} are drawn by seed ${seed}`);
  if (process.env['MULTIHOP_DATA'] === undefined)
    console.log(`MULTIHOP_DATA is not set: ${ACCEPTANCE} is skipped and kills nothing`);
  const copy = new CheckoutCopy(ROOT);
  let drawn: readonly Mutant[] = [];
  const print = (): void => console.log(report(room, drawn, mutant => results.of(mutant, against)));
  const leave = (): never => {
    print();
    copy.remove();
    process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, leave);
  try {
    const order = shuffled(all, seed);
    drawn = await drawCompiled(order, { sample, copy, results, against });
    const open = drawn.filter(mutant => !results.of(mutant, against));
    console.log(`${drawn.length - open.length} of ${drawn.length} mutants have a result already`);
    const hash = sha256(all.map(({ path, file }) => `${path} ${file}`).join());
    const run = new MutationRun(
      new Nearness(testsOf(room, ROOT), allTests(ROOT), ROOT),
      copy,
      new CoverageStore(`${CACHE}/coverage`, room, hash),
    );
    for (const [at, mutant] of open.entries()) {
      const { outcome, by } = await run.result(mutant);
      const { key, file } = mutant;
      results.add({ key, file, against, outcome, ...(by === undefined ? {} : { by }) });
      const place = `${mutant.path}:${mutant.line} ${mutant.operator}`;
      const killer = by === undefined ? '' : ` by ${by}`;
      console.log(`${at + 1}/${open.length} ${outcome.padEnd(8)} ${place}${killer}`);
    }
    print();
  } finally {
    copy.remove();
  }
}

try {
  await mutate(givenArguments());
} catch (error) {
  console.error(`mutate: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
