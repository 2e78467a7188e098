/**
 * The house rule over every file of the project, and for each of its rules a small file that breaks
 * it.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { circlesOf } from '../tools/house/circles.ts';
import { ALLOWED_STATE } from '../tools/house/module-state.ts';
import {
  ALARM_FILE_LINES,
  ALARM_FUNCTION_LINES,
  checkLengths,
  checkOutsideFolders,
  checkPathNames,
  checkSource,
  checkSpreads,
  checkState,
  checkTypeNames,
  type Violation,
} from '../tools/house/rules.ts';
import { readSourceFile, type SourceFile } from '../tools/house/syntax.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SELF = 'test/house-imports.test.ts';
const NOT_OURS = new Set(['node_modules', 'dist', '.git', '.cache', 'coverage', 'runs']);
const WRITTEN = /\.(?:ts|mjs|js|json|jsonl|md|html|yml|txt|csv)$/;

function filesUnder(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const skip = NOT_OURS.has(entry.name) && !path.startsWith('src');
      return skip ? [] : filesUnder(path);
    }
    return [relative('.', path).split(sep).join('/')];
  });
}

const all = filesUnder('.');
const code = all.filter(path => /^(?:src|test|tools|lab|bench)\/.*\.(?:ts|mjs)$/.test(path));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const sources = code
  .filter(path => path.endsWith('.ts'))
  .map(path => readSourceFile(path, read(path)));
const inSource = sources.filter(({ path }) => path.startsWith('src/'));

function none(violations: readonly Violation[]): void {
  assert.equal(
    violations
      .map(({ path, line, rule, message }) => `${path}:${line} [${rule}] ${message}`)
      .join('\n'),
    '',
  );
}

describe('house rule', () => {
  test('there is something to check', () =>
    assert.ok(inSource.length > 50, `${inSource.length} files in src`));
  test('rooms, imports, effects, siblings', () => none(checkSource(inSource)));
  test('no files import each other in a circle', () => {
    const imports = inSource.map(({ path, imports }): [string, string[]] => [
      path,
      imports.map(({ specifier }) => posix.normalize(posix.join(posix.dirname(path), specifier))),
    ]);
    assert.deepEqual(circlesOf(new Map(imports)), []);
  });
  test('no module keeps caches for the life of a process', () => none(checkState(inSource)));
  test('every allowed state is there', () => {
    const kept = new Set(
      inSource.flatMap(({ path, state }) => state.map(({ name }) => `${path} ${name}`)),
    );
    assert.deepEqual(
      Object.keys(ALLOWED_STATE).filter(entry => !kept.has(entry)),
      [],
    );
  });
  test('no literal is spread into another', () => none(checkSpreads(sources)));
  test('names of folders and files', () => none(checkPathNames(code)));
  test('names of types', () => none(checkTypeNames(sources)));
  test('no folder outside the project is named', () => {
    const readable = all.filter(
      path => WRITTEN.test(path) && path !== SELF && path !== 'package-lock.json',
    );
    none(readable.flatMap(path => checkOutsideFolders(path, read(path))));
  });
  test('lengths of files and functions', t => {
    const shipped = sources.filter(
      ({ path }) => /^(?:src|tools|lab)\//.test(path) && !path.endsWith('.test.ts'),
    );
    const longest = shipped.reduce((a, b) => (b.codeLines > a.codeLines ? b : a));
    const functions = shipped.flatMap(({ path, functions }) =>
      functions.map(each => ({ path, ...each })),
    );
    const deepest = functions.reduce((a, b) => (b.lines > a.lines ? b : a));
    t.diagnostic(`longest file ${longest.path}: ${longest.codeLines} lines of code`);
    t.diagnostic(
      `longest function ${deepest.path}:${deepest.line} ${deepest.name}: ${deepest.lines} lines of code`,
    );
    none(checkLengths(shipped));
  });
});

/** The rules that one file, put into src, breaks. */
function broken(path: string, text: string, others: readonly SourceFile[] = []): string[] {
  return checkSource([readSourceFile(path, text), ...others])
    .filter(violation => violation.path === path)
    .map(({ rule }) => rule);
}

