/**
 * Recognises entities and relations by a language model: open information extraction as HippoRAG
 * does it (Gutiérrez et al., NeurIPS 2024, arXiv 2405.14831, section 2.3), with two calls a
 * passage.
 *
 * A passage is consecutive sentences of one document, up to 256 words. A reply that is no JSON
 * names nothing: the passage has no entities then, and is found by other edges. Nothing is asked
 * twice.
 */

import { countWords, wordRuns } from '../../core/text/words.ts';
import type { Call } from '../../core/trace/call.ts';
import type {
  EntityRecogniser,
  EntityTriple,
  RecognisedEntities,
  SentencesOfDocument,
} from '../../models/entity-recogniser.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import { firstTokens } from '../../models/prompt-tokens.ts';
import { placedEntities } from './placed-entities.ts';
import { ENTITY_ROLE, entityPrompt, TRIPLE_ROLE, triplePrompt } from './triple-prompts.ts';
import { type ReadReply, readEntities, readTriples } from './triple-replies.ts';

/** Words of a passage, as the default chunker counts and limits them. */
const WORDS = 256;
/** Documents between two reports of progress. */
const BATCH = 8;
/** Counts up with the prompts and their reading: entities of another version are others. */
const VERSION = 2;

/** Calls and replies of a recogniser since it was made; updated in place. */
export interface TripleCounts {
  /** Calls by role, those that a cache answered included. */
  readonly calls: Readonly<Record<string, number>>;
  /** Triples of another number of parts, or with an empty part. */
  readonly dropped: number;
  /** Replies that were cut off and read up to their last complete entry. */
  readonly cut: number;
  /** Replies without the JSON asked for. */
  readonly unread: number;
}

export interface TripleRecogniser extends EntityRecogniser {
  readonly counts: TripleCounts;
}

export function tripleRecogniser(model: LanguageModel): TripleRecogniser {
  const calls: Record<string, number> = { [ENTITY_ROLE]: 0, [TRIPLE_ROLE]: 0 };
  const counts = { calls, dropped: 0, cut: 0, unread: 0 };
  const count = (role: string, { dropped, state }: ReadReply<unknown>): void => {
    calls[role] = calls[role]! + 1;
    if (role === TRIPLE_ROLE) counts.dropped += dropped;
    if (state !== 'whole') counts[state]++;
  };
  const read = async (
    title: string,
    sentences: readonly string[],
    call: Call,
  ): Promise<{ names: string[][]; triples: readonly EntityTriple[] }> => {
    const passage = { title, text: passageText(sentences) };
    const entities = readEntities((await model.generate(entityPrompt(passage), call)).text);
    count(ENTITY_ROLE, entities);
    const prompt = triplePrompt(passage, entities.values);
    const stated = readTriples((await model.generate(prompt, call)).text);
    count(TRIPLE_ROLE, stated);
    const names = placedEntities(sentences, entities.values, stated.values);
    return { names, triples: stated.values };
  };
  return {
    id: `triples(${model.id}, version=${VERSION})`,
    counts,
    batch: BATCH,
    async recognise(documents, call) {
      const all: RecognisedEntities[] = [];
      for (const document of documents) {
        const sentences: string[][] = [];
        const triples: EntityTriple[] = [];
        for (const passage of passagesOf(document)) {
          call.signal.throwIfAborted();
          const found = await read(document.title, passage, call);
          sentences.push(...found.names);
          triples.push(...found.triples);
        }
        all.push({ sentences, triples });
      }
      return all;
    },
  };
}

/** Words are short: texts without blanks count as one for so many bytes. */
const BYTES_A_WORD = 10;
/** Tokens of so many bytes, as `promptTokens` counts. */
const TOKENS_A_WORD = 4;

const sizeOf = (text: string): number =>
  Math.max(countWords(text), Math.ceil(new TextEncoder().encode(text).length / BYTES_A_WORD));

/** Returns what a prompt shows of a passage: a single longer sentence is cut. */
export function passageText(sentences: readonly string[]): string {
  const text = sentences.join(' ');
  if (sentences.length > 1 || sizeOf(text) <= WORDS) return text;
  let words = 0;
  for (const [start] of wordRuns(text))
    if (words++ === WORDS) return inBytes(text.slice(0, start).trimEnd());
  return inBytes(text);
}

const inBytes = (text: string): string => firstTokens(text, WORDS * TOKENS_A_WORD);

/** Returns the sentences of a document in passages; none for a document without sentences. */
export function passagesOf({ sentences }: SentencesOfDocument): string[][] {
  const passages: string[][] = [];
  let room = 0;
  for (const sentence of sentences) {
    const words = sizeOf(sentence);
    if (passages.length === 0 || words > room) {
      passages.push([]);
      room = WORDS;
    }
    passages.at(-1)!.push(sentence);
    room -= words;
  }
  return passages;
}
