/**
 * Builds the prompts of the roles `bridge`, `claim` and `verify`, and parses the replies, of which
 * it accepts only the requested fields. Prompts show documents as data.
 */

import type { Prompt } from '../../models/language-model.ts';
import { FLAG, listOf, NUMBER, objectOf, TEXT } from '../../models/reply-schema.ts';
import { withoutThinking } from '../../models/thoughts.ts';
import { isFields, textOf } from '../../planning/json-fields.ts';
import { fittedPassages, questionLine } from '../../planning/passages-prompt.ts';

/** Roles in traces and ledgers. */
export const BRIDGE = 'bridge';
export const CLAIM = 'claim';
export const VERIFY = 'verify';

const TARGET_TOKENS = 24;
export const CLAIM_TOKENS = 200;
const VERIFY_TOKENS = 40;
/** Longest texts that count, in UTF-16 units. */
const LONGEST_TARGET = 100;
const LONGEST_CLAIM = 1200;
/** Words of each part that a prompt shows, at most. */
const WORDS = 200;

/** A sentence with the text around it. */
export interface SentenceInPlace {
  readonly sentence: string;
  readonly before: string;
  readonly after: string;
  readonly title: string;
  readonly about: string;
}

const targetsSchema = (most: number): NonNullable<Prompt['schema']> =>
  objectOf('bridge_targets', {
    targets: { ...listOf({ type: 'string' }, most), minItems: 1 },
  });

/** Asks for the bridge targets of a question. */
export function targetsPrompt(question: string, most: number): Prompt {
  const count = most > 2 ? `2 to ${most}` : `at most ${most}`;
  const system = [
    `Name ${count} bridge targets of the question: the people, organisations and things that its evidence is about, by their full names.`,
    'Name a publisher only if the question is about it. Add nothing that the question does not name.',
    'Reply with JSON alone: {"targets": ["...", "..."]}',
  ].join('\n');
  return {
    role: BRIDGE,
    messages: [
      { role: 'system', text: system },
      { role: 'user', text: questionLine(question) },
    ],
    maxTokens: TARGET_TOKENS * most + 20,
    temperature: 0,
    schema: targetsSchema(most),
  };
}

/** Asks for the entities that a claim bridges to, beside the one that it is about. */
export const claimTargetsPrompt = (claim: string, most: number, atMost: number): Prompt =>
  fittedPassages(
    {
      role: BRIDGE,
      question: '',
      task: [
        `Name 1 to ${most} bridge targets of the claim: people, organisations or things in it that other claims may be about, by their full names.`,
      ],
      form: ['Reply with JSON alone: {"targets": ["...", "..."]}'],
      maxTokens: TARGET_TOKENS * most + 20,
      schema: targetsSchema(most),
    },
    [{ title: '', text: claim }],
    { words: WORDS, atMost },
  );

/** Asks for the claim of the sentence; `unsupported` are words that an earlier reply added. */
export const claimPrompt = (
  { sentence, before, after, title, about }: SentenceInPlace,
  atMost: number,
  unsupported: readonly string[] = [],
): Prompt =>
  fittedPassages(
    {
      role: CLAIM,
      question: '',
      task: [
        'Passage 1 is a sentence of an article; the others are the sentences around it. Write the one claim of passage 1 so that it is understood alone: full names for pronouns, nothing that passage 1 does not say; null if it makes no claim.',
        'Its target is the one person, organisation or thing that the claim is about. Its topic is a short noun phrase for what it says of it.',
      ],
      form: [
        'Reply with JSON alone: {"claim": "...", "target": "...", "topic": "..."}',
        ...(unsupported.length > 0
          ? ['An earlier claim added names or numbers that passage 1 and its title do not have.']
          : []),
      ],
      maxTokens: CLAIM_TOKENS,
      schema: objectOf('claim', {
        claim: TEXT,
        target: TEXT,
        topic: TEXT,
      }),
    },
    [
      { title, about, text: sentence },
      { title: 'before', text: before },
      { title: 'after', text: after },
    ],
    { words: WORDS, atMost },
  );

