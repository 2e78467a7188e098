/**
 * Compares what every strategy, reader and retriever does with `test/golden/same.json`:
 *
 *     npm run same [-- --write] [--only CORPUS] [--keep DIR]
 *
 * A row holds two hashes over 25 questions: of the traces' content or of the rankings, and of what
 * was kept, ranked and answered, without names. Data sets are those below `MULTIHOP_DATA`; without
 * it, the demo and the readmes of locked packages. `--write` writes the file anew, `--keep` writes
 * the hashed lines, so that two commits can be compared with `diff`. Exits with 1 on a difference.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { corpora } from './corpora.ts';
import { type Rows, rowsOf } from './runs.ts';

const FILE = new URL('../../test/golden/same.json', import.meta.url);
const { values } = parseArgs({
  options: { write: { type: 'boolean' }, only: { type: 'string' }, keep: { type: 'string' } },
});
const before: Record<string, Rows> = JSON.parse(readFileSync(FILE, 'utf8'));
let different = 0;

for await (const corpus of corpora(process.env.MULTIHOP_DATA)) {
  if (values.only !== undefined && values.only !== corpus.name) continue;
  const started = performance.now();
  const rows = await rowsOf(corpus, (row, lines) => {
    if (values.keep === undefined) return;
    mkdirSync(join(values.keep, corpus.name), { recursive: true });
    writeFileSync(join(values.keep, corpus.name, `${row}.jsonl`), `${lines.join('\n')}\n`);
  });
  const changed = differences(before[corpus.name] ?? {}, rows);
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(
    `${corpus.name}: ${Object.keys(rows).length} rows, ${changed.length} differ, ${seconds} s`,
  );
  for (const line of changed) console.log(`  ${line}`);
  different += changed.length;
  before[corpus.name] = rows;
}
if (values.write) writeFileSync(FILE, `${JSON.stringify(before, undefined, 2)}\n`);
process.exitCode = different > 0 && !values.write ? 1 : 0;

function differences(old: Rows, now: Rows): string[] {
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap(row => {
    const [was, is] = [old[row], now[row]];
    if (!was) return [`${row}: new`];
    if (!is) return [`${row}: gone`];
    if (was.split(' ')[1] !== is.split(' ')[1]) return [`${row}: another outcome`];
    return was === is ? [] : [`${row}: another content, equal outcome`];
  });
}
