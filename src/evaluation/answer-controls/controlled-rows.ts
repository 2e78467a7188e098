/** Plans the rows of an evaluation with their controls, and the treatment of each question. */

import { parseName, printName } from '../../core/naming/name.ts';
import type { Trace } from '../../core/trace/trace.ts';
import { readers } from '../../readers/readers.ts';
import type { OpenHop } from '../../strategies/strategy.ts';
import { controlRow } from '../controls.ts';
import { emptyTrace } from '../empty-trace.ts';
import type { Row } from '../evaluation-result.ts';
import type { Example, Records } from '../example.ts';
import type { AnswerControl, OwnRun, Treatment } from './answer-control.ts';
import { evidenceOfHops } from './repeated-hops.ts';

/** A row that a control adds. */
export interface ControlledRow {
  readonly row: Row;
  /** Id of the row whose answers its own are compared with; missing if they are not. */
  readonly compared?: string;
  /** Returns one treatment a question, once the row that it repeats has been asked. */
  treatments(): readonly (Treatment | undefined)[];
}

/** Name of the row with its own evidence, abstention switched off. */
export const OWN_EVIDENCE = 'own-evidence';

export interface ControlPlan {
  readonly rows: readonly Row[];
  readonly controls: readonly AnswerControl[];
}

/** One planned row; `shares` is the row with the same treatments. */
interface Planned {
  readonly row: Row;
  readonly control: AnswerControl | undefined;
  readonly compared?: string;
}

/**
 * Plans the rows of controls. A control over questions adds one row. A control over rows repeats
 * each row, its reader without abstention where it abstains, beside that reader on its own
 * evidence; a control that says so also with the reader as given. Readers that only show evidence
 * have nothing to control.
 */
export function plannedControls({ rows, controls }: ControlPlan): Planned[] {
  const planned: Planned[] = controls
    .filter(({ over }) => over === 'questions')
    .map(control => ({ row: controlRow(control.name), control }));
  const over = controls.filter(control => control.over === 'rows');
  if (over.length === 0) return planned;
  for (const row of rows) {
    if (row.reader === 'evidence-only') continue;
    const bare = withoutAbstention(row.reader);
    const repeated = (name: string, reader: string): Row => ({
      ...row,
      id: `${row.id} | ${name}${reader === row.reader ? '' : ` | ${reader}`}`,
      reader,
      control: { name, of: row.id },
    });
    const always = bare === row.reader ? row : repeated(OWN_EVIDENCE, bare);
    if (always !== row) planned.push({ row: always, control: undefined });
    for (const control of over) {
      if (always !== row && control.asGiven)
        planned.push({ row: repeated(control.name, row.reader), control });
      planned.push({ row: repeated(control.name, bare), control, compared: always.id });
    }
  }
  return planned;
}

/** Names the same reader with `support=0`; the name itself for a reader without that setting. */
function withoutAbstention(reader: string): string {
  const canonical = readers.canonical(reader);
  const name = parseName(canonical);
  const member = readers.members.find(candidate => candidate.name === name.name);
  if (!member?.parameters?.some(({ name: key }) => key === 'support')) return canonical;
  const others = name.args.filter(({ key }) => key !== 'support');
  return readers.canonical(printName({ ...name, args: [...others, { key: 'support', value: 0 }] }));
}

/** Collects the runs of rows, and treats their questions once they are complete. */
export class ControlledRows {
  readonly added: readonly ControlledRow[];
  private readonly byId: ReadonlyMap<string, ControlledRow>;
  private readonly runs = new Map<string, Map<string, OwnRun>>();
  private readonly known = new Map<string, readonly (Treatment | undefined)[]>();
  private readonly positions: ReadonlyMap<string, number>;
  private readonly examples: readonly Example[];
  private readonly records: Records;

  constructor(plan: ControlPlan, examples: readonly Example[], records: Records) {
    this.examples = examples;
    this.records = records;
    this.positions = new Map(examples.map(({ id }, index) => [id, index]));
    this.added = plannedControls(plan).map(({ row, control, compared }) => ({
      row,
      compared,
      treatments: () => (control ? this.treated(control, row.control?.of) : []),
    }));
    this.byId = new Map(this.added.map(plannedRow => [plannedRow.row.id, plannedRow]));
    if (this.added.some(({ row }) => row.control))
      for (const { id } of plan.rows) this.runs.set(id, new Map());
  }

  /** Keeps what a row found and showed. */
  note(row: Row, example: Example, { evidence, context, hops, corpusKind }: Trace): void {
    this.runs.get(row.id)?.set(example.id, {
      example,
      evidence: evidence.map(({ documentId, title, metadata }) => ({
        documentId,
        title,
        metadata,
      })),
      context: { text: context.text, parts: context.parts },
      hops: evidenceOfHops({ hops, corpusKind }),
    });
  }

  /** True for the rows that controls add. */
  has(row: Row): boolean {
    return this.byId.has(row.id);
  }

  /**
   * Returns the treatment of a question by a row's control; undefined if it cannot treat it, `own`
   * for the row with its own evidence.
   */
  treatment(row: Row, example: Example): Treatment | 'own' | undefined {
    if (row.control?.name === OWN_EVIDENCE) return 'own';
    return this.byId.get(row.id)?.treatments()[this.positions.get(example.id)!];
  }

  /**
   * Returns the hops whose evidence a row reads under a treatment: its own, or those of another.
   */
  hopsOf(row: Row, example: Example, treatment: Treatment | 'own'): readonly OpenHop[] {
    const from =
      treatment !== 'own' && treatment.kind === 'swapped'
        ? this.examples[treatment.from]!
        : example;
    return this.runs.get(row.control?.of ?? row.id)?.get(from.id)?.hops ?? [];
  }

  /** Returns the question as the row is scored on it: an edit changes its gold answers. */
  scoredAs(row: Row, example: Example): Example {
    if (!row.control) return example;
    const treatment = this.treatment(row, example);
    return typeof treatment === 'object' && treatment.kind === 'edited'
      ? { ...example, answers: treatment.answers }
      : example;
  }

  private treated(
    control: AnswerControl,
    of: string | undefined,
  ): readonly (Treatment | undefined)[] {
    const key = JSON.stringify([control.name, of]);
    const known = this.known.get(key);
    if (known) return known;
    const found = of === undefined ? undefined : this.runs.get(of);
    const runs = this.examples.map(
      (example): OwnRun =>
        found?.get(example.id) ?? {
          example,
          evidence: [],
          context: { text: '', parts: [] },
          hops: [],
        },
    );
    const treatments = control.treat(runs, this.records);
    this.known.set(key, treatments);
    return treatments;
  }
}

/**
 * Returns the trace of a question that a control cannot treat: measures of answers leave it out.
 */
export const untreatedTrace = (row: Row, { question }: Example): Trace => ({
  ...emptyTrace(question, row),
  answer: { kind: 'evidence', text: '', citations: [] },
});
