/**
 * Two-hop questions in English for a paragraph and one that it names, written by the rules of two
 * tables.
 */

import { mulberry32 } from '../../../src/core/mulberry32.ts';
import { shuffled } from '../../../src/evaluation/fitting/folds.ts';
import type { TrainingParagraph, TrainingQuestion } from '../training-question.ts';
import { MENTION_ATTRIBUTES, type MentionAttribute } from './mention-attributes.ts';
import { type MentionKind, type Subject, subjectOf } from './mention-kinds.ts';
import { bareTitle, type Mention, mentionsOf, someMentions } from './mention-pairs.ts';
import { MENTION_RELATIONS, type MentionRelation } from './mention-relations.ts';

export interface MentionOptions {
  /** Questions of each pair. */
  readonly perPair: number;
  /** Pairs that lead to one paragraph, at most. */
  readonly perTarget?: number;
  readonly seed: number;
}

/**
 * Each a chain of two: the paragraph that names, then the named one. What is written of a pair
 * depends on the seed and the pair alone.
 */
export function mentionQuestions(
  paragraphs: readonly TrainingParagraph[],
  { perPair, perTarget = 12, seed }: MentionOptions,
): TrainingQuestion[] {
  if (perPair === 0) return [];
  const subjects = paragraphs.map(subjectOf);
  return someMentions(mentionsOf(paragraphs), perTarget, seed).flatMap(mention => {
    const { from, to } = mention;
    const random = mulberry32(
      seed ^ Math.imul(from + 1, 0x9e3779b1) ^ Math.imul(to + 1, 0x85ebca6b),
    );
    const pair = {
      mention,
      a: paragraphs[from]!,
      b: paragraphs[to]!,
      of: subjects[from]!,
      to: subjects[to]!,
    };
    const written = writtenOf(pair, perPair, random);
    return written.map(
      ({ text, relation }, at): TrainingQuestion => ({
        dataset: 'mentions',
        id: `${from} ${to} ${at}`,
        type: relation,
        text,
        paragraphs: [pair.a, pair.b],
        ownContext: false,
        supporting: [],
        evidences: [],
        steps: [],
        order: [0, 1],
      }),
    );
  });
}

interface Pair {
  readonly mention: Pick<Mention, 'at' | 'length'>;
  readonly a: TrainingParagraph;
  readonly b: TrainingParagraph;
  readonly of: Subject;
  readonly to: Subject;
}

/** Different ones where the rules have as many; of one pair the relation is the same. */
function writtenOf(
  pair: Pair,
  count: number,
  random: () => number,
): { readonly text: string; readonly relation: string }[] {
  const { relation, says, to } = relationOf(pair);
  // Nothing is known of either, and no word stands beside the name: "the one of Skatutakee Lake"
  // would ask nothing.
  if (relation === 'other' && to.kind === 'other' && says.length <= GENERAL.length) return [];
  const asked = { ...pair, to };
  const attributes = shuffled(attributesOf(asked), random);
  return [...new Array(count).keys()].map(at => {
    const ask = pick(attributes[at % attributes.length]!.asks, random);
    const text = ask.replace('{x}', () => describe(pick(says, random), asked, random));
    return { relation, text: styled(text, random) };
  });
}

export interface Related {
  /** A name of the table, or `clause`, or `other`. */
  readonly relation: string;
  readonly says: readonly string[];
  /**
   * A named paragraph that does not say what it is about is what the relation leads to: a director
   * is a person.
   */
  readonly to: Subject;
}

/**
 * The rule that matches nearest to the name; else the clause between the subject and the name; else
 * that the two belong together.
 */
