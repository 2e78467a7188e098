/**
 * Parses a language model's output for the generative reader into an answer whose citations point
 * into the shown passages.
 */

import type { Answer, Citation, Evidence, Question } from '../core/trace/trace.ts';
import { sentenceSupport } from '../language/english/words/content-words.ts';
import type { Structured } from '../models/structured.ts';
import {
  answerOf,
  INSUFFICIENT,
  LONGEST_ANSWER,
  saysInsufficient,
} from '../planning/short-answer.ts';
import { lexicalSupport } from './lexical-support.ts';
import { citationOf, type PlacedSentence, type ShownPassage } from './shown-passages.ts';

export interface ParsedAnswer {
  readonly answer: string;
  /** Numbers of passages, valid or not. */
  readonly citations: readonly number[];
  readonly abstain: boolean;
}

/** Reasons of abstentions. */
export const NOTHING_CITED = 'The answer cites nothing in the evidence';
export const UNREADABLE = 'The output of the model is not a readable answer';

/** Greatest number of citations that are read. */
const MAX_CITATIONS = 100;

/**
 * Reads the answer from parsed JSON; returns undefined if it has another shape. An abstention needs
 * neither text nor citations.
 */
export function parseAnswer(json: unknown): ParsedAnswer | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  const { citations, abstain } = json as { citations?: unknown; abstain?: unknown };
  const abstains = abstain === true || abstain === 'true';
  const answer = answerOf(json) ?? (abstains ? INSUFFICIENT : undefined);
  if (answer === undefined) return undefined;
  const numbers = numbersIn(citations) ?? (abstains || saysInsufficient(answer) ? [] : undefined);
  return numbers && { answer, citations: numbers, abstain: abstains };
}

/** Reads `[1, "2", "[3]"]`, or a single one of these. */
function numbersIn(citations: unknown): number[] | undefined {
  const list =
    typeof citations === 'number' || typeof citations === 'string' ? [citations] : citations;
  if (!Array.isArray(list)) return undefined;
  const numbers = list.slice(0, MAX_CITATIONS).map(each => {
    const digits =
      typeof each === 'string' && each.length <= 40
        ? /^[^-\d]*(\d{1,4})\D*$/.exec(each)?.[1]
        : undefined;
    return typeof each === 'number' ? each : Number(digits ?? Number.NaN);
  });
  return [...new Set(numbers.filter(Number.isInteger))];
}

export interface Reading {
  readonly question: Question;
  /** Passages that the prompt showed, numbered from 1. */
  readonly passages: readonly ShownPassage[];
  readonly evidence: readonly Evidence[];
  /** Treatment of an answer without a valid citation. */
  readonly uncited: 'withhold' | 'mark';
}

/**
 * Returns an abstention, or an answer with its supporting sentences, marked `unsupported` if the
 * cited passages do not contain it.
 */
export function readAnswer(output: Structured<ParsedAnswer>, reading: Reading): Answer {
  if (output.kind === 'unparsed') return unread(output.texts);
  const { answer, abstain, citations: numbers } = output.value;
  const text = answer.toWellFormed();
  const { question, passages, evidence } = reading;
  const cited = numbers.flatMap(number => passages[number - 1] ?? []);
  const dropped = numbers.filter(number => passages[number - 1] === undefined);
  const drops = dropped.length > 0 ? { dropped } : {};
  const citations = cited.flatMap(passage =>
    bestSentence(text, question.text, passage.sentences, evidence),
  );
  if (saysInsufficient(text)) return { kind: 'abstained', reason: INSUFFICIENT, support: 0 };
  const shown = cited.map(({ head, body }) => `${head}\n${body}`);
  const { support, unsupported } = lexicalSupport(
    text,
    question.text,
    citations.length > 0 ? shown : [],
  );
  if (abstain)
    return { kind: 'abstained', reason: INSUFFICIENT, support: 0, withheld: { text, citations } };
  if (citations.length === 0 && reading.uncited === 'withhold')
    return {
      kind: 'abstained',
      reason: NOTHING_CITED,
      support: 0,
      withheld: { text, citations },
      ...drops,
    };
  return {
    kind: 'answered',
    text,
    citations,
    support,
    ...(unsupported.length > 0 ? { unsupported } : {}),
    ...drops,
  };
}

/**
 * Abstains for unreadable output, as a refusal if it states in plain words that there is no answer.
 */
function unread(texts: readonly string[]): Answer {
  const readable = texts
    .map(text => text.slice(0, LONGEST_ANSWER).toWellFormed())
    .filter(text => text.trim() !== '');
  if (readable.some(saysInsufficient))
    return { kind: 'abstained', reason: INSUFFICIENT, support: 0 };
  const withheld =
    readable.length === 0 ? {} : { withheld: { text: readable.at(-1)!, citations: [] } };
  return {
    kind: 'abstained',
    reason: UNREADABLE,
    support: 0,
    ...withheld,
  };
}

/**
 * Cites the shown sentence that contains most of the answer; ties are broken by the share of the
 * question, then by position.
 */
export function bestSentence(
  answer: string,
  question: string,
  sentences: readonly PlacedSentence[],
  evidence: readonly Evidence[],
): Citation[] {
  const texts = sentences.map(({ text }) => text);
  const [byAnswer, byQuestion] = [sentenceSupport(answer, texts), sentenceSupport(question, texts)];
  const order = [...sentences.keys()].sort(
    (a, b) => byAnswer[b]! - byAnswer[a]! || byQuestion[b]! - byQuestion[a]! || a - b,
  );
  const best = sentences[order[0] ?? -1];
  const citation = best && citationOf(best, evidence);
  return citation ? [citation] : [];
}
