/** Damages files of a store, and checks what every way of reading makes of them. */
import { basename } from 'node:path';
import {
  apply,
  type Damage,
  randomDamage,
  restore,
  type SoundFiles,
  soundFiles,
} from './damage.ts';
import { add, type Faults, type Figures, fault, noFigures } from './figures.ts';
import { below, type Random, randomFor } from './operations.ts';
import { READINGS, type Told } from './readings.ts';
import { makeSample } from './sample.ts';

export const DAMAGES_A_SERIES = 2500;

/** A sample on the disk: its files as they were written, and the answer of each reading. */
export interface Sample {
  readonly files: string;
  readonly sound: SoundFiles;
  readonly answers: ReadonlyMap<string, string>;
}

export async function openSample(folder: string): Promise<Sample> {
  const files = await makeSample(folder);
  const answers = new Map<string, string>();
  for (const [name, read] of Object.values(READINGS).flatMap(Object.entries<ReadingOf>)) {
    const { answer, words } = await read(files);
    if (answer === undefined) throw new Error(`${name} fails over the sound files: ${words}`);
    answers.set(name, answer);
  }
  return { files, sound: soundFiles(files), answers };
}

type ReadingOf = (typeof READINGS)[string][string];

export interface DamageSeries {
  readonly seed: number;
  readonly series: number;
  readonly from?: number;
  readonly damages?: number;
  /** Called before each damage with its number. */
  readonly onDamage?: (at: number) => void;
}

/** Returns the figures of one series of random damages, each with one reading. */
export async function damageSeries(
  sample: Sample,
  { seed, series, from = 0, damages = DAMAGES_A_SERIES, onDamage }: DamageSeries,
): Promise<Figures> {
  const figures = noFigures();
  for (let at = from; at < damages; at++) {
    onDamage?.(at);
    const random = randomFor(seed, series * DAMAGES_A_SERIES + at);
    const damage = randomDamage(sample.sound, random);
    const reading = drawnReading(damage, random);
    const place = `seed ${seed}, damage ${series * DAMAGES_A_SERIES + at}`;
    add(figures, await damageOnce(sample, damage, reading, place));
  }
  return figures;
}

function drawnReading({ files }: Damage, random: Random): string {
  const names = readingsOf([...files.keys()][0]!);
  return names[below(random, names.length)]!;
}

/** Returns the names of the readings of a file by its path. */
export const readingsOf = (path: string): readonly string[] =>
  Object.keys(READINGS[path.split('/')[0]!]!);

/** Damages files, reads them, restores them, and returns what that was. */
export async function damageOnce(
  sample: Sample,
  damage: Damage,
  name: string,
  place: string,
): Promise<Figures> {
  const { files, sound, answers } = sample;
  const paths = [...damage.files.keys()];
  const read = READINGS[paths[0]!.split('/')[0]!]![name]!;
  const figures = noFigures();
  figures.damages = 1;
  apply(files, damage.files);
  try {
    const told = await read(files);
    const verdict = verdictOf(told, answers.get(name)!, {
      paths,
      name,
      isSame: isSame(sample, damage),
    });
    if (verdict === 'right' || verdict === 'reported') figures[verdict]++;
    else
      fault(
        figures,
        verdict,
        `${place}, ${damage.kind} ${paths}, ${name}`,
        told.words || told.answer!,
      );
  } catch (error) {
    const words = String((error as Error).stack ?? error);
    fault(figures, 'crashes', `${place}, ${damage.kind} ${paths}, ${name}`, words);
  } finally {
    restore(files, damage, sound);
  }
  return figures;
}

const isSame = ({ sound }: Sample, { files }: Damage): boolean =>
  [...files].every(([path, bytes]) => bytes?.equals(sound.get(path)!));

interface About {
  readonly paths: readonly string[];
  readonly name: string;
  readonly isSame: boolean;
}

function verdictOf(
  { answer, words, hasCode }: Told,
  expected: string,
  { paths, name, isSame }: About,
): 'right' | 'reported' | keyof Faults {
  if (!hasCode) return 'crashes';
  if (answer === undefined) return names(words, paths) ? 'reported' : 'unnamed';
  // `verify` checks every byte that the manifest names.
  const mustFail = name === 'multihop verify' && !isSame && paths.some(isNamedByManifest);
  if (answer === expected) return mustFail ? 'undetected' : 'right';
  if (paths[0]!.startsWith('caches/'))
    return isPartOf(answer, expected) ? 'reported' : 'undetected';
  const ofSources = paths.some(path => basename(path).startsWith('sources-'));
  if (ofSources && withoutFiles(answer) === withoutFiles(expected) && names(words, paths))
    return 'reported';
  return 'undetected';
}

const isNamedByManifest = (path: string): boolean =>
  /^store\/(?:documents|index|derived|sources)-/.test(path);

/** Returns true if an error names a damaged file; `store.json` is named by the folder too. */
const names = (words: string, paths: readonly string[]): boolean =>
  paths.some(path => words.includes(path === 'store/store.json' ? 'store' : basename(path)));

/** Returns true if entries of a cache are missing, and the others are as they were. */
function isPartOf(answer: string, expected: string): boolean {
  const whole: unknown[] = JSON.parse(expected);
  const read: unknown[] = JSON.parse(answer);
  return read.every((entry, at) => entry === null || same(entry, whole[at]));
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** An answer without the files of its documents, which a damaged list of files loses. */
const withoutFiles = (answer: string): string =>
  answer
    .replaceAll(/,"(?:path|changed)":"[^"]*"/g, '')
    .replaceAll(/,"(?:words|visibleWords)":\d+/g, '')
    .replace(/"files":\d+/, '')
    .replaceAll(/\s/g, '')
    .replaceAll(/\.\.\/\S*?\/notes\//g, '');
