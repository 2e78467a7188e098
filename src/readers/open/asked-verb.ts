/** Checks that the sentences of an answer state what the question's verb asks: "Who owns ...?" */

import { statingStems } from '../../language/english/words/verb-groups.ts';
import type { OpenDecision } from './decide.ts';
import type { OpenReading } from './reading.ts';

/**
 * Returns false if the answer is a span, the question asks by a verb for who does something, and no
 * sentence of the answer holds that verb or a word that states the same. The answer to a nested
 * question rests on a chain of sentences, which may state it in other ways.
 */
export function statesVerb(
  { asked: { verb, nested }, sentences }: Pick<OpenReading, 'asked' | 'sentences'>,
  { form, sentences: cited }: Pick<OpenDecision, 'form' | 'sentences'>,
): boolean {
  if (form !== 'span' || verb === '' || nested) return true;
  const stating = statingStems(verb);
  return cited.some(index => !sentences[index]!.stems.isDisjointFrom(stating));
}
