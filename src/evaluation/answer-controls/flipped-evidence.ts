/**
 * `flipped-evidence`: the reader gets the same evidence with a fact edited by rule and seed, so
 * that another answer becomes right. An answer that rests on evidence follows.
 */
import type { Span } from '../../core/corpus/document.ts';
import { type Member, member } from '../../core/naming/family.ts';
import { normHotpot } from '../../core/text/normalise.ts';
import { askedQuestion } from '../../language/english/question/asked-question.ts';
import { findDates, MONTHS } from '../../language/english/values/dates.ts';
import { requestedEntity } from '../../readers/fact-reader/entity-features.ts';
import type { Example, Records } from '../example.ts';
import { isNull } from '../gold-evidence.ts';
import {
  type AnswerControl,
  type Edit,
  type OwnRun,
  pick,
  SEED_PARAMETER,
  streamOf,
  type Treatment,
} from './answer-control.ts';
import { negated } from './negated.ts';

export const flippedEvidence: Member<AnswerControl> = member({
  name: 'flipped-evidence',
  summary:
    'the same evidence with the polarity of a gold fact, or the number, date or name that is the answer, edited so that gold changes',
  parameters: [SEED_PARAMETER],
  create: ({ seed }, name) => ({
    name,
    over: 'rows',
    treat: (runs, records) => {
      const others = namesByKind(runs);
      return runs.map(run => flipped(run, records, others, streamOf(seed, run.example)));
    },
  }),
});

type Edited = Extract<Treatment, { kind: 'edited' }>;

/**
 * Returns the edit of one question: `polarity` for a gold yes, of a gold fact that the context
 * shows whole; `number`, `date` or `name` for an answer of that form that the context shows. A gold
 * no has none: no edit of one fact makes it a yes.
 */
function flipped(
  run: OwnRun,
  records: Records,
  others: ReadonlyMap<string, readonly string[]>,
  random: () => number,
): Edited | undefined {
  const { example } = run;
  const [answer] = example.answers;
  if (answer === undefined || isNull(example)) return undefined;
  const plain = normHotpot(answer);
  if (plain === 'yes') return withoutFact(run, records, random);
  if (plain === 'no' || occurrences(example.question.text, answer).length > 0) return undefined;
  if (/\p{Nd}/u.test(answer)) return withOtherNumber(run, answer, records, random);
  const other = /^\p{Lu}/u.test(answer) ? otherName(run, answer, others, random) : undefined;
  if (other === undefined) return undefined;
  return replacing(run, 'name', [other], namePairs(answer, other), records);
}

/** Negates one of the gold facts that the context shows. */
function withoutFact(run: OwnRun, records: Records, random: () => number): Edited | undefined {
  const shown = run.example.gold.flatMap(({ documentId, fact }): Edit[] => {
    if (fact === undefined || fact.trim() === '') return [];
    const start = records.text(documentId).indexOf(fact);
    const [from, to] = [start, start + fact.length];
    const part = run.context.parts.find(each => each.documentId === documentId);
    const isShown = part?.spans.some(span => span[0] <= from && to <= span[1]);
    return start >= 0 && isShown
      ? [{ documentId, start: from, end: to, text: negated(fact).text }]
      : [];
  });
  const edit = pick(shown, random);
  return edit && { kind: 'edited', rule: 'polarity', edits: [edit], titles: {}, answers: ['No'] };
}

/** Replaces the last number of the answer, which in a date is its year, if any. */
function withOtherNumber(
  run: OwnRun,
  answer: string,
  records: Records,
  random: () => number,
): Edited | undefined {
  const number = [...answer.matchAll(/\p{Nd}+/gu)].at(-1)![0];
  const other = otherNumber(number, random);
  const rewritten = answer.replace(number, () => other);
  const isDate =
    findDates(answer).length > 0 ||
    /^(?:1\d|20)\d\d$/.test(number) ||
    MONTHS.some(month => answer.toLowerCase().includes(month));
  return replacing(run, isDate ? 'date' : 'number', [rewritten], [[answer, rewritten]], records);
}

/** Changes the last digit; for a longer number the one before it too, which keeps a year a year. */
export function otherNumber(number: string, random: () => number): string {
  const last = Number(number.at(-1));
  const changed = (last + 1 + Math.floor(random() * 9)) % 10;
  return `${number.slice(0, -1)}${number.length === 1 && changed === 0 ? (last === 9 ? 8 : 9) : changed}`;
}

