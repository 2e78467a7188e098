/** Lays out an answer for people, with what checking it found. */

import type { Answer } from '../core/trace/trace.ts';
import type { LimitName } from '../core/trace/usage.ts';
import { isBelow } from '../readers/answer-at.ts';
import type { ShownSide } from '../session/evidence-view.ts';
import { type Streamed, WITHDRAWN } from '../session/streamed-answer.ts';
import { limitOption } from './budget.ts';
import { documentLines, type Page } from './run-text.ts';
import { printable, shorten, wrapBehind } from './wrap.ts';
import { WrappedWriter } from './wrapped-writer.ts';

export interface AnswerView {
  /** Documents of the evidence in the order of its list. */
  readonly documentIds?: readonly string[];
  /** Says if the text was shown while it was written, and if it is the answer. */
  readonly streamed?: Streamed;
}

/** Lays out the answer, and what checking it found. */
export function answerLines(answer: Answer, page: Page, view: AnswerView = {}): string[] {
  const { style, width } = page;
  const behind = (first: string, text: string): string[] =>
    wrapBehind(style.yellow(first), printable(text), width, first.length);
  const unread = answer.kind === 'evidence' ? undefined : answer.unread;
  const cut =
    unread === undefined
      ? []
      : behind('Not read: ', `${unread} of the passages, which did not fit into the prompt`);
  const dropped = answer.kind === 'evidence' ? [] : droppedLines(answer.dropped, page);
  const withdrawn = view.streamed === 'withdrawn' ? [style.yellow(WITHDRAWN)] : [];
  if (answer.kind === 'abstained')
    return [...abstentionLines(answer, page), ...withdrawn, ...dropped, ...cut];
  const isShown = view.streamed === 'kept';
  const text = isShown ? [] : [...withdrawn, ...textLines(answer, page, view.documentIds)];
  const marks = answer.kind === 'answered' ? unsupportedLines(answer, page) : [];
  return [
    ...text,
    ...(answer.kind === 'answered' ? sureLines(answer, page) : []),
    ...marks,
    ...dropped,
    ...cut,
  ];
}

function textLines(
  answer: Exclude<Answer, { readonly kind: 'abstained' }>,
  { style, width }: Page,
  documentIds: readonly string[] = [],
): string[] {
  if (answer.kind === 'answered' && answer.sentences) {
    let written = '';
    const writer = new WrappedWriter(width, text => (written += text));
    writer.push(markedText(answer, documentIds));
    writer.end();
    return written.trimEnd().split('\n');
  }
  return answer.text
    .split('\n')
    .flatMap(line => wrapBehind('', printable(line), width, 0).map(part => style.bold(part)));
}

/** Lists sentences that cite nothing, and those whose words their citations do not hold. */
function unsupportedLines(
  { text, unsupported = [], sentences = [] }: Extract<Answer, { readonly kind: 'answered' }>,
  { style, width }: Page,
): string[] {
  const uncited = sentences
    .filter(({ citations }) => citations.length === 0)
    .map(({ start, end }) => text.slice(start, end));
  return unsupported.flatMap(mark => {
    const first = uncited.some(text => text.includes(mark))
      ? 'Cites nothing: '
      : 'Not in what it cites: ';
    return wrapBehind(style.yellow(first), printable(mark), width, first.length);
  });
}

function droppedLines(dropped: readonly number[] = [], { style, width }: Page): string[] {
  if (dropped.length === 0) return [];
  const numbers = dropped.map(number => `[${number}]`).join(', ');
  const first = 'Dropped: ';
  return wrapBehind(
    style.yellow(first),
    `citations of ${numbers}, under which nothing was shown`,
    width,
    first.length,
  );
}

/** Candidates below this probability are not printed. */
const LEAST_LIKELY = 0.05;

/** Names the limit that a reason states as the command line does. */
const inOptionNames = (reason: string): string =>
  reason.replace(/(?<=the limit on )[a-zA-Z]+(?= was reached$)/, name =>
    limitOption(name as LimitName),
  );

/** States the reason; of an answer that is withheld for its probability, also the best texts. */
function abstentionLines(
  answer: Extract<Answer, { readonly kind: 'abstained' }>,
  { style, width }: Page,
): string[] {
  const behind = (first: string, text: string): string[] =>
    wrapBehind(style.yellow(first), printable(text), width, first.length);
  if (!isBelow(answer)) return behind('No answer: ', inOptionNames(answer.reason));
  const { reason, withheld, probability, alternatives = [] } = answer;
  const likely = alternatives.filter(other => other.probability >= LEAST_LIKELY);
  const texts = [{ text: withheld.text, probability }, ...likely].map((each, at) => {
    // The first says what the numbers are.
    const said = `${at === 0 ? 'probability ' : ''}${each.probability.toFixed(2)}`;
    return `${shorten(printable(each.text), width)} (${said})`;
  });
  return [style.yellow(reason), ...wrapBehind('Candidates: ', texts.join('; '), width, 12)];
}

/** States the probability that the answer is right. */
const sureLines = (
  { probability }: Extract<Answer, { readonly kind: 'answered' }>,
  { style }: Page,
): string[] =>
  probability === undefined ? [] : [style.faint(`Probability ${probability.toFixed(2)}`)];

/** Lays out each claim of the question above what was found on it. */
export function sideLines(sides: readonly ShownSide[], page: Page): string[] {
  return sides.flatMap(({ claim, citations }, index) => [
    '',
    ...wrapBehind(`${String(index + 1).padStart(4)}. `, printable(claim), page.width, 6),
    ...citations.flatMap(citation => [
      ...documentLines('      ', citation, page),
      ...wrapBehind(
        '      ',
        `“${shorten(printable(citation.text), 4 * page.width)}”`,
        page.width,
        6,
      ),
    ]),
  ]);
}

type Answered = Extract<Answer, { readonly kind: 'answered' }>;

/**
 * Returns the text with the numbers of its cited documents, counted from 1 in `documentIds`, before
 * the stop of each sentence and before fenced code.
 */
export function markedText(
  { text, sentences = [] }: Pick<Answered, 'text' | 'sentences'>,
  documentIds: readonly string[],
): string {
  return sentences.reduceRight((marked, { start, end, citations }) => {
    const numbers = new Set(citations.map(each => documentIds.indexOf(each.documentId) + 1));
    const marks = [...numbers].map(number => `[${number}]`).join('');
    const at = start + markPlace(text.slice(start, end));
    return marks === '' ? marked : `${marked.slice(0, at)} ${marks}${marked.slice(at)}`;
  }, text);
}

function markPlace(sentence: string): number {
  const fence = /\s*```/.exec(sentence);
  if (fence && fence.index > 0) return fence.index;
  return sentence.length - /[.!?…]?["'”’)\]]*$/.exec(sentence)![0].length;
}
