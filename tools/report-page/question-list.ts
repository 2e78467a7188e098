/** Filters, searches and sorts the questions of an HTML report, and words what became of gold. */
import type {
  GoldFate,
  PageAnswer,
  PageData,
  PageQuestion,
} from '../../src/evaluation/report/page-data.ts';
import { traceKey } from '../../src/evaluation/report/trace-pages.ts';

export type SortKey = 'order' | 'question' | 'answer' | 'evidence';

/** The settings of the form; an empty text is no filter. */
export interface Choices {
  readonly search: string;
  /** Indices of systems. */
  readonly first: number;
  readonly second: number | undefined;
  readonly verdict: string;
  readonly evidence: string;
  readonly type: string;
  readonly difference: string;
  readonly sort: SortKey;
  readonly descending: boolean;
}

/** Pieces of gold evidence that reached the reader, of how many. */
export interface Reached {
  readonly reached: number;
  readonly of: number;
}

export function reachedOf({ gold }: PageAnswer): Reached {
  return { reached: gold.filter(({ is }) => is === 'reached').length, of: gold.length };
}

const share = (answer: PageAnswer): number => {
  const { reached, of } = reachedOf(answer);
  return of === 0 ? 1 : reached / of;
};

/** Folds a text for search: compatibility forms and case. */
export const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

function hasEvidence(answer: PageAnswer, choice: string): boolean {
  const { reached, of } = reachedOf(answer);
  if (choice === 'ungiven') return of === 0;
  if (of === 0) return choice === '';
  if (choice === 'all') return reached === of;
  if (choice === 'nothing') return reached === 0;
  if (choice === 'some') return reached > 0 && reached < of;
  return choice !== 'missed' || reached < of;
}

function isGiven({ verdict }: PageAnswer, choice: string): boolean {
  return choice === '' || (choice === 'not-right' ? verdict !== 'right' : verdict === choice);
}

function differs(a: PageAnswer, b: PageAnswer, choice: string): boolean {
  const [first, second] = [a.verdict === 'right', b.verdict === 'right'];
  if (choice === 'first') return first && !second;
  if (choice === 'second') return second && !first;
  if (choice === 'verdict') return a.verdict !== b.verdict;
  if (choice === 'answer') return folded(a.answer) !== folded(b.answer);
  return choice !== 'evidence' || share(a) !== share(b);
}

/** Searches all words of a question and of the systems that are shown. */
export class QuestionSearch {
  private readonly data: PageData;
  private readonly passages: (string | undefined)[] = [];
  private readonly questions: (string | undefined)[] = [];

  constructor(data: PageData) {
    this.data = data;
  }

  has(index: number, systems: readonly number[], words: readonly string[]): boolean {
    if (words.length === 0) return true;
    const { by } = this.data.questions[index]!;
    const shown = systems.flatMap(system => {
      const { answer, withheld = '', evidence } = by[system]!;
      return [folded(answer), folded(withheld), ...evidence.map(at => this.passage(at))];
    });
    const texts = [this.question(index), ...shown];
    return words.every(word => texts.some(text => text.includes(word)));
  }

  private passage(at: number): string {
    const { title, documentId, text } = this.data.passages[at]!;
    return (this.passages[at] ??= folded(`${title}\n${documentId}\n${text}`));
  }

  private question(index: number): string {
    const { id, text, answers, gold } = this.data.questions[index]!;
    const pieces = gold.flatMap(({ title, documentId, fact = '' }) => [title, documentId, fact]);
    return (this.questions[index] ??= folded([id, text, ...answers, ...pieces].join('\n')));
  }
}

const VERDICT_ORDER = ['wrong', 'refused', 'failed', 'ungraded', 'right'];

function compare(a: PageQuestion, b: PageQuestion, { sort, first }: Choices): number {
  if (sort === 'question') return a.text < b.text ? -1 : Number(a.text > b.text);
  const [ofA, ofB] = [a.by[first]!, b.by[first]!];
  if (sort === 'evidence') return share(ofA) - share(ofB);
  const order = (answer: PageAnswer): number => VERDICT_ORDER.indexOf(answer.verdict);
  return order(ofA) - order(ofB) || (ofA.probability ?? 1) - (ofB.probability ?? 1);
}

/** Returns the indices of the questions that the choices leave, in order; equal ones as asked. */
export function listed(data: PageData, choices: Choices, search: QuestionSearch): number[] {
  const { first, second, verdict, evidence, type, difference, descending } = choices;
  const systems = second === undefined ? [first] : [first, second];
  const words = folded(choices.search).split(/\s+/).filter(Boolean);
  const kept = [...data.questions.keys()].filter(index => {
    const question = data.questions[index]!;
    const [answer, beside] = systems.map(system => question.by[system]!) as [
      PageAnswer,
      PageAnswer?,
    ];
    return (
      isGiven(answer, verdict) &&
      hasEvidence(answer, evidence) &&
      (type === '' || question.type === type) &&
      (beside === undefined || difference === '' || differs(answer, beside, difference)) &&
      search.has(index, systems, words)
    );
  });
  const sign = descending ? -1 : 1;
  if (choices.sort === 'order') return descending ? kept.reverse() : kept;
  // A stable sort: equal questions stay in the order in which they were asked.
  return kept.sort((a, b) => sign * compare(data.questions[a]!, data.questions[b]!, choices));
}

const FATES: Readonly<Record<Exclude<GoldFate['is'], 'dropped'>, string>> = {
  reached: 'reached the reader',
  cut: 'missed: its document is evidence, the words shown leave it out',
  unfound: 'missed: no search found its document',
  absent: 'missed: the corpus does not hold its document',
};

/**
 * Returns the address of the trace of a system, or of those of two side by side; undefined where
 * there is none.
 */
export function traceAddress(
  { traces, questions }: PageData,
  question: number,
  systems: readonly number[],
): string | undefined {
  const page = traces?.pages[traces.pageOf[question] ?? -1];
  if (traces === undefined || page === undefined) return undefined;
  const keys = systems.map(system => {
    const row = traces.rows[system] ?? null;
    const failed = questions[question]?.by[system]?.kind === 'failed';
    return row === null || failed ? undefined : traceKey(row, question);
  });
  if (keys.includes(undefined)) return undefined;
  const [first, second] = keys;
  return `${page}#run=${first}${second === undefined ? '' : `&beside=${second}`}`;
}

/** Says what became of a piece of gold evidence. */
export function fateWords(fate: GoldFate): string {
  if (fate.is !== 'dropped') return FATES[fate.is];
  const why = fate.why === undefined ? '' : ` (${fate.why})`;
  return `missed: found at rank ${fate.rank} in hop ${fate.hop}, not kept${why}`;
}
