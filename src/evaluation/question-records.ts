/**
 * Keeps what a report shows of every question: its gold evidence, and for each row the answer, the
 * evidence, and why gold evidence was missed. Passages that several rows show are kept once.
 */
import { foldWhitespaceAndPunctuation, isBlank } from '../core/text/normalise.ts';
import type { Evidence, Trace } from '../core/trace/trace.ts';
import { isControl } from './controls.ts';
import type { Evaluation, Row } from './evaluation-result.ts';
import type { Example, Gold, Records } from './example.ts';
import { evidenceDocuments } from './gold-evidence.ts';

/** A question with its gold answers and gold evidence. */
export interface AskedQuestion {
  readonly id: string;
  readonly text: string;
  readonly type?: string;
  readonly answers: readonly string[];
  readonly gold: readonly {
    readonly documentId: string;
    readonly title: string;
    readonly fact?: string;
  }[];
}

/** One item of evidence as the reader saw it. */
export interface ShownPassage {
  readonly documentId: string;
  readonly title: string;
  /** At most `SHOWN_CHARACTERS` of the words that the reader got; an ellipsis ends more. */
  readonly text: string;
}

/**
 * Fate of one piece of gold evidence.
 * `reached`: its fact stands in the words that the reader got; without a fact, its document is
 * evidence. `cut`: its document is evidence, but the words leave the fact out. `dropped`: a search
 * found its document, and the strategy did not keep it. `unfound`: no search found it. `absent`:
 * the corpus does not hold it.
 */
export type GoldFate =
  | { readonly is: 'reached' | 'cut' | 'unfound' | 'absent' }
  | {
      readonly is: 'dropped';
      /** From 1: its best rank in the searches, and the hop of that search. */
      readonly rank: number;
      readonly hop: number;
      /** The strategy's reason, if any. */
      readonly why?: string;
    };

/** Answer and evidence of a row for one question. */
export interface RowQuestion {
  readonly kind: Trace['answer']['kind'] | 'failed';
  /** The answer, or the reason of an abstention. */
  readonly answer: string;
  /** The answer that was withheld, if any. */
  readonly withheld?: string;
  /** From 0 to 1: the reader's probability that its answer is right. */
  readonly probability?: number;
  /** Indices of passages, in the order of the evidence. */
  readonly evidence: readonly number[];
  /** One entry for each piece of gold. */
  readonly gold: readonly GoldFate[];
  /** The limit that ended the run, if one did. */
  readonly stopped?: string;
}

export interface QuestionRecords {
  readonly questions: readonly AskedQuestion[];
  readonly passages: readonly ShownPassage[];
  /** By row id, one entry for each question, in their order; controls are left out. */
  readonly rows: Readonly<Record<string, readonly RowQuestion[]>>;
}

/** Long enough for a paragraph; the trace has the rest. */
export const SHOWN_CHARACTERS = 400;

/** Collects the records of an evaluation while its traces pass. */
export class QuestionRecorder {
  private readonly examples: readonly Example[];
  private readonly records: Records;
  private readonly passages: ShownPassage[] = [];
  private readonly known = new Map<string, number>();
  private readonly positions: ReadonlyMap<string, number>;
  private readonly rows = new Map<string, RowQuestion[]>();

  constructor(examples: readonly Example[], records: Records) {
    this.examples = examples;
    this.records = records;
    this.positions = new Map(examples.map(({ id }, index) => [id, index]));
  }

  /** Takes the trace of a row that is scored. */
  note(row: Row, example: Example, trace: Trace): void {
    const position = this.positions.get(example.id);
    if (isControl(row) || position === undefined) return;
    let kept = this.rows.get(row.id);
    if (!kept) this.rows.set(row.id, (kept = []));
    kept[position] = {
      ...answerOf(trace),
      evidence: trace.evidence.map(item => this.passage(item, trace)),
      gold: fatesOf(example, trace, this.records),
      ...stoppedOf(trace),
    };
  }

