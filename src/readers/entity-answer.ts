/**
 * Answers with the entity that the evidence shares and the question does not name.
 *
 * Ranks capitalised names by their sum over documents, without names of the question and of
 * sources. A document counts by its retrieval score, and a repeated name a little more.
 */

import { metadataText } from '../core/corpus/document.ts';
import type { ContextText, Evidence } from '../core/trace/trace.ts';
import { calledBy } from '../language/english/names/name-kinds.ts';
import { findNames, type NameSpan } from '../language/english/names/names.ts';
import { longerNames, looksLikePerson, singleNames } from '../language/english/names/persons.ts';
import type { AskedQuestion } from '../language/english/question/asked-question.ts';
import type { SaidSentence } from './shown-sentences.ts';

export interface EntityAnswer {
  readonly text: string;
  /** Indexes of the shown sentences that contain the name. */
  readonly sentences: readonly number[];
}

/** Weight of a repetition inside one document, and the most repetitions that count. */
const REPEAT_WEIGHT = 0.5;
const REPEATS_COUNTED = 3;

/** Weight of a name of the requested kind, and of a name of another known kind. */
const MATCHING_KIND = 2;
const OTHER_KIND = 0.25;

interface Mentioned {
  readonly part: number;
  readonly name: string;
  /** Stems of the nouns by which the text calls it. */
  readonly nouns: readonly string[];
  /** Index of the sentence; undefined for a name in a heading. */
  readonly sentence: number | undefined;
}

export function entityAnswer(
  asked: AskedQuestion,
  context: ContextText,
  evidence: readonly Evidence[],
  sentences: readonly SaidSentence[],
  knownSources: readonly string[],
): EntityAnswer | undefined {
  const mentioned = fullNames(mentionsOf(context, evidence, sentences));
  const kind = kindWeights(asked, mentioned, sentences);
  const questionText = asked.text.toLowerCase();
  const sources = new Set(knownSources.map(name => name.toLowerCase()));
  const weights = partWeights(context, evidence);
  const scores = new Map<string, number>();
  for (const [name, counts] of countByPart(mentioned)) {
    const lower = name.toLowerCase();
    if (questionText.includes(lower) || sources.has(lower)) continue;
    let total = 0;
    for (const [part, count] of counts)
      total += weights[part]! * (1 + REPEAT_WEIGHT * Math.min(count - 1, REPEATS_COUNTED));
    scores.set(name, total * counts.size * kind(name));
  }
  const best = [...scores].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0];
  if (!best) return undefined;
  const holding = mentioned.flatMap(({ name, sentence }) =>
    name === best[0] && sentence !== undefined ? [sentence] : [],
  );
  return { text: best[0], sentences: [...new Set(holding)] };
}

/**
 * Returns the retrieval scores of the context's parts as shares of the best; 1 each if no score is
 * positive.
 */
function partWeights(context: ContextText, evidence: readonly Evidence[]): number[] {
  const score = new Map(evidence.map(item => [item.id, item.score]));
  const best = Math.max(...evidence.map(item => item.score));
  return context.parts.map(part => (best > 0 ? Math.max(0, (score.get(part.id) ?? 0) / best) : 1));
}

function mentionsOf(
  context: ContextText,
  evidence: readonly Evidence[],
  sentences: readonly SaidSentence[],
): Mentioned[] {
  const byId = new Map(evidence.map(item => [item.id, item]));
  const mentioned: Mentioned[] = [];
  const add = (part: number, text: string, name: NameSpan, sentence: number | undefined): number =>
    mentioned.push({ part, name: name.text, nouns: calledBy(text, name).flat(), sentence });
  for (const [part, { id }] of context.parts.entries()) {
    const item = byId.get(id);
    if (!item) continue;
    for (const name of findNames(item.title))
      if (name.text !== metadataText(item.metadata, 'source'))
        add(part, item.title, name, undefined);
  }
  for (const [index, { part, text, said }] of sentences.entries())
    for (const name of said.names) add(part, text, name, index);
  return mentioned;
}

/** Returns a function that weighs names by the kind that the question asks for. */
function kindWeights(
  { kind, noun, described }: AskedQuestion,
  mentioned: readonly Mentioned[],
  sentences: readonly SaidSentence[],
): (name: string) => number {
  const alone = singleNames(sentences.flatMap(({ said }) => said.names.map(({ text }) => text)));
  const nouns = new Map<string, Set<string>>();
  for (const entry of mentioned) {
    const known = nouns.get(entry.name) ?? new Set<string>();
    for (const noun of entry.nouns) known.add(noun);
    nouns.set(entry.name, known);
  }
  return name => {
    const beside = nouns.get(name) ?? new Set<string>();
    let weight = 1;
    if (noun !== '' && beside.has(noun)) weight *= MATCHING_KIND;
    if (!beside.isDisjointFrom(described)) weight *= OTHER_KIND;
    const person = looksLikePerson(name, alone);
    if (kind === 'person') weight *= person ? MATCHING_KIND : 1;
    else if (noun !== '' && person) weight *= OTHER_KIND;
    return weight;
  };
}

/**
 * Replaces a name of one word by the longer name that it abbreviates: "Altman" by Sam Altman, and
 * "Dunmarrow" by Dunmarrow Drives if no other name begins so ("Google" is ambiguous beside Google
 * Play and Google Cloud).
 */
function fullNames(mentioned: readonly Mentioned[]): Mentioned[] {
  const names = mentioned.map(({ name }) => name);
  const longer = longerNames(names);
  const several = new Set(names.filter(name => /\s/.test(name)));
  const byFirst = Map.groupBy(several, name => name.split(/\s+/)[0]!);
  const full = (name: string): string => {
    const beginning = byFirst.get(name) ?? [];
    return longer.get(name) ?? (beginning.length === 1 ? beginning[0]! : name);
  };
  return mentioned.map(entry => ({ ...entry, name: full(entry.name) }));
}

function countByPart(mentioned: readonly Mentioned[]): Map<string, Map<number, number>> {
  const counts = new Map<string, Map<number, number>>();
  for (const { name, part } of mentioned) {
    const parts = counts.get(name) ?? new Map<number, number>();
    parts.set(part, (parts.get(part) ?? 0) + 1);
    counts.set(name, parts);
  }
  return counts;
}
