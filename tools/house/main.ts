/**
 * Measures the house: `npm run house` prints its table, `npm run house -- --json` the figures. What
 * is not TypeScript, or is written by a program, is not counted.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { strategies } from '../../src/strategies/strategies.ts';
import { circlesOf } from './circles.ts';
import { ROOMS, roomOf } from './rules.ts';
import { readSourceFile } from './syntax.ts';
import { vagueWords } from './vague-words.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const WRITTEN = /\.wasm\.ts$|report\/page-script\.ts$|inspector\/page-parts\.ts$/;

interface Counted {
  readonly path: string;
  readonly text: string;
}

const files = (pattern: string, keep: (path: string) => boolean = () => true): Counted[] =>
  globSync(pattern, { cwd: ROOT })
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => !path.includes('node_modules') && !WRITTEN.test(path) && keep(path))
    .sort()
    .map(path => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
const isTest = (path: string): boolean => path.endsWith('.test.ts');
const linesOf = (counted: readonly Counted[]): number =>
  counted.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);

const source = files('src/**/*.ts', path => !isTest(path));
const lab = files('lab/**/*.ts', path => !isTest(path) && !path.startsWith('lab/test/'));
const tests = [
  ...files('{src,lab,tools}/**/*.test.ts', path => !path.startsWith('lab/test/')),
  ...files('{test,models-test,gguf-test,lab/test}/**/*.ts'),
];

const read = source.map(({ path, text }) => readSourceFile(path, text));
/** The files of src that each file of src imports. */
const imports = new Map(
  read.map(({ path, imports }) => [
    path,
    imports
      .filter(({ specifier }) => specifier.startsWith('.'))
      .map(({ specifier }) => normalize(join(dirname(path), specifier))),
  ]),
);
const arrows = new Set(
  [...imports].flatMap(([from, targets]) =>
    targets.map(to => `${roomOf(from)} ${roomOf(to)}`).filter(arrow => !/^(\S+) \1$/.test(arrow)),
  ),
);
const order = Object.keys(ROOMS);
const isUp = (arrow: string): boolean => {
  const [from, to] = arrow.split(' ').map(room => order.indexOf(room));
  return to! > from!;
};
const importLines = source.reduce(
  (sum, { text }) =>
    sum +
    [...text.matchAll(/^(?:import|export)\b[^;]*? from '[^']*';|^import '[^']*';/gm)].reduce(
      (lines, [statement]) => lines + statement.split('\n').length,
      0,
    ),
  0,
);

const words = vagueWords(source);
const rows: readonly (readonly [what: string, value: number | string])[] = [
  ['source of what is installed, lines without tests', linesOf(source)],
  ['`lab/`, lines without tests', linesOf(lab)],
  ['tests, lines', linesOf(tests)],
  ['files in src without tests', source.length],
  ['share of lines that are imports', `${((100 * importLines) / linesOf(source)).toFixed(1)} %`],
  ['rooms', new Set(source.map(({ path }) => roomOf(path))).size],
  ['circles of files', circlesOf(imports).length],
  ['arrows between rooms', arrows.size],
  ['arrows up', [...arrows].filter(isUp).length],
  [
    'settings of the default strategy',
    strategies.members.find(({ name }) => name === 'fact-lanes')!.parameters!.length,
  ],
  ...[...words].map(([word, count]) => [`"${word}" as a noun`, count] as const),
];

if (process.argv.includes('--json')) console.log(JSON.stringify(Object.fromEntries(rows)));
else {
  console.log('| | |\n|---|--:|');
  for (const [what, value] of rows) console.log(`| ${what} | ${value.toLocaleString('en')} |`);
  for (const circle of circlesOf(imports)) console.log(`circle: ${circle.join(' -> ')}`);
}
