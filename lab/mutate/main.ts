/**
 * `npm run mutate -- --help`: changes the code of a room in one place at a time and runs the tests
 * that import the changed file, the room's tests and the acceptance sample until one fails. Works
 * at the lowest priority in copies of the checkout; prints what it has when a signal ends it, and
 * goes on when it is run again.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { defined } from '../../src/core/defined.ts';
import { CheckoutCopy } from './copy.ts';
import { switchedCopy } from './instrumented.ts';
import { type Mutant, mutantsOf, sha256, shuffled } from './mutants.ts';
import { Nearness } from './nearness.ts';
import { ProcessTests } from './process-tests.ts';
import { page, report, triedOf } from './report.ts';
import { Results } from './results.ts';
import { ACCEPTANCE, allTests, MUTATED_ROOMS, sourcesOf, testsOf } from './rooms.ts';
import { drawCompiled, keptPasses, type MutantResult, MutationRun, stateOf } from './run.ts';
import { SwitchedCoverage } from './switched-coverage.ts';
import { SwitchedTests } from './switched-tests.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const CACHE = `${ROOT}/.cache/mutate`;
const LEAST_SAMPLE = 1;

const USAGE = `npm run mutate -- ROOM [--sample N] [--seed S] [--fresh] [--quick] [--write]
changes the code of a room in one place at a time, and lists what no test notices

ROOM: ${MUTATED_ROOMS.join(', ')}

--sample N   mutants that are tried (default: 200)
--seed S     draws them (default: 1)
--fresh      forget the results of earlier runs
--quick      leave out the tests that take long, and list what passes the others
--write      write results/mutation/ROOM/report.md after a whole run`;

interface Given {
  readonly room: string;
  readonly sample: number;
  readonly seed: number;
  readonly fresh: boolean;
  readonly quick: boolean;
  readonly write: boolean;
}

function givenArguments(): Given {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      sample: { type: 'string', default: '200' },
      seed: { type: 'string', default: '1' },
      fresh: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    console.log(USAGE);
    process.exit();
  }
  const [room = '', ...rest] = positionals;
  const [sample, seed] = [Number(values.sample), Number(values.seed)];
  if (!MUTATED_ROOMS.includes(room) || rest.length > 0)
    throw new TypeError(`Expected one room of ${MUTATED_ROOMS.join(', ')}, got "${positionals}"`);
  if (!Number.isInteger(sample) || sample < LEAST_SAMPLE)
    throw new TypeError(`--sample: expected a number of mutants, got "${values.sample}"`);
  if (!Number.isInteger(seed))
    throw new TypeError(`--seed: expected an integer, got "${values.seed}"`);
  const { fresh, quick, write } = values;
  return { room, sample, seed, fresh, quick, write };
}

/** Tests that take longer run once all mutants have seen the others. */
const QUICK_MS = 8_000;
/** With `--quick`, a test file that takes longer to load and run is not measured. */
const QUICK_LIMIT_MS = 60_000;

class Mutating {
  private readonly given: Given;
  private readonly results: Results;
  private readonly against: string;
  private readonly plain = new CheckoutCopy(ROOT);
  private readonly ending: (() => void)[] = [() => this.plain.remove()];
  private drawn: readonly Mutant[] = [];
  private passing: ReadonlySet<Mutant> = new Set();
  private mutants = 0;
  private sources = '';

  constructor(given: Given) {
    this.given = given;
    const path = `${CACHE}/${given.room}.jsonl`;
    if (given.fresh) rmSync(path, { force: true });
    this.results = new Results(path);
    this.against = stateOf(ROOT, process.env['MULTIHOP_DATA'] !== undefined);
  }

