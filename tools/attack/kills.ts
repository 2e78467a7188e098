/** Kills programs and commands that write to a store, and checks what they leave. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Document } from '../../src/core/corpus/document.ts';
import { PortError } from '../../src/core/errors.ts';
import { freeCall } from '../../src/core/trace/call.ts';
import { type DocumentStore, openStore } from '../../src/index.ts';
import { EmbeddedEngine } from '../../src/search/embedded-engine.ts';
import { Store } from '../../src/stores/disk/store.ts';
import { add, type Figures, fault, noFigures } from './figures.ts';
import { applied, below, nextOperation, type Random, randomFor, textOf } from './operations.ts';

const WRITER = fileURLToPath(new URL('./writer.ts', import.meta.url));
const inProject = (path: string): string =>
  fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** The modules of library and command: of the sources, or as they are published. */
export interface Programs {
  readonly library: string;
  readonly command: string;
}
export const SOURCES: Programs = {
  library: inProject('src/index.ts'),
  command: inProject('src/cli/main.ts'),
};
/** As `npm run build` makes them, which start in a third of the time. */
export const BUILT: Programs = {
  library: inProject('dist/index.js'),
  command: inProject('dist/cli/main.js'),
};

const FLAGS = ['--disable-warning=ExperimentalWarning'];
/** A store is new at the first of so many kills. */
export const KILLS_A_SERIES = 25;
/** One of so many kills is of the command. */
const COMMANDS_ONE_OF = 6;
/** Milliseconds without a sign of a writer that count as a hang. */
const HANG_MS = 60_000;

type Held = ReadonlyMap<string, Document>;

/** A store under attack, and what it must hold. */
interface Target {
  readonly programs: Programs;
  readonly folder: string;
  readonly notes: string;
  readonly seed: number;
  /** The documents of the notes, from a store that nobody kills. */
  readonly undisturbed: DocumentStore;
  held: Held;
}

/** An ended writer: the writes that it acknowledged, and how it ended. */
interface Ended {
  readonly acknowledged: number;
  readonly signal: string | null;
  readonly code: number | null;
  readonly errors: string;
  readonly hung: boolean;
}

export interface KillSeries {
  readonly seed: number;
  readonly series: number;
  readonly kills?: number;
  readonly programs: Programs;
}

/** Returns the figures of one series of kills, in a folder that it creates and removes. */
export async function killSeries(
  folder: string,
  { seed, series, kills = KILLS_A_SERIES, programs }: KillSeries,
): Promise<Figures> {
  const notes = join(folder, 'notes');
  mkdirSync(notes, { recursive: true });
  const undisturbed = await openStore(join(folder, 'undisturbed'));
  const target: Target = {
    folder: join(folder, 'store'),
    notes,
    seed,
    programs,
    undisturbed,
    held: new Map(),
  };
  const figures = noFigures();
  for (let round = 0; figures.kills < kills && round < 4 * kills; round++) {
    const part = series * 1000 + round;
    await killOnce(target, part, figures).catch(error =>
      fault(figures, 'crashes', `seed ${seed}, part ${part}`, String(error?.stack ?? error)),
    );
  }
  await undisturbed.close();
  rmSync(folder, { recursive: true, force: true });
  return figures;
}

async function killOnce(target: Target, part: number, figures: Figures): Promise<void> {
  const { seed, folder, notes, undisturbed, programs } = target;
  const random = randomFor(seed, ~part);
  changeNotes(notes, random);
  await undisturbed.ingest({ paths: [notes], sync: true });
  const isCommand = below(random, COMMANDS_ONE_OF) === 0;
  const ended = isCommand
    ? await killedCommand([programs.command, 'ingest', notes, '--sync', '--store', folder], random)
    : await killedProgram([programs.library, folder, notes, String(seed), String(part)], random);
  const place = `seed ${seed}, part ${part}, ${isCommand ? 'multihop ingest' : 'openStore'}`;
  const isKilled = ended.signal === 'SIGKILL' && !ended.hung;
  const kills = isKilled ? 1 : 0;
  add(figures, { kills, acknowledged: ended.acknowledged });
  if (isCommand) add(figures, { killsOfCommands: kills });
  if (ended.hung) fault(figures, 'hangs', place, ended.errors);
  else if (!isKilled && !(isCommand && ended.code === 0))
    fault(figures, 'crashes', place, `exit ${ended.code ?? ended.signal}: ${ended.errors}`);
  await checkStore(target, statesAfter(target, part, ended, await documentsOf(undisturbed)), {
    figures,
    place: `${place}, ${ended.acknowledged} acknowledged`,
  });
}

/** Changes, adds and removes files, before a writer starts. */
function changeNotes(notes: string, random: Random): void {
  for (let at = 0; at < 6; at++) {
    const file = join(notes, `n${at}.txt`);
    const choice = random();
    if (choice < 0.15) rmSync(file, { force: true });
    else if (choice < 0.5 || readdirSync(notes).length === 0)
      writeFileSync(file, `Note ${at}\n\n${textOf(random)}\n`);
  }
}

async function documentsOf(store: DocumentStore): Promise<Document[]> {
  return [...(await store.documents({ limit: 1000 })).documents];
}

/** The documents that must be stored, or may be if a write was under way. */
interface States {
  readonly acknowledged: Held;
  readonly pending: Held;
  /** False for a sync, which writes and removes in several steps. */
  readonly isAtomic: boolean;
}