describe('house rule: each rule can fail', () => {
  const wrong: readonly (readonly [rule: string, path: string, text: string])[] = [
    ['room', 'src/extras/x.ts', ''],
    ['room', 'src/extras.ts', ''],
    ['import', 'src/core/text/x.ts', "import { a } from '../../search/engine.ts';"],
    ['import', 'src/core/ranking/x.ts', "import type { A } from '../../models/port.ts';"],
    ['import', 'src/core/ranking/x.ts', "type A = import('../../models/port.ts').Hop;"],
    ['import', 'src/core/corpus/x.ts', "export * from '../../search/engine.ts';"],
    ['import', 'src/core/corpus/x.ts', "const a = () => import('../../search/engine.ts');"],
    ['import', 'src/strategies/x.ts', "import { ask } from '../run/ask.ts';"],
    ['import', 'src/evaluation/x.ts', "import { ask } from '../index.ts';"],
    ['import', 'src/core/trace/x.ts', "import { createHash } from 'node:crypto';"],
    ['import', 'src/core/text/x.ts', "import { marked } from 'marked';"],
    ['import', 'src/core/text/x.ts', 'const a = (name: string) => import(name);'],
    ['import', 'src/documents/x.ts', "import { x } from '../../tools/x.ts';"],
    ['import', 'src/session/x.ts', "import { Output } from '../cli/output.ts';"],
    ['import', 'src/stores/disk/x.ts', "import { Output } from '../../cli/output.ts';"],
    ['import', 'src/core/text/x.ts', "import { x } from './words.test.ts';"],
    ['barrel', 'src/search/x.ts', "import { x } from '../core/trace/index.ts';"],
    ['effect', 'src/core/trace/x.ts', 'export const t = () => Date.now();'],
    ['effect', 'src/core/trace/x.ts', 'export const t = () => new Date();'],
    ['effect', 'src/core/trace/x.ts', 'const { now } = performance;'],
    ['effect', 'src/core/ranking/x.ts', 'export const r = [1].map(() => Math.random());'],
    ['effect', 'src/core/ranking/x.ts', "export const r = Math['random']();"],
    ['effect', 'src/models/x.ts', 'setTimeout(() => {}, 1);'],
    ['effect', 'src/run/ask.ts', 'export function f(): void { console.error(1); }'],
    ['effect', 'src/run/ask.ts', 'export const a = process.env as unknown;'],
    ['effect', 'src/models/x.ts', 'export const a = async () => fetch("x");'],
    ['effect', 'src/core/text/x.ts', 'const a = (process: number) => process; const b = process;'],
    ['effect', 'src/core/text/x.ts', 'export const a = (globalThis as { x?: 1 }).x;'],
    ['effect', 'src/core/text/x.ts', 'export const a = import.meta.url;'],
  ];
  for (const [rule, path, text] of wrong)
    test(`${rule}: ${path} with ${text}`, () => {
      const rules = broken(path, text);
      assert.ok(rules.includes(rule), `${rules}`);
    });

  for (const [path, text] of [
    ['src/search/x.ts', "import { a } from '../core/corpus/document.ts';"],
    ['src/core/trace/x.ts', "import { a } from './call.ts';"],
    [
      'src/planning/x.ts',
      'const d = (ms: number) => new Date(ms).getUTCDay() + Date.UTC(2024, 1);',
    ],
    ['src/core/text/x.ts', 'const a = (process: { on: number }) => process.on;'],
    ['src/core/text/x.ts', 'class B { fetch = 1; }'],
    ['src/core/text/x.ts', 'export const a = { console: 1, fetch() {} }; a.console;'],
    ['src/core/text/x.ts', 'export type A = { process: performance };'],
    ['src/documents/x.ts', "import { x } from 'node:fs'; console.log(x, Date.now());"],
    ['src/cli/x.ts', "import { Models } from '../session/models.ts';"],
    ['src/cli/x.ts', "import { Output } from './output.ts';"],
    ['src/core/text/x.test.ts', "import { x } from 'node:test'; console.log(x);"],
  ] as const)
    test(`allowed: ${path} with ${text}`, () => assert.deepEqual(broken(path, text), []));

  test('siblings of a family, at once and through another file', () => {
    const member = (name: string, imports: string): SourceFile =>
      readSourceFile(
        `src/strategies/${name}.ts`,
        `${imports}\nexport const x: Member<Strategy> = {};`,
      );
    const other = member('other', '');
    const family = readSourceFile(
      'src/strategies/strategies.ts',
      "import { x } from './other.ts';",
    );
    const atOnce = "import { x } from './other.ts';";
    const through = "import { strategies } from './strategies.ts';";
    const imports = (text: string): string => `${text}\nexport const y: Member<Strategy> = {};`;
    assert.deepEqual(broken('src/strategies/one.ts', imports(atOnce), [other, family]), [
      'sibling',
    ]);
    assert.deepEqual(broken('src/strategies/one.ts', imports(through), [other, family]), [
      'sibling',
    ]);
    assert.deepEqual(broken('src/strategies/one.ts', through, [other, family]), []);
    const apart = imports("import { x } from '../other.ts';");
    assert.deepEqual(broken('src/strategies/one/one.ts', apart, [other, family]), ['sibling']);
  });

  test('names', () => {
    const bad = [
      'src/core/text/Words.ts',
      'src/core/text/word_runs.ts',
      'src/core/text/word-utils.ts',
      'src/common/x.ts',
      'src/base-index/x.ts',
      'test/test-helper.ts',
    ];
    assert.deepEqual(
      checkPathNames(bad).map(({ path }) => path),
      bad,
    );
    assert.deepEqual(
      checkPathNames([
        'src/core/text/database.ts',
        'src/core/text/words.test.ts',
        'src/indexes/bm25.wasm.ts',
        '.ci/run.ts'.slice(4),
      ]),
      [],
    );
    const types = readSourceFile(
      'src/x.ts',
      'class IndexManager {}\ninterface BaseIndex {}\ntype MyUtil = 1;\ntype Database = 1;\ntype Basis = 1;',
    );
    assert.deepEqual(
      checkTypeNames([types]).map(({ line }) => line),
      [1, 2, 3],
    );
  });

  test('state of a module', () => {
    const kept = (text: string, allowed = {}): string[] =>
      checkState([readSourceFile('src/a.ts', text)], allowed).map(({ message }) => message);
    const bad = [
      'let a = 1;',
      'export let a: number | undefined;',
      'const a = new Map<string, number>(); export const f = (): void => void a.set("", 1);',
      'const a: Record<string, number> = {}; export function f(): void { a["x"] = 1; }',
      'const a: number[] = []; export const f = (): number => a.push(1);',
      'const a = new Float64Array(9); export function f(): void { a[0]++; }',
      'export const f = (() => { const a = new WeakMap(); return a; })();',
      'class A { private readonly a = new WeakMap<object, number>(); }',
      'class A { static readonly a = new Map<string, number>(); }',
    ];
    for (const text of bad) assert.equal(kept(text).length, 1, text);
    assert.deepEqual(kept(bad[0]!, { 'src/a.ts a': 'a reason' }), []);
    const good = [
      'const a = new Map([["x", 1]]); export const f = (): number | undefined => a.get("x");',
      'export function f(): number { let a = 1; const b = new Map(); b.set(1, 1); return ++a; }',
      'class A { private readonly a = new Map<string, number>(); b(): void { this.a.set("", 1); } }',
      'const a = { x: 1 }; export const b = { ...a };',
    ];
    for (const text of good) assert.deepEqual(kept(text), [], text);
  });

  test('spreads of literals', () => {
    const spread = (text: string): number =>
      checkSpreads([readSourceFile('src/a.ts', `const a = { ${text} };`)]).length;
    for (const text of [
      '...{ x }',
      '...({ x } as const)',
      '...(c ? { x } : {})',
      '...(c ? {} : { x })',
      '...(c && { x })',
      'b: { ...{ x } }',
    ])
      assert.equal(spread(text), 1, text);
    for (const text of [
      '...b',
      '...(c ? b : {})',
      '...(b ?? {})',
      '...b({ x })',
      'b: [...c, { x }]',
    ])
      assert.equal(spread(text), 0, text);
  });

  test('lengths count code, not comments and blank lines', () => {
    const lines = (count: number): string => 'x();\n'.repeat(count);
    const long = readSourceFile(
      'src/a.ts',
      `// a comment\n\n/* and\nanother */\n${lines(ALARM_FILE_LINES + 1)}`,
    );
    const fits = readSourceFile(
      'src/b.ts',
      `// a comment\n\n/* and\nanother */\n${lines(ALARM_FILE_LINES)}`,
    );
    const deep = readSourceFile(
      'src/c.ts',
      `function f() {\n${lines(ALARM_FUNCTION_LINES - 1)}}\nconst g = () => {\n${lines(ALARM_FUNCTION_LINES - 2)}};`,
    );
    assert.deepEqual(
      checkLengths([long, fits, deep]).map(({ path, line }) => `${path}:${line}`),
      ['src/a.ts:1', 'src/c.ts:1'],
    );
  });

  test('folders outside the project', () => {
    const outside = ["'/home/me/data'", 'see ../shared/x', 'cat /tmp/x', 'shared/data/x.json'];
    for (const text of outside)
      assert.equal(checkOutsideFolders('a', `first\n${text}`)[0]?.line, 2, text);
    for (const text of ['https://x.org/home/', './work/x', 'chunks are shared/reused', 'docs/tmp/'])
      assert.deepEqual(checkOutsideFolders('a', text), [], text);
  });
});
