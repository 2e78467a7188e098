/** Tests of the command line over an engine on a server: `--store URL`. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { composeEvaluation } from '../../src/experiments/compose-evaluation.ts';
import { rowsOf } from '../../src/experiments/rows.ts';
import { InputError, openStore } from '../../src/index.ts';
import { openServer } from '../../src/server/open-server.ts';
import { openPlace } from '../../src/session/places/open-place.ts';
import { FIXTURE_DOCUMENTS } from '../../src/testing/fixture-corpus.ts';
import { hashedEmbedder } from '../../src/testing/hashed-embedder.ts';
import { calledTool, connectStdio } from '../mcp/client.ts';
import { run } from '../running-command.ts';

export interface OpenServer {
  /** The address of an empty engine. */
  readonly url: string;
  /** The address of an engine that is made with its first documents. */
  readonly newEngine: string;
  /** The address of an engine that does not exist. */
  readonly noEngine: string;
  readonly close: () => Promise<void>;
}

export interface ServerKind {
  /** Starts a server, or takes one that runs. */
  readonly open: () => Promise<OpenServer>;
  readonly skip: { readonly skip: string | false };
  readonly scheme: string;
  /** Scores equal those of a store. OpenSearch rounds lengths. */
  readonly sameScores: boolean;
}

/** Leaves out scores, unless they are those of a store to the bit. */
const comparable = (value: unknown, sameScores: boolean): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, one) => (sameScores || key !== 'score' ? one : undefined)),
  );