/** Replaces texts wherever the documents of the context hold them. */
function replacing(
  run: OwnRun,
  rule: string,
  answers: readonly string[],
  pairs: readonly (readonly [from: string, to: string])[],
  records: Records,
): Edited | undefined {
  if (occurrences(run.context.text, pairs[0]![0]).length === 0) return undefined;
  const ids = [...new Set(run.context.parts.map(({ documentId }) => documentId))];
  const edits = ids.flatMap(documentId =>
    editsOf(records.text(documentId), pairs).map(edit => ({ documentId, ...edit })),
  );
  const titles = ids.flatMap((documentId): [string, string][] => {
    const title = records.title?.(documentId) ?? '';
    const rewritten = applied(title, editsOf(title, pairs));
    return rewritten === title ? [] : [[documentId, rewritten]];
  });
  return { kind: 'edited', rule, edits, titles: Object.fromEntries(titles), answers };
}

type TextEdit = Omit<Edit, 'documentId'>;

/** Finds the places of each text; an earlier pair takes precedence where two overlap. */
export function editsOf(
  text: string,
  pairs: readonly (readonly [from: string, to: string])[],
): TextEdit[] {
  const edits: TextEdit[] = [];
  for (const [from, to] of pairs)
    for (const [start, end] of occurrences(text, from))
      if (!edits.some(other => start < other.end && other.start < end))
        edits.push({ start, end, text: to });
  return edits.sort((a, b) => a.start - b.start);
}

/** Returns the text with the edits, which ascend and do not overlap. */
export function applied(text: string, edits: readonly TextEdit[]): string {
  let made = '';
  let at = 0;
  for (const { start, end, text: replacement } of edits) {
    made += text.slice(at, start) + replacement;
    at = end;
  }
  return made + text.slice(at);
}

/** Finds a text as whole words, case and all. */
function occurrences(text: string, part: string): Span[] {
  const found: Span[] = [];
  const isWord = (at: number): boolean => /[\p{L}\p{N}]/u.test(text[at] ?? '');
  if (part.trim() === '') return found;
  for (let start = text.indexOf(part); start >= 0; start = text.indexOf(part, start + 1)) {
    const end = start + part.length;
    if (start >= (found.at(-1)?.[1] ?? 0) && !isWord(start - 1) && !isWord(end))
      found.push([start, end]);
  }
  return found;
}

const kindOf = ({ question, type }: Example, answer: string): string =>
  `${type ?? ''} ${requestedEntity(askedQuestion(question.text)).kind} ${answer.trim().split(/\s+/).length > 1}`;

/** Returns the names that are gold answers, by type of question, requested kind and form. */
function namesByKind(runs: readonly OwnRun[]): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const { example } of runs) {
    const [answer] = example.answers;
    if (answer === undefined || !/^\p{Lu}/u.test(answer) || /\p{Nd}/u.test(answer)) continue;
    if (['yes', 'no'].includes(normHotpot(answer)) || isNull(example)) continue;
    const kind = kindOf(example, answer);
    const known = names.get(kind) ?? [];
    if (!known.includes(answer)) names.set(kind, [...known, answer]);
  }
  return names;
}

/** Returns a name of the same kind that neither question nor context holds. */
function otherName(
  { example, context }: OwnRun,
  answer: string,
  others: ReadonlyMap<string, readonly string[]>,
  random: () => number,
): string | undefined {
  const right = new Set(example.answers.map(normHotpot));
  const held = `${example.question.text}\n${context.text}`.toLowerCase();
  return pick(
    (others.get(kindOf(example, answer)) ?? []).filter(
      name => !right.has(normHotpot(name)) && !held.includes(name.toLowerCase()),
    ),
    random,
  );
}

/** Pairs the names, and the last words of names of several words: persons are called by them. */
function namePairs(from: string, to: string): (readonly [string, string])[] {
  const [last, other] = [from, to].map(name => name.trim().split(/\s+/).at(-1)!);
  const isSeveral = last !== from.trim() && /^\p{Lu}[\p{L}’'-]{3,}$/u.test(last!);
  return isSeveral
    ? [
        [from, to],
        [last!, other!],
      ]
    : [[from, to]];
}
