/**
 * Keeps what the report `models` is printed from: frozen evidence, the replies of the model, and
 * the milliseconds of each answer, all compressed, so that no model is needed to print it again.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { type FrozenEvidence, readFrozen, writeFrozen } from './frozen-evidence.ts';
import { answersIn, timeKey } from './read-answers.ts';

const FOLDER = fileURLToPath(new URL('recorded', import.meta.url));
const [EVIDENCE, COMPLETIONS, TIMES] = ['evidence.br', 'completions.br', 'times.br'].map(name =>
  join(FOLDER, name),
) as [string, string, string];

export const recordedEvidence = (): FrozenEvidence => readFrozen(EVIDENCE);

export const recordedTimes = (): Readonly<Record<string, number>> =>
  existsSync(TIMES) ? JSON.parse(unpacked(TIMES)) : {};

/** Writes the recorded replies as a cassette into a folder, and returns its path. */
export function recordedCassette(folder: string): string {
  const cassette = join(folder, 'completions.cassette');
  writeFileSync(cassette, unpacked(COMPLETIONS));
  return cassette;
}

/** Returns the identity of the model whose replies are recorded. */
export const recordedModel = (): string =>
  (JSON.parse(unpacked(COMPLETIONS).split('\n')[0]!) as { readonly model: string }).model;

/** Records the answers of a run, with what they were read from. */
export function record(answers: string, evidence: string, cassette: string): void {
  writeFrozen(EVIDENCE, readFrozen(evidence));
  writeFileSync(COMPLETIONS, packed(readFileSync(cassette, 'utf8')));
  const times = Object.fromEntries(answersIn(answers).map(each => [timeKey(each), each.ms]));
  writeFileSync(TIMES, packed(JSON.stringify(times)));
}

const packed = (text: string): Buffer => brotliCompressSync(text);
const unpacked = (file: string): string => brotliDecompressSync(readFileSync(file)).toString();
