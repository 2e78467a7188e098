/** Checks that a local model folder is complete, and computes its fingerprint. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { InputError } from '../core/errors.ts';

export type Dtype = 'fp32' | 'fp16' | 'q8' | 'int8' | 'uint8' | 'q4' | 'q4f16' | 'bnb4';

/** Suffix of the weight file for each type, as @huggingface/transformers names it. */
const SUFFIX: Readonly<Record<Dtype, string>> = {
  fp32: '',
  fp16: '_fp16',
  q8: '_quantized',
  int8: '_int8',
  uint8: '_uint8',
  q4: '_q4',
  q4f16: '_q4f16',
  bnb4: '_bnb4',
};

/**
 * Returns whether activations are quantised per batch, so that a text's vector would depend on its
 * neighbours.
 */
export const isDynamic = (dtype: Dtype): boolean =>
  dtype === 'q8' || dtype === 'int8' || dtype === 'uint8';

export function checkDtype(dtype: string): Dtype {
  if (Object.hasOwn(SUFFIX, dtype)) return dtype as Dtype;
  throw new InputError('bad-dtype', 'Unknown number type of model weights', {
    expected: Object.keys(SUFFIX).join(', '),
    received: `"${dtype}"`,
  });
}

export interface ModelFolder {
  /** Absolute path. */
  readonly path: string;
  /** Twelve hexadecimal digits of a hash over weights, tokenizer and configuration. */
  readonly fingerprint: string;
}

/**
 * Returns the complete model folder. Throws `InputError('no-model-folder')`, or
 * `InputError('incomplete-model')` that names the file.
 */
export async function openModelFolder(folder: string, dtype: Dtype): Promise<ModelFolder> {
  const path = isAbsolute(folder) ? folder : resolve(folder);
  const stats = await stat(path).catch(() => undefined);
  if (!stats?.isDirectory())
    throw new InputError('no-model-folder', `No model in "${path}"`, {
      expected: 'a folder with config.json, tokenizer.json and onnx/',
      received: stats ? 'a file' : 'nothing',
    });
  const weights = join('onnx', `model${SUFFIX[dtype]}.onnx`);
  await checkJson(path, 'config.json');
  await checkJson(path, 'tokenizer.json');
  await checkJson(path, 'tokenizer_config.json');
  await checkWeights(path, weights);
  const files = [
    'config.json',
    'tokenizer.json',
    'tokenizer_config.json',
    weights,
    `${weights}_data`,
  ];
  return { path, fingerprint: await fingerprintOf(files.map(file => join(path, file))) };
}

async function checkJson(folder: string, file: string): Promise<void> {
  let text: string;
  try {
    text = await readFile(join(folder, file), 'utf8');
  } catch (error) {
    throw incomplete(folder, file, 'it is missing or cannot be read', error);
  }
  try {
    JSON.parse(text);
  } catch (error) {
    throw incomplete(folder, file, isPointer(text) ? POINTER : 'it is not JSON, or cut', error);
  }
}

const POINTER = 'it is a Git LFS pointer, not the file itself (run: git lfs pull)';
const isPointer = (start: string): boolean => start.startsWith('version https://git-lfs');

async function checkWeights(folder: string, file: string): Promise<void> {
  const handle = await open(join(folder, file), 'r').catch(() => undefined);
  if (!handle) {
    const others = (await readdir(join(folder, 'onnx')).catch(() => [] as string[]))
      .filter(name => name.endsWith('.onnx'))
      .sort();
    const problem =
      others.length > 0 ? `it is missing; the folder has ${others.join(', ')}` : 'it is missing';
    throw incomplete(folder, file, problem);
  }
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(64), 0, 64, 0);
    const start = buffer.toString('latin1', 0, bytesRead);
    if (bytesRead < 64 || isPointer(start))
      throw incomplete(folder, file, isPointer(start) ? POINTER : 'it is empty or cut');
  } finally {
    await handle.close();
  }
}

export function incomplete(
  folder: string,
  file: string,
  problem: string,
  cause?: unknown,
): InputError {
  return new InputError(
    'incomplete-model',
    `The model in "${folder}" is incomplete: "${file}": ${problem}`,
    {
      cause,
      hint: 'Copy the model again, whole.',
    },
  );
}

async function fingerprintOf(paths: readonly string[]): Promise<string> {
  const whole = createHash('sha256');
  for (const path of paths) {
    const file = createHash('sha256');
    try {
      for await (const piece of createReadStream(path, { highWaterMark: 2 ** 20 }))
        file.update(piece as Buffer);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    whole.update(file.digest());
  }
  return whole.digest('hex').slice(0, 12);
}
