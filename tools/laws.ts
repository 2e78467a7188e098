/**
 * Runs the laws of one member, in seconds:
 *
 *     npm run laws -- FAMILY NAME
 *
 * as in `npm run laws -- strategy fixed-top-k`. NAME is the beginning of a name.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { contexts } from '../src/context/contexts.ts';
import { chunkers } from '../src/core/corpus/chunk.ts';
import { didYouMean } from '../src/core/naming/nearest.ts';
import { formats } from '../src/documents/formats.ts';
import { answerControls } from '../src/evaluation/answer-controls.ts';
import { measures } from '../src/evaluation/measures.ts';
import { MODEL_SERVERS } from '../src/providers/model-servers.ts';
import { readers } from '../src/readers/readers.ts';
import { retrievers } from '../src/search/retrievers.ts';
import { strategies } from '../src/strategies/strategies.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const SMALL = 'test/laws/small-families.test.ts';
/** The file that runs the laws of each family. */
const FILES: Readonly<Record<string, string>> = {
  strategy: 'test/laws/strategies.test.ts',
  retriever: SMALL,
  context: SMALL,
  reader: SMALL,
  chunker: SMALL,
  control: SMALL,
  embedder: SMALL,
  reranker: SMALL,
  'query-updater': SMALL,
  measure: 'src/evaluation/measure-laws.test.ts',
  engine: 'test/laws/engines.test.ts',
  'language-model': 'test/laws/language-models.test.ts',
  format: 'test/laws/formats.test.ts',
  'model-server': 'test/laws/model-servers.test.ts',
};

/** The records in which a member must have its line. */
const RECORDS: Readonly<
  Record<string, { readonly members: readonly { readonly name: string }[] }>
> = {
  strategy: strategies,
  retriever: retrievers,
  context: contexts,
  reader: readers,
  chunker: chunkers,
  control: answerControls,
  measure: measures,
  format: { members: formats },
  'model-server': { members: MODEL_SERVERS.map(({ scheme }) => ({ name: scheme })) },
};

const [family, name, ...rest] = process.argv.slice(2);
const file = FILES[family ?? ''];
if (file === undefined || name === undefined || rest.length > 0) {
  console.error(`usage: npm run laws -- FAMILY NAME; FAMILY: ${Object.keys(FILES).join(', ')}`);
  process.exit(2);
}
const names = RECORDS[family ?? '']?.members.map(member => member.name.replace(/@.*/, ''));
if (names && !names.some(one => one.startsWith(name) || name.startsWith(one))) {
  const hint = didYouMean(name, names);
  console.error(
    `Unknown ${family} "${name}": expected one of ${names.join(', ')}.${hint ? ` ${hint}` : ''}`,
  );
  console.error('A new member needs its line in the record of the family: see CONTRIBUTING.md');
  process.exit(2);
}
const pattern = `^(?:laws: )?${name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`;
const { status } = spawnSync(
  process.execPath,
  ['--test', `--test-name-pattern=${pattern}`, '--test-reporter=./tools/test/reporter.ts', file],
  { cwd: ROOT, stdio: 'inherit' },
);
if (status !== 0)
  console.error('One fault often breaks several laws: start with the first failure.');
process.exitCode = status ?? 1;
