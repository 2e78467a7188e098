/** Lite checkpoints from files, as the token classifiers that `efficient-rag(model=NAME)` names. */
import { existsSync } from 'node:fs';
import { InputError } from '../errors.ts';
import type { TokenClassifiers } from '../models/efficient-rag/token-classifiers.ts';
import { parseJson } from './formats/json-text.ts';
import { readBytes } from './replace-file.ts';
import type { NamedModel } from './runs/evaluation-manifest.ts';
import { sha256 } from './sha256.ts';

/** `FILE`, or `NAME=FILE`. */
const NAMED = /^([\p{L}_][\p{L}\p{N}_.-]*)=(.+)$/u;
const DEFAULT_NAME = 'lite';

/**
 * In the order given; each with the hash of its file. Throws `InputError` for what is no file or no
 * checkpoint.
 */
export async function openTokenClassifiers(
  given: readonly string[],
): Promise<NamedModel<TokenClassifiers>[]> {
  if (given.length === 0) return [];
  const { readLite } = await import('../models/efficient-rag/lite-checkpoint.ts');
  const { liteClassifiers } = await import('../models/efficient-rag/lite-classifiers.ts');
  const opened: NamedModel<TokenClassifiers>[] = [];
  for (const text of given) {
    const [, name, named] = (existsSync(text) ? null : NAMED.exec(text)) ?? [];
    const [id, path] = [name ?? DEFAULT_NAME, named ?? text];
    if (opened.some(({ model }) => model.id === id))
      throw new InputError('duplicate-name', `Two token classifiers have the name "${id}"`, {
        hint: 'Name them: --token-classifiers one=FILE --token-classifiers other=FILE, and in the strategy efficient-rag(model=one).',
      });
    const bytes = readBytes(path);
    try {
      const { model } = readLite(parseJson(new TextDecoder().decode(bytes), path));
      opened.push({ model: liteClassifiers(model, id), identity: `sha256:${sha256(bytes)}` });
    } catch (error) {
      if (!InputError.is(error)) throw error;
      throw new InputError(error.code, `The token classifiers ${path}: ${error.message}`, {
        cause: error,
      });
    }
  }
  return opened;
}
