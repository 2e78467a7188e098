/**
 * Type-checks and runs every example of the README and of the pages in docs; an example that shows
 * output must print it.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  type Block,
  blocksOf,
  checkTypes,
  commandsOf,
  difference,
  isExample,
  openSandbox,
  programName,
  runBlock,
} from '../tools/readme.ts';

// The examples are written for a POSIX shell.
const NO_SHELL = process.platform === 'win32' ? 'sessions need a POSIX shell' : false;

const FIXTURE = `# Title

\`\`\`ts
import { ask, ingest, type Trace } from 'multihop';
import { strategies } from 'multihop/strategies';
const engine = await ingest(['Ada wrote the first program.', 'The first program counted Bernoulli numbers.']);
const trace: Trace = await ask('Who wrote the first program?', { engine, reader: 'evidence-only', strategy: strategies.create('fixed-top-k') });
if (trace.answer.kind !== 'evidence') throw new Error(trace.answer.kind);
\`\`\`

\`\`\`ts
import { ask } from 'multihop';
const words: number = ask;
\`\`\`

\`\`\`js
throw new Error('on purpose');
\`\`\`

\`\`\`console
$ npx multihop --version
0.0.0-wrong
\`\`\`

\`\`\`console
$ npx multihop nothing
multihop: Unknown command "nothing"...
...
$ npm run -s multihop -- --version | wc -l
1
\`\`\`

\`\`\`sh
npx multihop --help > help.txt
npx multihop \\
  --version
\`\`\`

\`\`\`sh
npm ci && npm run demo
\`\`\`

<!-- not run: it needs the benchmark -->

\`\`\`sh
npx multihop eval multihop-rag
\`\`\`

\`\`\`text
nothing to run
\`\`\`

\`\`\`js
console.log('one');
\`\`\`

\`\`\`text
two
\`\`\`
`;

describe('readme: the checker of examples', { skip: NO_SHELL }, () => {
  const blocks = blocksOf(FIXTURE);
  const sandbox = openSandbox();
  after(() => sandbox.close());
  const programs = blocks.filter(block => programName(block) && /^[tj]s$/.test(block.language));
  const problems = checkTypes(sandbox, programs);
  const [right, wrongType, throws, wrongOutput, session, plain, other, notRun] =
    blocks as Block[] & {
      readonly [at in 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7]: Block;
    };

  test('a correct program passes', () => {
    assert.equal(problems.get(programName(right)), undefined);
    assert.equal(problems.get('elsewhere'), undefined);
    assert.equal(runBlock(sandbox, right), undefined);
  });
  test('reports a wrong type', () =>
    assert.match(problems.get(programName(wrongType)) ?? '', /TS2322/));
  test('reports a program that throws', () =>
    assert.match(runBlock(sandbox, throws) ?? '', /on purpose/));
  test('reports a program that prints another text than the block behind it', () => {
    const program = blocks.at(-2)!;
    assert.match(runBlock(sandbox, program) ?? '', /not found: two/);
    assert.equal(runBlock(sandbox, { ...program, prints: ['one'] }), undefined);
    assert.equal(notRun.prints, undefined);
  });
  test('reports output that differs from the shown one', () =>
    assert.match(runBlock(sandbox, wrongOutput) ?? '', /not found: 0\.0\.0-wrong/));
  test('a session runs in a shell, and a shown failure passes', () =>
    assert.equal(runBlock(sandbox, session), undefined));
  test('lines without a prompt are commands', () => {
    assert.deepEqual(
      commandsOf(plain.text).map(({ command }) => command),
      ['npx multihop --help > help.txt', 'npx multihop \\\n  --version'],
    );
    assert.equal(runBlock(sandbox, plain), undefined);
  });
  test('reports a failure that is not shown', () =>
    assert.match(
      runBlock(sandbox, { ...plain, text: 'npx multihop nothing' }) ?? '',
      /ended with 2/,
    ));
  test('recognises examples, and blocks that opt out', () => {
    const others = [...blocks.keys()].filter(at => !isExample(blocks[at]!));
    assert.deepEqual([blocks.length, others], [11, [6, 8, 10]]);
    assert.equal(other.notRun, undefined);
    assert.equal(notRun.notRun, 'it needs the benchmark');
  });
  test('compares output line by line; an ellipsis matches any lines or text, and durations may differ', () => {
    assert.equal(difference(['a', '...', 'd'], 'a\nb\nc\nd\n'), undefined);
    assert.equal(difference(['a', '...'], 'a\n'), undefined);
    assert.equal(
      difference(['3 hops in 12 ms (x)', 'b … d'], '3 hops in 7.5 ms (x)\nb c d'),
      undefined,
    );
    assert.match(difference(['3 hops'], '4 hops') ?? '', /not found: 3 hops/);
    assert.match(difference(['a'], 'a\nb') ?? '', /the end/);
    assert.match(difference(['a.c'], 'abc') ?? '', /not found/);
  });
});

const docs = fileURLToPath(new URL('../docs/', import.meta.url));
const pages = [
  'README.md',
  ...readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.md'))
    .sort()
    .map(path => `docs/${path}`),
];
const examplesOf = (page: string): Block[] =>
  blocksOf(readFileSync(new URL(`../${page}`, import.meta.url), 'utf8')).filter(isExample);

for (const page of pages.filter(each => each === 'README.md' || examplesOf(each).length > 0))
  describe(`readme: the examples of ${page}`, { skip: NO_SHELL }, () => {
    const examples = examplesOf(page);
    const sandbox = openSandbox();
    after(() => sandbox.close());
    const problems = checkTypes(
      sandbox,
      examples.filter(
        block =>
          block.notRun === undefined && /^(?:[tj]s|typescript|javascript)$/.test(block.language),
      ),
    );
    test('there are examples', () => assert.ok(examples.length > 0));
    // Runs them in order and in one folder: later examples read the files of earlier ones.
    for (const block of examples) {
      const name = `${page}:${block.line} ${block.text.trim().split('\n')[0]}`;
      test(name, { skip: block.notRun ?? false }, () => {
        assert.equal(problems.get(programName(block)), undefined);
        assert.equal(runBlock(sandbox, block), undefined);
      });
    }
  });