/** Registers the tests over one kind of server. */
export function testCommands(name: string, { open, skip, scheme, sameScores }: ServerKind): void {
  describe(name, skip, () => {
    let server: Awaited<ReturnType<typeof open>>;
    const folder = mkdtempSync(join(tmpdir(), 'multihop-engine-command-'));
    const corpus = join(folder, 'corpus.jsonl');
    let url = '';
    before(async () => {
      server = await open();
      url = server.url;
      const lines = FIXTURE_DOCUMENTS.map(document => JSON.stringify(document));
      writeFileSync(corpus, `${lines.join('\n')}\nnot JSON\n`);
    });
    after(async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    });

    test('ingests, searches, asks, lists and removes as over a store', async () => {
      const store = join(folder, 'a.store');
      const both = async (...words: string[]) => {
        const [remote, local] = [
          await run([...words, '--store', url, '--json']),
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
        assert.deepEqual(comparable(remote, sameScores), comparable(local, sameScores));
      }
      const [asked, expected] = await both('ask', 'Who bought the lighthouse at Harrow Point?');
      for (const field of ['answer', 'citations', 'hops', 'strategy', 'retriever'])
        assert.deepEqual(
          comparable(asked[field], sameScores),
          comparable(expected[field], sameScores),
          field,
        );
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
      const short = await run([...words, '--store', url]);
      assert.equal(short.code, 2, 'two documents were removed');
      assert.match(short.err, /other-corpus/);
      await run(['ingest', clean, '--store', url]);
      const [remote, local] = [await run([...words, '--store', url]), await run(words)];
      assert.equal(remote.code, 0, remote.err);
      const [over, expected] = [JSON.parse(remote.out), JSON.parse(local.out)];
      const timeless = (rows: unknown): unknown =>
        JSON.parse(
          JSON.stringify(rows, (key, value) =>
            key.startsWith('Milliseconds') ? undefined : value,
          ),
        );
      assert.deepEqual(timeless(over.rows), timeless(expected.rows));
      assert.ok(over.manifest.engine.startsWith(`${scheme}:`));
    });

    test('a chat, an assistant, a server and openStore ask it too', async () => {
      const question = 'Who bought the lighthouse at Harrow Point?';
      const asked = JSON.parse((await run(['ask', question, '--store', url, '--json'])).out);
      const chat = await run(['chat', '--store', url, '--json'], { stdin: question });
      const said = JSON.parse(chat.out) as typeof asked;
      for (const field of ['answer', 'citations', 'hops'])
        assert.deepEqual(said[field], asked[field]);

      await using assistant = await connectStdio(['--store', url]);
      const { fields } = await calledTool(assistant.client, 'ask', { question });
      assert.deepEqual(fields['citations'], asked.citations);

      await using served = await openServer(url, { token: false });
      const body = JSON.stringify({ question });
      const headers = { 'Content-Type': 'application/json' };
      const request = new Request('http://localhost/v1/ask', { method: 'POST', headers, body });
      const { citations, id } = (await (await served.handle(request)).json()) as typeof asked;
      assert.deepEqual(citations, asked.citations);
      const trace = await served.handle(new Request(`http://localhost/v1/traces/${id}`));
      assert.ok(!(await trace.text()).includes(new URL(url).host), 'a client learns no address');

      await using store = await openStore(url);
      assert.equal(store.place.includes('@'), false);
      const { trace: retrieved } = await store.retrieve(question);
      assert.deepEqual(retrieved.hops.length, asked.hops.length);
    });

    test('a new place gets vectors of the models that it is opened with, and keeps them', async () => {
      const embedders = [hashedEmbedder()];
      const search = { retriever: 'dense(hashed)', k: 3 };
      const ids = async (place: string): Promise<string[]> => {
        await using store = await openStore(place, { embedders });
        return (await store.search('a ferry on Sunday', search)).map(({ id }) => id);
      };
      for (const place of [server.newEngine, join(folder, 'dense.store')]) {
        await using store = await openStore(place, { embedders });
        assert.equal((await store.documents()).total, 0);
        await store.ingest(FIXTURE_DOCUMENTS.slice(0, 6));
        await store.ingest(FIXTURE_DOCUMENTS.slice(6));
        await store.remove(['twin-a']);
      }
      assert.deepEqual(await ids(server.newEngine), await ids(join(folder, 'dense.store')));
      await using bare = await openStore(server.newEngine, { env: {} });
      await assert.rejects(async () => bare.ingest(['No vectors.']), InputError);
    });

    test('is evaluated with its vectors: no passage is embedded again', async () => {
      const embedder = hashedEmbedder();
      const documents = FIXTURE_DOCUMENTS.filter(({ id }) => id !== 'twin-a');
      const question = { id: 'q', text: 'Who bought the ropewalk at Harrow Point?' };
      const gold = [{ documentId: 'boat-builder', title: 'Boat builder' }];
      const examples = [{ id: 'q', question, answers: ['Lund'], gold }];
      const [row] = rowsOf({
        strategy: ['fixed-top-k(k=3)'],
        retriever: ['dense(hashed)'],
        context: ['lead'],
        reader: ['evidence-only'],
        budget: [],
        rows: [],
        parseBudget: () => ({}),
      });
      for (const address of [server.newEngine, join(folder, 'dense.store')]) {
        await using place = await openPlace(address, { env: {}, create: false });
        const run = composeEvaluation(
          {
            dataSet: { name: 'fixture', documents, examples, problems: [] },
            rows: [row!],
            files: { questions: corpus },
            measures: [],
            chunker: 'tokens',
            place,
            signal: new AbortController().signal,
          },
          { models: { env: {}, embedders: [embedder] } },
        );
        let step = await run.next();
        while (!step.done) step = await run.next();
        const [scored] = step.value.evaluated.result.rows;
        assert.deepEqual([scored!.failed, scored!.retriever], [0, 'dense(hashed, unit=passage)']);
      }
      assert.deepEqual([...new Set(embedder.calls.map(({ as }) => as))], ['query']);
    });

    test('fails with an exit code and shows no credentials', async () => {
      const wrong = `${scheme}://ada:open-sesame@127.0.0.1:9/none`;
      const cases: readonly (readonly [number, ...string[]])[] = [
        [4, 'search', 'x', '--store', wrong],
        [4, 'ask', 'Who?', '--store', server.noEngine],
        [2, 'remove', 'nothing', '--store', url],
        [2, 'ingest', corpus, '--store', url, '--sync'],
        [2, 'search', 'x', '--store', 'redis://ada:open-sesame@h/x'],
        [2, 'search', 'x', '--store', url, '--retriever', 'lexical(s1)'],
        [2, 'search', 'x', '--store', url, '--filter', 'sorce = x'],
      ];
      for (const [code, ...words] of cases) {
        const ended = await run(words);
        assert.equal(ended.code, code, `${words.join(' ')}: ${ended.err}`);
        assert.doesNotMatch(ended.err + ended.out, /sesame/);
      }
    });

    test('keeps a password from the environment or the address out of all that it writes', async () => {
      const own = new URL(url);
      own.password = 'open-sesame';
      if (own.username === '') own.username = 'ada';
      const question = 'Who bought the lighthouse at Harrow Point?';
      for (const [address, env] of [
        [own.href, {}],
        [url, { MULTIHOP_ENGINE_USER: own.username, MULTIHOP_ENGINE_PASSWORD: 'open-sesame' }],
      ] as const) {
        const trace = join(folder, 'run.trace');
        const words = ['ask', question, '--store', address];
        const ended = await run([...words, '--trace', trace, '--full-trace', '--json', '-v'], {
          env,
        });
        assert.equal(ended.code, 0, ended.err);
        const shown = await run([...words, '-v'], { env });
        for (const text of [
          ended.out,
          ended.err,
          shown.out,
          shown.err,
          readFileSync(trace, 'utf8'),
        ])
          assert.doesNotMatch(text, /sesame|YWRhOm9wZW4/);
      }
    });
  });
}
