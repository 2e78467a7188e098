/** Reads token classifiers from a checkpoint, for `resources` of `ask`. */
import { readLite } from './lite-checkpoint.ts';
import { liteClassifiers } from './lite-classifiers.ts';
import type { TokenClassifiers } from './token-classifiers.ts';

/**
 * Returns the token classifiers of a parsed checkpoint: `lite.json` of the package
 * `@multihop/efficient-rag-lite`, or a file of `npm run lab -- efficient-rag train`. `id`: the
 * name in `efficient-rag(model=...)`. Throws `InputError` for anything else.
 *
 * @example
 * ```ts
 * import { readTokenClassifiers } from 'multihop/models';
 *
 * // For an engine in memory: ask(question, { engine, resources, strategy: 'efficient-rag' })
 * export async function resourcesFrom(url: string) {
 *   const weights: unknown = await (await fetch(url)).json();
 *   return { 'token-classifiers': readTokenClassifiers(weights) };
 * }
 * ```
 */
export const readTokenClassifiers = (checkpoint: unknown, id = 'lite'): TokenClassifiers =>
  liteClassifiers(readLite(checkpoint).model, id);
