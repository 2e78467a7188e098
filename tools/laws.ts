/**
 * Runs the laws of one member, in seconds:
 *
 *     npm run laws -- FAMILY NAME
 *
 * as in `npm run laws -- strategy fixed-top-k`. NAME is the beginning of a name.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const SMALL = 'test/laws/small-families.test.ts';
/** The file that runs the laws of each family. */
const FILES: Readonly<Record<string, string>> = {
  strategy: 'test/laws/strategies.test.ts',
  retriever: SMALL,
  context: SMALL,
  reader: SMALL,
  chunker: SMALL,
  embedder: SMALL,
  'query-updater': SMALL,
  measure: 'src/evaluation/measure-laws.test.ts',
  engine: 'test/laws/engines.test.ts',
  'language-model': 'test/laws/language-models.test.ts',
};

const [family, name, ...rest] = process.argv.slice(2);
const file = FILES[family ?? ''];
if (file === undefined || name === undefined || rest.length > 0) {
  console.error(`usage: npm run laws -- FAMILY NAME; FAMILY: ${Object.keys(FILES).join(', ')}`);
  process.exit(2);
}
const pattern = `^(?:laws: )?${name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`;
const { status } = spawnSync(
  process.execPath,
  ['--test', `--test-name-pattern=${pattern}`, '--test-reporter=./tools/reporter.ts', file],
  { cwd: ROOT, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
