/** Damages files at random, as a disk, a copy that was cut or a mistake does. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { below, type Random } from './operations.ts';

/** The bytes of the files of a folder by path below it, as they were written. */
export type SoundFiles = ReadonlyMap<string, Buffer>;

export function soundFiles(folder: string): SoundFiles {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  return new Map(paths.sort().map(path => [path, readFileSync(join(folder, path))]));
}

export interface Damage {
  readonly kind: string;
  /** The content of files afterwards; undefined for one that is gone. */
  readonly files: ReadonlyMap<string, Buffer | undefined>;
}

type Change = (bytes: Buffer, random: Random, other: Buffer) => Buffer;

const bytesOf = (random: Random, length: number): Buffer =>
  Buffer.from(Array.from({ length }, () => below(random, 256)));

function range(random: Random, { length }: Buffer): readonly [number, number] {
  const from = below(random, length + 1);
  return [from, Math.min(length, from + 1 + below(random, random() < 0.5 ? 16 : length))];
}

function replaced(bytes: Buffer, from: number, to: number, middle: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, from), middle, bytes.subarray(to)]);
}

const CHANGES: Readonly<Record<string, Change>> = {
  flip(bytes, random) {
    const next = Buffer.from(bytes);
    for (let count = 1 + below(random, 3); count > 0 && next.length > 0; count--)
      next[below(random, next.length)]! ^= 1 << below(random, 8);
    return next;
  },
  overwrite(bytes, random) {
    const [from, to] = range(random, bytes);
    return replaced(bytes, from, to, bytesOf(random, to - from));
  },
  zero(bytes, random) {
    const [from, to] = range(random, bytes);
    return replaced(bytes, from, to, Buffer.alloc(to - from));
  },
  cut: (bytes, random) => bytes.subarray(0, below(random, bytes.length + 1)),
  'cut before': (bytes, random) => bytes.subarray(below(random, bytes.length + 1)),
  delete(bytes, random) {
    const [from, to] = range(random, bytes);
    return replaced(bytes, from, to, Buffer.alloc(0));
  },
  insert(bytes, random) {
    const [from] = range(random, bytes);
    return replaced(bytes, from, from, bytesOf(random, 1 + below(random, 16)));
  },
  append: (bytes, random) => Buffer.concat([bytes, bytesOf(random, 1 + below(random, 64))]),
  repeat: bytes => Buffer.concat([bytes, bytes]),
  'swap ranges'(bytes, random) {
    const [from, to] = range(random, bytes);
    const [first, second] = [bytes.subarray(0, from), bytes.subarray(to)];
    return Buffer.concat([second, bytes.subarray(from, to), first]);
  },
  'swap lines'(bytes, random) {
    const lines = bytes.toString('latin1').split('\n');
    const [a, b] = [below(random, lines.length), below(random, lines.length)];
    [lines[a], lines[b]] = [lines[b]!, lines[a]!];
    return Buffer.from(lines.join('\n'), 'latin1');
  },
  'mix with another file'(bytes, random, other) {
    const [from, to] = range(random, bytes);
    return replaced(bytes, from, to, other.subarray(from, to));
  },
};

/** Draws a damage to one file, or an exchange of two of one folder. */
export function randomDamage(sound: SoundFiles, random: Random): Damage {
  const paths = [...sound.keys()];
  const path = paths[below(random, paths.length)]!;
  const near = paths.filter(one => one !== path && folderOf(one) === folderOf(path));
  const other = near[below(random, near.length)] ?? path;
  const kinds = [...Object.keys(CHANGES), 'remove', 'swap files'];
  const kind = kinds[below(random, kinds.length)]!;
  const [bytes, others] = [sound.get(path)!, sound.get(other)!];
  if (kind === 'remove') return { kind, files: new Map([[path, undefined]]) };
  if (kind === 'swap files')
    return { kind, files: new Map([[path, others] as const, [other, bytes] as const]) };
  return { kind, files: new Map([[path, CHANGES[kind]!(bytes, random, others)]]) };
}

const folderOf = (path: string): string => path.split('/')[0]!;

export function apply(folder: string, files: ReadonlyMap<string, Buffer | undefined>): void {
  for (const [path, bytes] of files)
    if (bytes === undefined) rmSync(join(folder, path), { force: true });
    else writeFileSync(join(folder, path), bytes);
}

/** Restores the files that a damage changed. */
export function restore(folder: string, { files }: Damage, sound: SoundFiles): void {
  apply(folder, new Map([...files.keys()].map(path => [path, sound.get(path)!])));
}