const isNote = (id: string): boolean => id.startsWith('n');

function statesAfter(
  { held, seed }: Target,
  part: number,
  { acknowledged }: Ended,
  notes: readonly Document[],
): States {
  const synced = new Map([
    ...[...held].filter(([id]) => !isNote(id)),
    ...notes.map(document => [document.id, document] as const),
  ]);
  if (acknowledged === 0) return { acknowledged: held, pending: synced, isAtomic: false };
  const random = randomFor(seed, part);
  let state: Held = synced;
  for (let done = 1; done < acknowledged; done++)
    state = applied(state, nextOperation(random, new Set(state.keys())));
  const pending = applied(state, nextOperation(random, new Set(state.keys())));
  return { acknowledged: state, pending, isAtomic: true };
}

function watched(words: readonly string[]): {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  readonly first: Promise<unknown>;
} {
  const env = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] };
  const child = spawn(process.execPath, [...FLAGS, ...words], { env, stdio: 'pipe' });
  let [out, errors, hung] = ['', '', false];
  child.stdin.end();
  child.stdout.on('data', data => (out += data));
  child.stderr.on('data', data => (errors += data));
  const first = new Promise(resolve => {
    child.stdout.once('data', resolve);
    child.once('close', resolve);
  });
  const hang = setTimeout(() => {
    hung = true;
    child.kill('SIGKILL');
  }, HANG_MS);
  const ended = new Promise<Ended>(resolve =>
    child.on('close', (code, signal) => {
      clearTimeout(hang);
      const acknowledged = words[0] === WRITER ? out.length : Number(code === 0);
      resolve({ acknowledged, signal, code, errors, hung });
    }),
  );
  return { child, ended, first };
}

/** Kills a program at any moment from its start on, mostly while it writes. */
async function killedProgram(words: readonly string[], random: Random): Promise<Ended> {
  const { child, ended, first } = watched([WRITER, ...words]);
  if (random() < 0.15) await wait(random() * 250);
  else {
    await first;
    await wait(random() * 80);
  }
  child.kill('SIGKILL');
  return ended;
}

/** Milliseconds of the last command that ended by itself. */
let commandMs = 500;

async function killedCommand(words: readonly string[], random: Random): Promise<Ended> {
  const began = performance.now();
  const { child, ended } = watched(words);
  const timer = setTimeout(() => child.kill('SIGKILL'), (0.4 + 0.7 * random()) * commandMs);
  const result = await ended;
  clearTimeout(timer);
  if (result.code === 0) commandMs = performance.now() - began;
  return result;
}

async function checkStore(
  target: Target,
  states: States,
  { figures, place }: { readonly figures: Figures; readonly place: string },
): Promise<void> {
  const store = await openedStore(target.folder);
  const snapshot = await store?.snapshot();
  const documents = snapshot ? [...snapshot.documents] : [];
  const found = new Map(documents.map(document => [document.id, document]));
  const changed = lostIds(found, states);
  if (changed.length > 0) fault(figures, 'lost', place, changed.join(', '));
  else if (!isReachable(found, states))
    fault(figures, 'wrong', place, `holds ${[...found.keys()]}`);
  if (store && snapshot) {
    const { problems } = await store.verify();
    if (problems.length > 0) fault(figures, 'wrong', place, JSON.stringify(problems));
    const rebuilt = new EmbeddedEngine({ documents, chunker: store.manifest.chunker }).current;
    const [answers, expected] = [await answersOf(snapshot), await answersOf(rebuilt)];
    if (answers !== expected) fault(figures, 'wrong', place, `${answers}\n${expected}`);
  }
  target.held = found;
}

async function openedStore(folder: string): Promise<Store | undefined> {
  try {
    return await Store.open(folder);
  } catch (error) {
    if (PortError.is(error) && error.code === 'no-store') return undefined;
    throw error;
  }
}

const line = (document: Document | undefined): string | undefined => {
  if (!document) return undefined;
  const { id, title, text, metadata } = document;
  return JSON.stringify([id, title, text, Object.entries(metadata).sort()]);
};

const isIn = (held: Held, id: string, found: Held): boolean =>
  line(held.get(id)) === line(found.get(id));

/** Returns the ids that no write under way touches, and that differ from what was acknowledged. */
function lostIds(found: Held, { acknowledged, pending }: States): string[] {
  return [...acknowledged.keys()].filter(
    id => !isIn(acknowledged, id, found) && isIn(acknowledged, id, pending),
  );
}

function isReachable(found: Held, { acknowledged, pending, isAtomic }: States): boolean {
  const ids = [...new Set([...found.keys(), ...acknowledged.keys(), ...pending.keys()])];
  if (!isAtomic) return ids.every(id => isIn(acknowledged, id, found) || isIn(pending, id, found));
  return [acknowledged, pending].some(held => ids.every(id => isIn(held, id, found)));
}

/** Returns what searches of every unit find, to the bit. */
async function answersOf(engine: Pick<EmbeddedEngine['current'], 'search'>): Promise<string> {
  const queries = [{ text: 'captain ferry rain' }, { text: 'Aldmoor saw Brandt 3' }];
  const answers: unknown[] = [];
  for (const unit of ['document', 'passage', 'sentence'] as const)
    answers.push(await engine.search({ unit, k: 20, queries }, freeCall()));
  return JSON.stringify(answers);
}
