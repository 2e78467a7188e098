/**
 * Type-checks every `@example` of the public names, and runs those that need no model or server.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  type Block,
  blocksOf,
  checkTypes,
  isExample,
  openSandbox,
  programName,
  runBlock,
} from '../tools/readme.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LEAST_NAMES = 30;
const WIDEST_LINE = 100;

interface ApiExample {
  /** `src/session/verbs.ts:25 ask`. */
  readonly name: string;
  readonly of: string;
  readonly block: Block;
}

/** Returns the name that the line after a doc comment declares. */
function declaredName(line: string): string {
  const declared =
    /^\s*(?:export )?(?:async )?(?:function\*?|class|interface|type|const) (\w+)/.exec(line) ??
    /^\s*(?:readonly )?(\w+)/.exec(line);
  assert.ok(declared, `no declaration follows the example: ${line}`);
  return declared[1]!;
}

/** Returns the examples of a source: programs in doc comments, each with the output behind it. */
function examplesOf(path: string, source: string): ApiExample[] {
  const examples: ApiExample[] = [];
  for (const comment of source.matchAll(/^ *\/\*\*[^\n]*\n(?: *\*(?!\/)[^\n]*\n)* *\*\/\n/gm)) {
    const [, ...parts] = comment[0].replace(/^ *(?:\/\*\*|\*\/|\* ?)/gm, '').split(/^@example/m);
    if (parts.length === 0) continue;
    const behind = source.slice(comment.index + comment[0].length).split('\n');
    const of = declaredName(behind.find(line => !line.trim().startsWith('//'))!);
    const line = source.slice(0, comment.index).split('\n').length;
    for (const part of parts) {
      const blocks = blocksOf(part).filter(isExample);
      const place = `${path}:${line} ${of}`;
      assert.equal(blocks.length, 1, `${place}: an example is one program`);
      examples.push({ name: place, of, block: blocks[0]! });
    }
  }
  return examples;
}

const examples = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .sort()
  .flatMap(path => examplesOf(`src/${path}`, readFileSync(join(ROOT, 'src', path), 'utf8')))
  // A program's file is named by its line, so each example gets one of its own.
  .map((example, index) => ({ ...example, block: { ...example.block, line: index + 1 } }));

test('examples are found in doc comments, with the names that they stand on', () => {
  const source = `/**
 * Adds.
 *
 * @example
 * \`\`\`ts
 * add(1, 2);
 * \`\`\`
 */
export const add = (a: number, b: number): number => a + b;

/** No example. */
interface A {
  /**
   * @example
   * <!-- not run: needs a server -->
   *
   * \`\`\`ts
   * if (true) {
   *   a.serve();
   * }
   * \`\`\`
   */
  serve(): void;
}
`;
  assert.deepEqual(
    examplesOf('a.ts', source).map(({ name, block }) => [name, block.text, block.notRun]),
    [
      ['a.ts:1 add', 'add(1, 2);', undefined],
      ['a.ts:13 serve', 'if (true) {\n  a.serve();\n}', 'needs a server'],
    ],
  );
  const unfenced = '/**\n * @example\n * add(1, 2);\n */\nconst add = 1;\n';
  assert.throws(() => examplesOf('a.ts', unfenced), /a\.ts:1 add: an example is one program/);
});

test(`at least ${LEAST_NAMES} names have an example`, () => {
  const names = new Set(examples.map(({ of }) => of));
  assert.ok(names.size >= LEAST_NAMES, `${names.size} names: ${[...names].join(', ')}`);
});

// Examples run through symbolic links to the source, which need rights on Windows.
describe('api: the examples', { skip: process.platform === 'win32' }, () => {
  const sandbox = openSandbox();
  after(() => sandbox.close());
  symlinkSync(join(ROOT, 'node_modules/@ai-sdk'), join(sandbox.folder, 'node_modules/@ai-sdk'));
  const problems = checkTypes(
    sandbox,
    examples.map(({ block }) => block),
  );
  test('the compiler reports nothing outside of the examples', () =>
    assert.equal(problems.get('elsewhere'), undefined));
  for (const { name, block } of examples)
    test(name, () => {
      assert.match(block.text, /^import .* from 'multihop/m, 'an example imports what it uses');
      const wide = block.text.split('\n').filter(line => line.length > WIDEST_LINE);
      assert.deepEqual(wide, []);
      assert.equal(problems.get(programName(block)), undefined);
      if (block.notRun === undefined) assert.equal(runBlock(sandbox, block), undefined);
    });
});
