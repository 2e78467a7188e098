/** The command line over PostgreSQL: `--engine URL` in place of `--store DIR`. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { FIXTURE_DOCUMENTS } from '../../src/testing/fixture-corpus.ts';
import { run } from '../running-command.ts';
import { anyServer, NEEDS_POSTGRES, newSchema, OpenedEngines } from './postgres-server.ts';

describe('multihop over PostgreSQL', NEEDS_POSTGRES, () => {
  let server: Awaited<ReturnType<typeof anyServer>>;
  let engines: OpenedEngines;
  const folder = mkdtempSync(join(tmpdir(), 'multihop-pg-command-'));
  const corpus = join(folder, 'corpus.jsonl');
  let url = '';
  before(async () => {
    server = await anyServer();
    engines = new OpenedEngines(server.url);
    url = newSchema(server.url);
    await engines.open({}, url);
    const lines = FIXTURE_DOCUMENTS.map(document => JSON.stringify(document));
    writeFileSync(corpus, `${lines.join('\n')}\nnot JSON\n`);
  });
  after(async () => {
    await engines.close();
    await server.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  test('ingests, searches, asks, lists and removes as over a store', async () => {
    const store = join(folder, 'a.store');
    const both = async (...words: string[]) => {
      const [remote, local] = [
        await run([...words, '--engine', url, '--json']),
        await run([...words, '--store', store, '--json']),
      ];
      assert.equal(remote.code, local.code, remote.err);
      return [JSON.parse(remote.out), JSON.parse(local.out)];
    };
    const [first, stored] = await both('ingest', corpus);
    assert.deepEqual([first.added, first.skipped.length], [stored.added, stored.skipped.length]);
    assert.equal(first.added, FIXTURE_DOCUMENTS.length);
    const [again] = await both('ingest', corpus);
    assert.deepEqual([again.added, again.unchanged], [0, FIXTURE_DOCUMENTS.length]);

    const filter = 'source = "Coast Courier"';
    for (const words of [
      ['search', 'lighthouse sold', '-k', '4'],
      ['search', 'lighthouse', '--filter', filter, '--retriever', 'lexical(unit=sentence)'],
    ]) {
      const [remote, local] = await both(...words);
      assert.deepEqual(remote, local);
    }
    const [asked, expected] = await both('ask', 'Who bought the lighthouse at Harrow Point?');
    for (const field of ['answer', 'citations', 'hops', 'strategy', 'retriever'])
      assert.deepEqual(asked[field], expected[field], field);
    assert.equal(asked.evidence.length, expected.evidence.length);

    const [listed, local] = await both('documents', '--filter', filter);
    const idsOf = (shown: { documents: { id: string }[] }) => shown.documents.map(({ id }) => id);
    assert.deepEqual(idsOf(listed), idsOf(local));
    const [removed] = await both('remove', 'twin-a', 'twin-b');
    assert.deepEqual([removed.removed, removed.documents], [2, FIXTURE_DOCUMENTS.length - 2]);
  });

  test('evaluates over the engine as over the corpus, which must be the same', async () => {
    const questions = join(folder, 'questions.jsonl');
    const own = [
      { question: 'Who bought the ropewalk at Harrow Point?', answer: 'Lund', evidence: 'Lund' },
      { question: 'When does the ferry not run?', answer: 'Sunday', evidence: 'on Sunday' },
    ];
    writeFileSync(questions, own.map(one => `${JSON.stringify(one)}\n`).join(''));
    const clean = join(folder, 'clean.jsonl');
    const lines = FIXTURE_DOCUMENTS.map(document => `${JSON.stringify(document)}\n`);
    writeFileSync(clean, lines.join(''));
    const words = ['eval', 'jsonl', '--corpus', clean, '--questions', questions, '--json'];
    const short = await run([...words, '--engine', url]);
    assert.equal(short.code, 2, 'two documents were removed');
    assert.match(short.err, /other-corpus/);
    await run(['ingest', clean, '--engine', url]);
    const [remote, local] = [await run([...words, '--engine', url]), await run(words)];
    assert.equal(remote.code, 0, remote.err);
    const [over, expected] = [JSON.parse(remote.out), JSON.parse(local.out)];
    const timeless = (rows: unknown): unknown =>
      JSON.parse(
        JSON.stringify(rows, (key, value) => (key.startsWith('Milliseconds') ? undefined : value)),
      );
    assert.deepEqual(timeless(over.rows), timeless(expected.rows));
    assert.match(over.manifest.engine, /^postgres:/);
  });

  test('fails with an exit code and shows no credentials', async () => {
    const wrong = 'postgres://ada:open-sesame@127.0.0.1:9/none';
    const cases: readonly (readonly [number, ...string[]])[] = [
      [4, 'search', 'x', '--engine', wrong],
      [4, 'ask', 'Who?', '--engine', newSchema(server.url)],
      [2, 'remove', 'nothing', '--engine', url],
      [2, 'ingest', corpus, '--engine', url, '--sync'],
      [2, 'search', 'x', '--engine', 'redis://ada:open-sesame@h/x'],
      [2, 'search', 'x', '--engine', url, '--retriever', 'lexical(s1)'],
      [2, 'search', 'x', '--engine', url, '--filter', 'sorce = x'],
    ];
    for (const [code, ...words] of cases) {
      const ended = await run(words);
      assert.equal(ended.code, code, `${words.join(' ')}: ${ended.err}`);
      assert.doesNotMatch(ended.err + ended.out, /sesame/);
    }
  });
});
