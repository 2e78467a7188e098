/**
 * Declares the port of entity recognisers: they name what sentences are about, by spelling, by a
 * token classifier, or by a language model that states relations too.
 */

import type { Call } from '../core/trace/call.ts';
import { invalidOutput } from './invalid-output.ts';

/** A document as a recogniser reads it; a question is one without a title, of one sentence. */
export interface SentencesOfDocument {
  readonly title: string;
  readonly sentences: readonly string[];
}

/** A relation between two entities, in the words of the model. */
export interface EntityTriple {
  readonly head: string;
  readonly relation: string;
  readonly tail: string;
}

export interface RecognisedEntities {
  /** The names of each sentence, in their order, each as often as it occurs. */
  readonly sentences: readonly (readonly string[])[];
  /** Missing for a recogniser that states no relations. */
  readonly triples?: readonly EntityTriple[];
}

export interface EntityRecogniser {
  /** Names the model and every setting that changes what it finds. */
  readonly id: string;
  /** Documents that an index has read in one call; 64 if missing. */
  readonly batch?: number;
  /**
   * Returns the entities of each document, in order: they depend on that document alone. Throws
   * `PortError` for faults of the environment.
   */
  recognise(documents: readonly SentencesOfDocument[], call: Call): Promise<RecognisedEntities[]>;
}

/** Returns the name under which mentions of an entity meet: words in lower case, no marks. */
export const entityName = (mention: string): string =>
  mention
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();

/** Calls a recogniser and validates what it found. Throws `PortError`, the signal's reason. */
export async function recogniseChecked(
  recogniser: EntityRecogniser,
  documents: readonly SentencesOfDocument[],
  call: Call,
): Promise<RecognisedEntities[]> {
  call.signal.throwIfAborted();
  const found = await recogniser.recognise(documents, call);
  call.signal.throwIfAborted();
  return checkedEntities(recogniser, documents, found);
}

/** Throws `PortError` unless there is one list of names a sentence. */
export function checkedEntities(
  { id }: EntityRecogniser,
  documents: readonly SentencesOfDocument[],
  found: RecognisedEntities[],
): RecognisedEntities[] {
  const fail = invalidOutput(
    'entity-recogniser',
    `The recogniser "${id}" returned invalid entities`,
  );
  if (found.length !== documents.length)
    throw fail('wrong-count', `${documents.length} documents`, String(found.length));
  for (const [at, { sentences, triples = [] }] of found.entries()) {
    const count = documents[at]!.sentences.length;
    if (sentences.length !== count)
      throw fail('wrong-count', `names of ${count} sentences`, String(sentences.length));
    const names = triples.flatMap(({ head, relation, tail }) => [head, relation, tail]);
    const odd = [...sentences.flat(), ...names].find(name => typeof name !== 'string');
    if (odd !== undefined) throw fail('no-text', 'texts as names', typeof odd);
  }
  return found;
}
