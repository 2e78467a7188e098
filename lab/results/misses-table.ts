/** A block of the causes of missed facts, read from the kept traces of the first row. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readDataSet } from '../../src/documents/data-sets.ts';
import { findData } from '../../src/experiments/find-data.ts';
import { recordedTraces } from '../../src/experiments/trace-reader.ts';
import { addMisses, CAUSES, type Cause, JUST_BELOW, type Misses, missesBy } from './misses.ts';
import { type Block, of } from './report.ts';
import { percent, table } from './tables.ts';

export const missesTable = (name: string, dataSet: string, data: string): Block =>
  of(name, async ({ rows, kept }) => {
    const { examples, documents } = await readDataSet(dataSet, findData(dataSet, {}, data));
    const texts = new Map(documents.map(({ id, text }) => [id, text]));
    const byQuestion = new Map(examples.map(example => [example.id, example]));
    const folder = join(kept, 'traces');
    const first = readdirSync(folder).sort()[0]!;
    const total: Record<string, Misses> = {};
    for (const { asked, read } of await recordedTraces(join(folder, first))) {
      const example = byQuestion.get(asked.question.id);
      const misses = example && missesBy([example], [await read()], id => texts.get(id) ?? '');
      if (misses) addMisses(total, misses);
    }
    const note = `Facts that \`${rows[0]!.label}\` misses. The first cause that holds is counted; *just below the cut*: among the first ${JUST_BELOW} refused for lack of tokens.`;
    return `${note}\n\n${causesTable(total)}`;
  });

export function causesTable(misses: Readonly<Record<string, Misses>>): string {
  const groups = Object.entries(misses);
  const share = (count: number, facts: number): string =>
    `${count} (${percent(facts === 0 ? undefined : count / facts)} %)`;
  return table(
    ['cause', ...groups.map(([group, { facts }]) => `${group}: of ${facts} facts`)],
    [
      ...(Object.keys(CAUSES) as Cause[]).map(cause => [
        CAUSES[cause],
        ...groups.map(([, { causes, facts }]) => share(causes[cause], facts)),
      ]),
      ['questions that miss a fact', ...groups.map(([, { questions }]) => String(questions))],
    ],
  );
}