  async run(): Promise<void> {
    const { room, sample, seed } = this.given;
    const all = await mutantsOf(sourcesOf(room, ROOT), ROOT);
    console.log(`${room}: ${all.length} mutants, of which ${sample} are drawn by seed ${seed}`);
    const { plain: copy, results, against } = this;
    this.drawn = await drawCompiled(shuffled(all, seed), { sample, copy, results, against });
    const hash = sha256(all.map(({ path, file }) => `${path} ${file}`).join());
    [this.mutants, this.sources] = [all.length, hash];
    const switched = await switchedCopy(this.drawn, ROOT);
    this.ending.push(() => switched.copy.remove());
    const state = sha256(`${hash} ${this.drawn.map(({ key }) => key)}`);
    const limitMs = this.given.quick ? QUICK_LIMIT_MS : undefined;
    const coverage = new SwitchedCoverage(`${CACHE}/coverage`, state, limitMs);
    const slow = new ProcessTests(switched, `${CACHE}/coverage`, state);
    const quick = new SwitchedTests(switched, coverage, slow);
    this.ending.push(() => quick.end());
    const nearness = new Nearness(testsOf(room, ROOT), allTests(ROOT), ROOT);
    const run = new MutationRun(nearness, quick, keptPasses(results, copy.root));
    await this.decide(run);
    this.print();
  }

  private async decide(run: MutationRun): Promise<void> {
    const open = this.drawn.filter(mutant => !this.results.of(mutant, this.against));
    console.log(`${this.drawn.length - open.length} of ${this.drawn.length} have a result already`);
    const left: Mutant[] = [];
    for (const [at, mutant] of open.entries()) {
      const result = await run.among(mutant, 0, QUICK_MS);
      if (result) this.note(mutant, result, `${at + 1}/${open.length}`);
      else left.push(mutant);
    }
    console.log(`${left.length} are left to tests that take longer`);
    if (this.given.quick) return void (this.passing = new Set(left));
    for (const [at, mutant] of left.entries()) {
      const result = await run.among(mutant, QUICK_MS, Number.POSITIVE_INFINITY);
      this.note(mutant, result ?? { outcome: 'survived' }, `${at + 1}/${left.length}`);
    }
  }

  private note(mutant: Mutant, { outcome, by }: MutantResult, place: string): void {
    const { key, file } = mutant;
    const { against } = this;
    this.results.add(defined({ key, file, against, outcome, by }));
    console.log(`${place} ${toldResult(mutant, { outcome, by })}`);
  }

  /** Prints what is known; writes it down if the run is whole. */
  print(): void {
    const { room, seed, sample, write, quick } = this.given;
    const { against } = this;
    const tried = triedOf(this.drawn, mutant => {
      const { key, file } = mutant;
      if (this.passing.has(mutant)) return { key, file, against, outcome: 'survived' };
      return this.results.of(mutant, against);
    });
    console.log(report(room, tried));
    if (!write || tried.all.tried < this.drawn.length) return;
    const folder = `${ROOT}/results/mutation/${room}`;
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      `${folder}/report.md`,
      page(room, tried, {
        seed,
        sample,
        mutants: this.mutants,
        sources: this.sources,
        tests: this.against,
        leftOut: quick
          ? `tests that take longer than ${QUICK_MS / 1000} s`
          : process.env['MULTIHOP_DATA'] === undefined
            ? 'the acceptance sample, for want of data'
            : undefined,
      }),
    );
  }

  end(): void {
    for (const end of this.ending.reverse()) end();
  }
}

function toldResult(
  { path, line, operator }: Mutant,
  { outcome, by }: { readonly outcome: string; readonly by?: string | undefined },
): string {
  return `${outcome.padEnd(8)} ${path}:${line} ${operator}${by === undefined ? '' : ` by ${by}`}`;
}

async function mutate(given: Given): Promise<void> {
  setPriority(constants.priority.PRIORITY_LOW);
  if (process.env['MULTIHOP_DATA'] === undefined)
    console.log(`MULTIHOP_DATA is not set: ${ACCEPTANCE} is skipped and kills nothing`);
  const mutating = new Mutating(given);
  const leave = (): never => {
    mutating.print();
    mutating.end();
    process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, leave);
  try {
    await mutating.run();
  } finally {
    mutating.end();
  }
}

try {
  await mutate(givenArguments());
} catch (error) {
  console.error(`mutate: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
