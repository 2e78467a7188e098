/** Writes `report.md`, its pictures and a compact `result.json`. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defined } from '../../src/core/defined.ts';
import { compactJson, compactResults } from './compact.ts';
import {
  LAST_LINE,
  namesBefore,
  type PrintedBefore,
  printedBefore,
  Watched,
} from './printed-before.ts';
import type { Report, Results } from './report.ts';
import { commandText } from './tables.ts';

export interface Written {
  readonly report: Report;
  readonly results: Results;
  /** The folder of the report. */
  readonly out: string;
  /** Keeps what the folder's report has of steps that are not finished. */
  readonly keep: boolean;
}

/** Parts of the report before that are kept: `names` of steps, each with its name there. */
interface Kept {
  readonly before: PrintedBefore | undefined;
  readonly names: ReadonlyMap<string, string>;
  /** Tells whether the report before has the step or the output of the command. */
  has(name: string): boolean;
}

function keptOf({ report, results, out, keep }: Written): Kept {
  const before = keep ? printedBefore(out) : undefined;
  if (!before) return { before, names: new Map(), has: () => false };
  const missing = report.evaluations.flatMap(({ name }) =>
    results.measured.has(name) ? [] : [name],
  );
  const names = namesBefore(missing, before);
  const has = (name: string): boolean => {
    const words = report.commands?.[name];
    if (words === undefined) return names.has(name);
    return before.markdown.includes(commandText(words));
  };
  return { before, names, has };
}

/** Renders a part, or says which of its steps are kept from the report before. */
async function rendered<T>(
  { report, results }: Written,
  kept: Kept,
  render: (watched: Results) => T | Promise<T>,
): Promise<{ readonly value: T; readonly missed: readonly string[] }> {
  const names = report.evaluations.map(({ name }) => name);
  const measured = new Watched(results.measured, names);
  const printed = new Watched(results.printed, Object.keys(report.commands ?? {}));
  const value = await render({ measured, printed });
  return { value, missed: [...measured.missed, ...printed.missed].filter(kept.has) };
}

/** Writes all files of a report. */
export async function writeReport(written: Written): Promise<void> {
  const { report, results, out } = written;
  const kept = keptOf(written);
  mkdirSync(out, { recursive: true });
  const parts = [
    ...[`# ${report.title}`, report.introduction],
    ...notes(written, kept),
    ...(await images(written, kept)),
    ...(await sections(written, kept)),
    LAST_LINE,
  ];
  writeFileSync(join(out, 'report.md'), `${parts.join('\n\n')}\n`);
  const { value: more, missed } = await rendered(written, kept, all => report.figures?.(all));
  const figures = missed.length > 0 ? kept.before?.result.figures : more;
  const order = report.evaluations.map(({ name }) => name);
  const compact = compactResults(
    results,
    kept.before && { ...kept.before, names: kept.names, order },
  );
  writeFileSync(join(out, 'result.json'), compactJson(defined({ ...compact, figures })));
}

/** Names steps that have no figures, and those whose figures other sources printed. */
function notes({ report, results }: Written, kept: Kept): string[] {
  const all = [
    ...report.evaluations.map(({ name }) => name),
    ...Object.keys(report.commands ?? {}),
  ];
  const missing = all.filter(
    name => !results.measured.has(name) && !results.printed.has(name) && !kept.has(name),
  );
  const earlier = [...kept.names].filter(([name, before]) => name !== before);
  return [
    ...(missing.length > 0 ? [`Not evaluated: ${missing.join(', ')}.`] : []),
    ...(earlier.length > 0
      ? [`Printed by earlier sources: ${earlier.map(([, before]) => before).join(', ')}.`]
      : []),
  ];
}

async function images(written: Written, kept: Kept): Promise<string[]> {
  const found: string[] = [];
  for (const { file, caption, draw } of written.report.pictures ?? []) {
    const path = join(written.out, file);
    const { value: svg, missed } = await rendered(written, kept, draw);
    const isKept = missed.length > 0 && existsSync(path);
    if (!isKept && svg !== '') writeFileSync(path, svg);
    if (isKept || svg !== '') found.push(`![${caption}](${file})`);
  }
  return found;
}

async function sections(written: Written, kept: Kept): Promise<string[]> {
  const found: string[] = [];
  for (const { heading, blocks } of written.report.sections) {
    const { value, missed } = await rendered(written, kept, async results => {
      const texts: string[] = [];
      for (const block of blocks) {
        const markdown = await block(results);
        if (markdown !== undefined) texts.push(markdown);
      }
      return texts;
    });
    const before = missed.length > 0 ? kept.before?.sections.get(heading) : undefined;
    if (before !== undefined)
      console.error(`kept: ${heading} (${missed.length} of its steps not finished)`);
    const texts = before === undefined ? value : [before];
    if (texts.length > 0) found.push(`## ${heading}`, ...texts);
  }
  return found;
}