export function relationOf({ mention, a, of, to }: Pair): Related {
  const before = sentenceBefore(a.text, mention.at);
  const near = before
    .replace(/\([^()]*\)?/g, ' ')
    .replace(/["“”]/g, '')
    .replace(/\s+/g, ' ')
    .replaceAll(' ,', ',')
    .slice(-300)
    .trimEnd();
  const matches = MENTION_RELATIONS.flatMap(rule => {
    const leads = rule.to.includes(to.kind) || (to.kind === 'other' && isOfPerson(rule));
    const match =
      leads && (rule.of.includes(of.kind) || of.kind === 'other') ? rule.before.exec(near) : null;
    return match ? [{ rule, at: match.index }] : [];
  });
  matches.sort((first, second) => second.at - first.at);
  const best = matches[0]?.rule;
  if (best)
    return {
      relation: best.name,
      says: best.says,
      to: best.to.includes(to.kind) ? to : { kind: 'person', noun: '' },
    };
  const clause = clauseOf(before, a);
  if (clause !== undefined) return { relation: 'clause', says: [`the {b} that {a} ${clause}`], to };
  return { relation: 'other', says: [...besideName(near), ...GENERAL], to };
}

/** They say that the two belong together. */
const GENERAL = ['the {b} of {a}', 'the {b} that {a} is linked to'];

/**
 * The last words before the name, whatever they are: hardly English, but a question shares words
 * with the place in the paragraph that it is about, and that is what an embedder sees of it.
 */
function besideName(near: string): string[] {
  const words = near.match(/[\p{L}\p{N}'’-]+/gu)?.slice(-4) ?? [];
  if (words.length < 2) return [];
  return [`the {b} that {a} ${words.join(' ')}`, `the {b} of {a}, ${words.join(' ')}`];
}

/** Words as "directed by" tell that a person follows; "in" and "for" tell nothing of the kind. */
const isOfPerson = ({ to }: MentionRelation): boolean => to.length === 1 && to[0] === 'person';

/** From the beginning of its sentence. A full stop after an initial or in "U.S." ends none. */
function sentenceBefore(text: string, at: number): string {
  const before = text.slice(0, at);
  const ends = [...before.matchAll(/(?<=[\p{Ll}\p{N})"”]{2})[.!?]["”]?\s+(?=\S)/gu)];
  const last = ends.at(-1);
  return last ? before.slice(last.index + last[0].length) : before;
}

/**
 * "He played for" leads from the subject to the name: its verb and preposition, where the sentence
 * is about the subject and short.
 */
function clauseOf(before: string, { title }: TrainingParagraph): string | undefined {
  const plain = before
    .replace(/\([^()]*\)/g, ' ')
    .replace(/["“”]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  const name = bareTitle(title);
  const subject = plain.startsWith(name)
    ? name
    : /^(?:He|She|It|They|The (?:film|song|album|band|series|book|novel|game|show|company|group|team|city|town|village|school))\b/.exec(
        plain,
      )?.[0];
  if (subject === undefined) return undefined;
  const words = plain
    .slice(subject.length)
    .trim()
    .replace(/ (?:the|a|an|his|her|its|their)$/, '');
  const verb =
    /^(?:(?:also|later|first|then|previously|currently) )?(?:is|was|were|are|has|had|[a-z]{2,}(?:ed|es|[a-rt-z]s)|won|led|wrote|sang|met|held|left|made|grew|lost|began) /;
  const ending =
    /(?: (?:of|by|in|with|for|from|at|on|to|as|against|near|under|into|after|through)|ed)$/;
  if (
    !verb.test(`${words} `) ||
    !ending.test(words) ||
    /[,;:]/.test(words) ||
    words.split(' ').length > 9
  )
    return undefined;
  return words;
}

function attributesOf({ b, to }: Pair): MentionAttribute[] {
  return MENTION_ATTRIBUTES.filter(
    ({ of, shows }) => of.includes(to.kind) && (shows === undefined || shows.test(b.text)),
  );
}

/** Nouns where a text gives none. */
const NOUN: Readonly<Record<MentionKind, string>> = {
  person: 'person',
  work: 'work',
  place: 'place',
  organisation: 'organisation',
  event: 'event',
  other: 'one',
};
/** Said before a name: "the director of film Le Gang". */
const SAID_BEFORE =
  /^(?:film|album|song|novel|book|series|band|magazine|company|game|play|single)$/;

function describe(phrase: string, { a, of, to }: Pair, random: () => number): string {
  const bare = random() < 0.6 ? bareTitle(a.title) : a.title;
  // A title that says what it is needs no word for it, nor does a possessive.
  const typed =
    bare === bareTitle(a.title) &&
    SAID_BEFORE.test(of.noun) &&
    !bare.toLowerCase().includes(of.noun);
  const name =
    typed && random() < 0.7
      ? `${/^the |^\{a\}/.test(phrase) && random() < 0.3 ? 'the ' : ''}${of.noun} ${bare}`
      : bare;
  return phrase
    .replace('{a}', () => name.replaceAll('&amp;', '&'))
    .replace('{b}', () => to.noun || NOUN[to.kind]);
}

/** People leave out capitals and question marks. */
function styled(text: string, random: () => number): string {
  const first = random() < 0.2 ? text[0]!.toLowerCase() : text[0]!.toUpperCase();
  return random() < 0.15 ? first + text.slice(1).replace(/\?$/, '') : first + text.slice(1);
}

const pick = <T>(all: readonly T[], random: () => number): T =>
  all[Math.floor(random() * all.length)]!;
