/** Builds the questions of a report as the script of the page reads them. */
import { isControl } from '../controls.ts';
import type { EvaluationResult } from '../evaluation-result.ts';
import type { GoldFate, QuestionRecords, RowQuestion } from '../question-records.ts';
import { rowLabels } from './row-labels.ts';
import { rightMeasure, type ScoredQuestions, type Verdict, verdictOf } from './scored-questions.ts';
import type { TracePages } from './trace-pages.ts';

/** Answer and evidence of one system for one question, judged. */
export interface PageAnswer extends RowQuestion {
  readonly verdict: Verdict;
}

export interface PageQuestion {
  readonly id: string;
  readonly text: string;
  readonly type?: string;
  readonly answers: readonly string[];
  readonly gold: QuestionRecords['questions'][number]['gold'];
  /** One entry for each system, in their order. */
  readonly by: readonly PageAnswer[];
}

export interface PageData {
  readonly systems: readonly string[];
  /** The measure behind `right` and `wrong`; missing if nothing is graded. */
  readonly rightBy?: string;
  readonly passages: QuestionRecords['passages'];
  readonly questions: readonly PageQuestion[];
  /** Pages of traces; missing if there are none. */
  readonly traces?: Pick<TracePages, 'pages' | 'pageOf'> & {
    /** Index of each system among the rows that have traces; null for one that has none. */
    readonly rows: readonly (number | null)[];
  };
}

export type { GoldFate, Verdict };

/** Undefined if no row that searches has records. */
export function pageData(
  result: EvaluationResult,
  { records, scores, traces }: ScoredQuestions,
): PageData | undefined {
  const labels = rowLabels(result.rows);
  const rows = result.rows.filter(row => !isControl(row) && records.rows[row.id] !== undefined);
  if (rows.length === 0 || records.questions.length === 0) return undefined;
  const rightBy = rightMeasure(result);
  return {
    systems: rows.map(({ id }) => labels.get(id)!),
    rightBy,
    passages: records.passages,
    traces: traces ? tracesOf(traces, rows) : undefined,
    questions: records.questions.map((question, index) => ({
      ...question,
      by: rows.map(({ id }) => {
        const record = records.rows[id]![index]!;
        const score = rightBy === undefined ? undefined : scores[id]?.[rightBy]?.[index];
        return { ...record, verdict: verdictOf(record, score) };
      }),
    })),
  };
}

function tracesOf(
  { pages, pageOf, rows }: TracePages,
  shown: readonly { readonly id: string }[],
): NonNullable<PageData['traces']> {
  const indexes = shown.map(({ id }) => rows.indexOf(id));
  return { pages, pageOf, rows: indexes.map(index => (index < 0 ? null : index)) };
}

/** JSON that may stand in a script element: no `</script>`, no `<!--`, no line separators. */
export const scriptJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
