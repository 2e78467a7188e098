/**
 * What a language model said to the generative reader's prompt, as an answer whose citations point
 * to what it was shown.
 */
import type { Structured } from '../models/structured.ts';
import {
  answerOf,
  INSUFFICIENT,
  LONGEST_ANSWER,
  saysInsufficient,
} from '../planning/short-answer.ts';
import { sentenceSupport } from '../text/sentence-support.ts';
import type { Answer, Citation, Evidence, Question } from '../trace/trace.ts';
import { lexicalSupport } from './lexical-support.ts';
import { citationOf, type ShownPassage } from './shown-passages.ts';

export interface SaidAnswer {
  readonly answer: string;
  /** Numbers, of passages where the prompt shows such. */
  readonly citations: readonly number[];
  readonly abstain: boolean;
}

/** More citations than any prompt has passages are not read. */
const CITATIONS_AT_MOST = 100;

/**
 * The answer in parsed JSON; undefined where it is not what was asked for. An abstention needs
 * neither text nor citations.
 */
export function saidAnswer(json: unknown): SaidAnswer | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  const { citations, abstain } = json as { citations?: unknown; abstain?: unknown };
  const abstains = abstain === true || abstain === 'true';
  const answer = answerOf(json) ?? (abstains ? INSUFFICIENT : undefined);
  if (answer === undefined) return undefined;
  const numbers = numbersIn(citations) ?? (abstains || saysInsufficient(answer) ? [] : undefined);
  return numbers && { answer, citations: numbers, abstain: abstains };
}

/** `[1, "2", "[3]"]`, or one of them alone. */
function numbersIn(citations: unknown): number[] | undefined {
  const given =
    typeof citations === 'number' || typeof citations === 'string' ? [citations] : citations;
  if (!Array.isArray(given)) return undefined;
  const numbers = given.slice(0, CITATIONS_AT_MOST).map(each => {
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
  /** What the prompt showed, numbered from 1. */
  readonly passages: readonly ShownPassage[];
  readonly evidence: readonly Evidence[];
  /** What becomes of an answer without a citation that stands. */
  readonly uncited: 'withhold' | 'mark';
}

/**
 * An abstention, or an answer with the sentences that it rests on, marked where their passages do
 * not hold it.
 */
export function readAnswer(said: Structured<SaidAnswer>, reading: Reading): Answer {
  if (said.kind === 'unparsed') return unread(said.texts);
  const { answer, abstain, citations: numbers } = said.value;
  const text = answer.toWellFormed();
  const { question, passages, evidence } = reading;
  const cited = numbers.flatMap(number => passages[number - 1] ?? []);
  const citations = cited.flatMap(passage => bestSentence(text, question.text, passage, evidence));
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
      reason: 'The answer cites nothing in the evidence',
      support: 0,
      withheld: { text, citations },
    };
  return {
    kind: 'answered',
    text,
    citations,
    support,
    ...(unsupported.length > 0 ? { unsupported } : {}),
  };
}

/** What could not be read is no answer, unless it says in plain words that there is none. */
function unread(texts: readonly string[]): Answer {
  const said = texts
    .map(text => text.slice(0, LONGEST_ANSWER).toWellFormed())
    .filter(text => text.trim() !== '');
  if (said.some(saysInsufficient)) return { kind: 'abstained', reason: INSUFFICIENT, support: 0 };
  const withheld = said.length === 0 ? {} : { withheld: { text: said.at(-1)!, citations: [] } };
  return {
    kind: 'abstained',
    reason: 'What the model said could not be read as an answer',
    support: 0,
    ...withheld,
  };
}

/**
 * The shown sentence that holds most of the answer, among equals most of the question, and among
 * those the first.
 */
function bestSentence(
  answer: string,
  question: string,
  { sentences }: ShownPassage,
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