/** Asks if the evidence supports the claim. */
export const verifyPrompt = (
  { sentence, title, about }: Pick<SentenceInPlace, 'sentence' | 'title' | 'about'>,
  claim: string,
  atMost: number,
): Prompt =>
  fittedPassages(
    {
      role: VERIFY,
      question: '',
      task: [
        'Passage 1 is evidence, passage 2 a claim. Is the claim consistent with the evidence?',
      ],
      form: ['Reply with JSON alone: {"consistent": true, "score": 0.9}'],
      maxTokens: VERIFY_TOKENS,
      schema: objectOf('verification', {
        consistent: FLAG,
        score: NUMBER,
      }),
    },
    [
      { title, about, text: sentence },
      { title: 'claim', text: claim },
    ],
    { words: WORDS, atMost },
  );

const cleaned = (text: string, longest: number): string =>
  text
    .toWellFormed()
    .replace(/[^\P{C}\s]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, longest)
    .toWellFormed()
    .trim();

/** Reads `{ targets }`: up to `most` distinct texts with a letter or digit; undefined if none. */
export function readTargets(json: unknown, most: number): string[] | undefined {
  if (!isFields(json) || !Array.isArray(json['targets'])) return undefined;
  const texts = json['targets']
    .filter((text): text is string => typeof text === 'string' && text.length <= LONGEST_CLAIM)
    .map(text => cleaned(text, LONGEST_TARGET))
    .filter(text => /[\p{L}\p{N}]/u.test(text));
  const distinct = [...new Map(texts.map(text => [text.toLowerCase(), text])).values()];
  return distinct.length > 0 ? distinct.slice(0, most) : undefined;
}

export interface WrittenClaim {
  /** Undefined if the sentence makes no claim. */
  readonly claim: string | undefined;
  readonly target: string;
  readonly topic: string;
}

/** Reads `{ claim, target, topic }`; undefined if `claim` is neither null nor a usable text. */
export function readClaim(json: unknown): WrittenClaim | undefined {
  if (!isFields(json) || !Object.hasOwn(json, 'claim')) return undefined;
  const target = cleaned(textOf(json, 'target')?.slice(0, LONGEST_CLAIM) ?? '', LONGEST_TARGET);
  const topic = cleaned(textOf(json, 'topic')?.slice(0, LONGEST_CLAIM) ?? '', LONGEST_TARGET);
  if (json['claim'] === null) return { claim: undefined, target, topic };
  const claim = textOf(json, 'claim');
  if (claim === undefined || claim.length > LONGEST_CLAIM) return undefined;
  const text = cleaned(claim, LONGEST_CLAIM);
  return /[\p{L}\p{N}]/u.test(text) ? { claim: text, target, topic } : undefined;
}

const LABELLED =
  /^\W*(claim|(?:bridge[- ])?target|(?:bridge[- ])?topic)[^\w:=]*[:=][*_]*\s*(\S.*)$/i;

/** Reads a claim from the last three labelled lines of a text that is no JSON. */
export function readClaimLines(text: string): WrittenClaim | undefined {
  const found = new Map<string, string>();
  for (const line of withoutThinking(text).slice(-4000).split('\n')) {
    const match = LABELLED.exec(line);
    if (match) found.set(match[1]!.toLowerCase().replace(/^bridge[- ]/, ''), match[2]!);
  }
  const claim = found.get('claim');
  return claim === undefined
    ? undefined
    : readClaim({ claim, target: found.get('target') ?? '', topic: found.get('topic') ?? '' });
}

/** Least score of a verified claim; the paper names none. */
const CONSISTENT = 0.5;

/** Reads `{ consistent, score }`: the score decides where there is one from 0 to 1. */
export function readVerdict(json: unknown): { readonly consistent: boolean } | undefined {
  if (!isFields(json)) return undefined;
  const { score, consistent } = json;
  if (typeof score === 'number' && score >= 0 && score <= 1)
    return { consistent: score >= CONSISTENT };
  return typeof consistent === 'boolean' ? { consistent } : undefined;
}
