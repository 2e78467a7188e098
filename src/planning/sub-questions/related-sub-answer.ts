/**
 * Answers a description ("the director of X") without a model: by the name nearest to a word of the
 * relation in the sentences that share most words with it.
 *
 * `extractiveSubAnswer` takes the first name of the best sentence; a sentence of Wikipedia names
 * several, and its verb tells which ("directed by A and starring B").
 */

import { wordsIn } from '../../core/text/matched-words.ts';
import { withReplacements } from '../../core/text/replace-spans.ts';
import { sentenceSpans } from '../../core/text/sentences.ts';
import { findNames } from '../../language/english/names/names.ts';
import { contentWords, sentenceSupport } from '../../language/english/words/content-words.ts';
import { extractiveSubAnswer } from './extractive-sub-answer.ts';
import { type ReadAnswer, UNKNOWN } from './read-answer.ts';
import { citationsOf, type ReadPassage } from './read-passage.ts';

/** Weight of a passage at rank r, from 0: 1 / (1 + RANK_LOSS r), as in `extractiveSubAnswer`. */
const RANK_LOSS = 0.5;
/** Letters that two forms of a word share: "director", "directed". */
const STEM = 5;
/**
 * Words by which Wikipedia states a noun of kinship or work. `verb-groups.ts` lists more, for
 * verbs, and misleads: `chain` over 300 questions of 2WikiMultiHopQA reaches a Recall@5 of 92.58
 * with both, 92.83 with these.
 */
const STATED: Readonly<Record<string, readonly string[]>> = {
  author: ['written', 'wrote', 'novel', 'book'],
  writer: ['written', 'wrote'],
  husband: ['married', 'wife', 'spouse'],
  wife: ['married', 'husband', 'spouse'],
  spouse: ['married', 'husband', 'wife'],
  father: ['son', 'daughter', 'child'],
  mother: ['son', 'daughter', 'child'],
  parent: ['son', 'daughter', 'child', 'father', 'mother'],
  child: ['son', 'daughter', 'father', 'mother'],
  sibling: ['brother', 'sister'],
  birthplace: ['born'],
  birth: ['born'],
  founder: ['founded', 'established'],
  maker: ['made', 'manufactured'],
  singer: ['sung', 'recorded', 'song'],
  performer: ['recorded', 'song', 'album', 'sung'],
  band: ['recorded', 'album'],
};
const ASKS_FOR_VALUE =
  /\b(?:when|how (?:many|much|long|far|old)|(?:what|which) (?:year|date|day))\b/i;

/**
 * Returns `UNKNOWN` if the passages contain no candidate. Passages of one document are together;
 * their rank is that of their document.
 */
export function relatedSubAnswer(question: string, passages: readonly ReadPassage[]): ReadAnswer {
  if (ASKS_FOR_VALUE.test(question)) return extractiveSubAnswer(question, passages);
  const ranks = [...new Set(passages.map(({ documentId }) => documentId))];
  const sentences = passages.flatMap(({ documentId, title, text }) =>
    sentenceSpans(text).map(([start, end]) => ({
      title,
      text: text.slice(start, end),
      rank: ranks.indexOf(documentId),
    })),
  );
  const support = sentenceSupport(
    question,
    sentences.map(({ title, text }) => `${title} ${text}`),
  );
  const asked = contentWords(question);
  const relation = relationWords(question);
  let best: { readonly name: string; readonly score: readonly [number, number] } | undefined;
  for (const [index, { rank, text }] of sentences.entries()) {
    const weight = support[index]! / (1 + RANK_LOSS * rank);
    if (weight === 0) continue;
    const places = relationPlaces(text, relation);
    for (const { text: name, start } of findNames(text)) {
      const words = [...contentWords(name)];
      if (words.length === 0 || words.every(word => asked.has(word))) continue;
      const near = nearness(start, places);
      if (!best || weight > best.score[0] || (weight === best.score[0] && near > best.score[1]))
        best = { name, score: [weight, near] };
    }
  }
  if (!best) return UNKNOWN;
  const occurrences = citationsOf(best.name, passages);
  return occurrences.length === 0
    ? UNKNOWN
    : { answer: best.name, occurrences, citations: occurrences.slice(0, 1), outputs: [] };
}

/** Returns the words of the question outside its names, each with what states it. */
function relationWords(question: string): string[] {
  const outside = withReplacements(
    question,
    findNames(question).map(({ start, end }) => ({ start, end, by: '' })),
  );
  return [...contentWords(outside)].flatMap(word => [word, ...(STATED[word] ?? [])]);
}

function relationPlaces(text: string, relation: readonly string[]): number[] {
  const lower = text.toLowerCase();
  const places: number[] = [];
  let at = 0;
  for (const word of wordsIn(lower)) {
    at = lower.indexOf(word, at);
    if (relation.some(other => sameStem(word, other))) places.push(at + word.length);
    at += word.length;
  }
  return places;
}

const sameStem = (a: string, b: string): boolean =>
  a === b || (a.length >= STEM && b.length >= STEM && a.slice(0, STEM) === b.slice(0, STEM));

/** Greater for a name that follows a word of the relation sooner; 0 if it follows none. */
function nearness(start: number, places: readonly number[]): number {
  const gaps = places.filter(place => place <= start).map(place => start - place);
  return gaps.length === 0 ? 0 : 1 / (1 + Math.min(...gaps));
}
