/** Finds the GGUF file of a name, checks its beginning, and computes its fingerprint. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { InputError } from '../../core/errors.ts';

/** Part N of M of a model in several files. */
const PART = /-(\d{5})-of-(\d{5})\.gguf$/;
/** The head holds metadata, vocabulary and the list of tensors of most models. */
const [HEAD, BLOCK, BLOCKS] = [8 * 2 ** 20, 64 * 2 ** 10, 64];

/**
 * Returns the path of a GGUF file: itself, or in the folder of models. Throws
 * `InputError('no-model-file')`.
 */
export function ggufPath(file: string, models: string | undefined): string {
  const paths = [resolve(file), ...(models === undefined ? [] : [resolve(models, file)])];
  const path = paths.find(existsSync);
  if (path !== undefined) return path;
  throw new InputError('no-model-file', `No model in "${file}"`, {
    expected: 'a GGUF file, by its path or by its name in the folder of MULTIHOP_MODELS',
    received: 'nothing there',
  });
}

/**
 * Returns twelve hexadecimal digits of a hash over the size, the first 8 MiB, the last block and 64
 * blocks between them, of each part: a whole hash of gigabytes would cost seconds at each start.
 * Other weights differ everywhere; damage to a single place between the blocks is not seen. Throws
 * `InputError('bad-model-file')`.
 */
export async function ggufFingerprint(path: string): Promise<string> {
  const whole = createHash('sha256');
  for (const part of partsOf(path)) {
    const { size } = await stat(part).catch(() => missing(part));
    const handle = await open(part, 'r');
    try {
      whole.update(`${size}\n`);
      const head = await read(handle, 0, HEAD);
      if (head.toString('latin1', 0, 4) !== 'GGUF') throw notGguf(part, head);
      whole.update(head);
      for (let block = 1; block <= BLOCKS; block++)
        whole.update(
          await read(handle, Math.max(0, Math.floor((size * block) / BLOCKS) - BLOCK), BLOCK),
        );
    } finally {
      await handle.close();
    }
  }
  return whole.digest('hex').slice(0, 12);
}

/** Bytes of weights of which one core reads `STEP` tokens in a second. */
const [STEP, STEP_BYTES, GPU_STEP] = [64, 1.2e9, 512];

/**
 * Returns how many tokens of a prompt are computed at once: an abort ends the work after one such
 * step, within a second. A function of the size alone, since other steps round otherwise.
 */
export async function stepTokens(path: string, gpu: boolean): Promise<number> {
  if (gpu) return GPU_STEP;
  const sizes = await Promise.all(partsOf(path).map(part => stat(part)));
  const bytes = sizes.reduce((sum, { size }) => sum + size, 0);
  const halvings = Math.ceil(Math.log2(Math.max(1, bytes / STEP_BYTES)));
  return Math.max(4, STEP >> halvings);
}

/** Returns the name of a file without its end. */
export const ggufName = (path: string): string =>
  basename(path)
    .replace(PART, '')
    .replace(/\.gguf$/, '');

/** Tells a GGUF file, or the first part of one in several. */
export const isFirstPart = (path: string): boolean =>
  path.endsWith('.gguf') && (PART.exec(path)?.[1] ?? '00001') === '00001';

/** Returns all parts of a model in several files. */
export function partsOf(path: string): readonly string[] {
  const [whole, , count] = PART.exec(path) ?? [];
  if (whole === undefined) return [path];
  return Array.from({ length: Number(count) }, (_, part) =>
    path.replace(PART, `-${String(part + 1).padStart(5, '0')}-of-${count}.gguf`),
  );
}

async function read(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}

function missing(path: string): never {
  throw new InputError('no-model-file', `The model lacks the part "${basename(path)}"`, {
    expected: 'all parts of a model in one folder',
  });
}

function notGguf(path: string, head: Buffer): InputError {
  const start = head.toString('latin1', 0, 24);
  const isPointer = start.startsWith('version https://git-lfs');
  return new InputError('bad-model-file', `"${path}" is no GGUF file`, {
    expected: 'a file that begins with GGUF',
    received: isPointer ? 'a Git LFS pointer' : head.length === 0 ? 'nothing' : 'other bytes',
    hint: isPointer ? 'Run: git lfs pull' : 'Download the file again, whole.',
  });
}
