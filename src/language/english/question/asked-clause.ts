/**
 * Splits a question into the clause that asks and the clauses that describe: "Who built the bridge"
 * and "that joins the two islands".
 */
import { ENGLISH_STOP_WORDS } from '../words/stop-words.ts';
import { verbStems } from '../words/verb-forms.ts';

/** Words that begin a clause of description. */
const RELATIVE = /^(?:that|which|who|whom|whose|where|when|while|whilst)$/iu;
/** Words of the asking clause, at most: longer ones describe, whatever their grammar. */
const REACH = 9;

/**
 * Returns weights from 0 to 1 of the stems of the asking clause. A stem counts fully up to the next
 * relative word after the question word, and less the farther it stands.
 */
export function askingStems(text: string, at: number): ReadonlyMap<string, number> {
  const words = [...text.matchAll(/[\p{L}\p{N}’'-]+/gu)];
  const weights = new Map<string, number>();
  const first = Math.max(
    0,
    words.findIndex(({ index }) => index >= at),
  );
  const add = (word: string, weight: number): void => {
    for (const part of word.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
      if (!ENGLISH_STOP_WORDS.has(part))
        for (const stem of verbStems(part))
          weights.set(stem, Math.max(weight, weights.get(stem) ?? 0));
  };
  let distance = 0;
  let described = false;
  for (const [index, word] of words.slice(first + 1).entries()) {
    const next = words[first + 2 + index]?.[0];
    // A participle before "by" describes as a relative clause does: "pages written by".
    if (index > 0 && (RELATIVE.test(word[0]) || next === 'by')) described = true;
    if (!ENGLISH_STOP_WORDS.has(word[0].toLowerCase())) distance++;
    if (distance > REACH) break;
    add(word[0], described ? Math.exp(-distance / 3) / 2 : Math.exp(-distance / REACH));
  }
  // "The film ... was directed by which man?": words before the question word ask.
  for (const [index, word] of words.slice(0, first).reverse().entries()) {
    if (index >= REACH || RELATIVE.test(word[0])) break;
    add(word[0], Math.exp(-index / 4));
  }
  return weights;
}
