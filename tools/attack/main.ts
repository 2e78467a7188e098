/**
 * Attacks stores, and prints what that met; exits with 1 if there was a fault:
 *
 *     npm run -s attack -- --kills N --damages N [--seed N] [--state FILE] [--sources] [--json]
 *
 * Kills programs that use `openStore`, and `multihop ingest`, while they write; damages files of a
 * store, its traces and caches, and reads them in every way. `--state` names a file by which a run
 * that was cut goes on. `--sources` kills the sources, which need no build.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { commitNow } from '../../bench/commit.ts';
import { machine } from '../../bench/measure.ts';
import { DAMAGES_A_SERIES } from './damages.ts';
import { add, type Figures, faultsOf, noFigures, tableOf } from './figures.ts';
import { BUILT, KILLS_A_SERIES, killSeries, SOURCES } from './kills.ts';
import { watchedDamages } from './watched-damages.ts';

/** The progress of a run: series of kills, then series of damages. */
interface State {
  readonly seed: number;
  /** The facts on which figures depend. */
  readonly manifest: Readonly<Record<'commit' | 'date' | 'machine' | 'command', string>>;
  killSeries: number;
  damageSeries: number;
  readonly figures: Figures;
}

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    damages: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    state: { type: 'string' },
    sources: { type: 'boolean' },
    json: { type: 'boolean' },
  },
});
const [kills, damages, seed] = [values.kills, values.damages, values.seed].map(Number) as [
  number,
  number,
  number,
];
for (const number of [kills, damages, seed])
  if (!Number.isSafeInteger(number) || number < 0)
    refuse(`expected whole numbers for --kills, --damages and --seed, received ${number}`);

function refuse(problem: string): never {
  console.error(`attack: ${problem}`);
  process.exit(2);
}

function buildUnlessThere(): void {
  if (values.sources || kills === 0) return;
  const built = spawnSync('npm', ['run', '-s', 'build'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (built.status !== 0) process.exit(2);
}

function stateBefore(): State {
  if (values.state !== undefined && existsSync(values.state)) {
    const before = JSON.parse(readFileSync(values.state, 'utf8')) as State;
    if (before.seed === seed) return before;
    refuse(`${values.state} is of seed ${before.seed}: name another file`);
  }
  const command = `npm run -s attack -- --kills ${kills} --damages ${damages} --seed ${seed}`;
  const date = new Date().toISOString().slice(0, 10);
  const manifest = { commit: commitNow(), date, machine: machine(), command };
  return { seed, manifest, killSeries: 0, damageSeries: 0, figures: noFigures() };
}

const state = stateBefore();
const folder = mkdtempSync(
  join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'multihop-attack-'),
);
// Started processes share the code that the first of them compiled.
process.env['NODE_COMPILE_CACHE'] ??= join(folder, 'compiled');
let began = performance.now();

function keep(part: Figures): void {
  add(state.figures, { ...part, seconds: (performance.now() - began) / 1000 });
  began = performance.now();
  if (values.state === undefined) return;
  writeFileSync(`${values.state}.tmp`, JSON.stringify(state));
  renameSync(`${values.state}.tmp`, values.state);
}

try {
  const programs = values.sources ? SOURCES : BUILT;
  buildUnlessThere();
  for (let { figures } = state; figures.kills < kills; ) {
    const next = { seed, series: state.killSeries++, programs };
    const rest = Math.min(KILLS_A_SERIES, kills - figures.kills);
    keep(await killSeries(join(folder, 'kills'), { ...next, kills: rest }));
  }
  for (let { figures } = state; figures.damages < damages; ) {
    const next = { seed, series: state.damageSeries++, folder: join(folder, 'damages') };
    const rest = Math.min(DAMAGES_A_SERIES, damages - figures.damages);
    keep(await watchedDamages({ ...next, damages: rest }));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(
  values.json
    ? JSON.stringify({ manifest: state.manifest, ...state.figures }, null, 2)
    : tableOf(state.figures),
);
if (faultsOf(state.figures) > 0) process.exitCode = 1;