  /** Returns the records. `outcomes` tells which runs failed. */
  finished(outcomes: Evaluation['outcomes']): QuestionRecords {
    const rows = [...this.rows].map(([id, kept]) => [
      id,
      kept.map((record, index) =>
        outcomes[id]?.[index]?.failed ? { ...record, kind: 'failed' as const } : record,
      ),
    ]);
    return {
      questions: this.examples.map(asked),
      passages: this.passages,
      rows: Object.fromEntries(rows),
    };
  }

  private passage({ id, documentId, title }: Evidence, trace: Trace): number {
    const part = trace.context.parts.find(shown => shown.id === id);
    const text = part ? shortened(trace.context.text.slice(part.start, part.end)) : '';
    const key = JSON.stringify([documentId, text]);
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const index = this.passages.push({ documentId, title, text }) - 1;
    this.known.set(key, index);
    return index;
  }
}

/** Cuts between code points, so that no half of a surrogate pair is left. */
function shortened(text: string): string {
  if (text.length <= SHOWN_CHARACTERS) return text;
  const end = /[\uD800-\uDBFF]/.test(text[SHOWN_CHARACTERS - 1]!) ? 1 : 0;
  return `${text.slice(0, SHOWN_CHARACTERS - end)}…`;
}

function asked({ id, question, type, answers, gold }: Example): AskedQuestion {
  return {
    id,
    text: question.text,
    type,
    answers,
    gold: gold.map(({ documentId, title, fact }) => ({ documentId, title, fact })),
  };
}

function answerOf({
  answer,
}: Trace): Pick<RowQuestion, 'kind' | 'answer' | 'withheld' | 'probability'> {
  const { kind } = answer;
  if (kind === 'evidence') return { kind, answer: shortened(answer.text) };
  const { probability } = answer;
  const stated = probability === undefined ? {} : { probability };
  if (kind === 'answered') return { kind, answer: answer.text, ...stated };
  const withheld = answer.withheld ? { withheld: answer.withheld.text } : {};
  return { kind, answer: answer.reason, ...withheld, ...stated };
}

function stoppedOf({ stopped }: Trace): { readonly stopped?: string } {
  return stopped?.by === 'limit' ? { stopped: stopped.limit } : {};
}

/** Returns what became of each piece of gold evidence. */
export function fatesOf(example: Example, trace: Trace, records: Records): GoldFate[] {
  const context = foldWhitespaceAndPunctuation(trace.context.text);
  const documents = evidenceDocuments(trace);
  return example.gold.map(gold => {
    const fact = gold.fact === undefined ? '' : foldWhitespaceAndPunctuation(gold.fact);
    if (isBlank(fact) ? documents.has(gold.documentId) : context.includes(fact))
      return { is: 'reached' };
    if (documents.has(gold.documentId)) return { is: 'cut' };
    return foundBy(gold, trace) ?? { is: holds(records, gold) ? 'unfound' : 'absent' };
  });
}

/** The best rank that a search gave the document, and why it was not kept. */
function foundBy({ documentId }: Gold, { hops }: Trace): GoldFate | undefined {
  let best: { readonly rank: number; readonly hop: number } | undefined;
  const ids = new Set<string>();
  for (const [at, { searches }] of hops.entries())
    for (const { hits } of searches)
      for (const [index, hit] of hits.entries()) {
        if (hit.documentId !== documentId) continue;
        ids.add(hit.id);
        if (!best || index + 1 < best.rank) best = { rank: index + 1, hop: at + 1 };
      }
  if (!best) return undefined;
  const dropped = hops.flatMap(({ rejected, withdrawn = [] }) => [...rejected, ...withdrawn]);
  const why = dropped.find(({ id }) => ids.has(id))?.why;
  return { is: 'dropped', ...best, why };
}

function holds({ metadata, text }: Records, { documentId }: Gold): boolean {
  if (metadata) return metadata(documentId) !== undefined;
  try {
    return text(documentId) !== '';
  } catch {
    return false;
  }
}
