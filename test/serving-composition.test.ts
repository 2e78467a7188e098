/** Tests asks and evaluations composed by `session` alone, as a server would. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inCommandWords } from '../src/cli/command-hints.ts';
import { commands } from '../src/cli/commands.ts';
import { GLOBAL_OPTIONS } from '../src/cli/option.ts';
import { InputError, type PortError } from '../src/core/errors.ts';
import type { Budget } from '../src/core/trace/usage.ts';
import { readDataSet } from '../src/documents/data-sets.ts';
import { judgeBy } from '../src/evaluation/judge.ts';
import { measure } from '../src/evaluation/measures.ts';
import { SCRIPTED_JUDGE } from '../src/evaluation/scripted-judge.ts';
import { composeEvaluation } from '../src/experiments/compose-evaluation.ts';
import { rowsOf } from '../src/experiments/rows.ts';
import type { Embedder } from '../src/models/embedder.ts';
import { readers } from '../src/readers/readers.ts';
import { type AskOptions, askEvents } from '../src/run/ask.ts';
import { checkPrice } from '../src/run/run-budget.ts';
import { EmbeddedEngine } from '../src/search/embedded-engine.ts';
import { estimateCost } from '../src/session/cost-estimate.ts';
import type { EmbeddedEvent, StoreIngestEvent } from '../src/session/document-store.ts';
import { answerCitations, documentsOf } from '../src/session/evidence-view.ts';
import { openDocumentStore } from '../src/session/open-store.ts';
import { runResult } from '../src/session/run-result.ts';
import { Session } from '../src/session/session.ts';
import { watchRun } from '../src/session/timed-run.ts';
import { TotalBudget } from '../src/session/total-budget.ts';
import { TraceLines } from '../src/session/trace-lines.ts';
import { Store } from '../src/stores/disk/store.ts';
import { strategies } from '../src/strategies/strategies.ts';
import { hashedEmbedder } from '../src/testing/hashed-embedder.ts';
import { scriptedModel } from '../src/testing/scripted-model.ts';
import { demoDataSet } from './running-command.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CORPUS = join(ROOT, 'demo', 'corpus.jsonl');
const QUESTION = 'Who founded Dunmarrow Drives?';
const REPLY = JSON.stringify({ answer: 'Dunmarrow Drives', citations: [1], abstain: false });
const PRICE = { input: 1000, output: 2000 };

let folder = '';
let store = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'multihop-serving-'));
  store = join(folder, 'store');
  await using opened = await openDocumentStore(store, { embedders: [hashedEmbedder()], env: {} });
  await opened.ingest({ paths: [CORPUS] });
});
after(() => rm(folder, { recursive: true, force: true }));

describe('a composed ask', () => {
  const compose = async (
    model: ReturnType<typeof scriptedModel> | undefined,
    totalBudget: Budget = {},
  ): Promise<{ result: Record<string, unknown>; warnings: string[] }> => {
    const warnings: string[] = [];
    const notices = { note: () => {}, warn: (text: string) => warnings.push(text) };
    await using session = await Session.open(store, {
      env: {},
      embedders: [hashedEmbedder()],
      notices,
      model,
      totalBudget,
      price: model ? PRICE : undefined,
      cassette: join(folder, 'said.jsonl'),
    });
    await using asked = await session.ask(QUESTION, {
      strategy: 'fixed-top-k(k=3)',
      retriever: 'fused(lexical, dense(hashed))',
      context: 'lead',
      reader: 'generative(form=short)',
    });
    const lines = new TraceLines(undefined);
    const trace = await watchRun(asked.events, event => lines.add(event));
    const ids = [...trace.evidence, ...answerCitations(trace)].map(item => item.documentId);
    const documents = await documentsOf(ids, asked.snapshot.engine);
    const result = runResult(trace, documents, lines.seal(), undefined);
    return { result: JSON.parse(JSON.stringify(result)) as Record<string, unknown>, warnings };
  };
  test('records a scripted model, replays it without one, and gives the same JSON result', async () => {
    const model = scriptedModel([REPLY]);
    const { result, warnings } = await compose(model);
    assert.deepEqual([warnings, model.prompts.length], [[], 1]);
    const { answer, spent } = result as Record<string, Record<string, unknown>>;
    assert.deepEqual([answer!['kind'], answer!['text']], ['answered', 'Dunmarrow Drives']);
    assert.equal(spent!['modelCalls'], 1);
    assert.ok((spent!['usd'] as number) > 0);
    const replayed = (await compose(undefined)).result;
    const content = (one: Record<string, unknown>) => (one['trace'] as { content: string }).content;
    assert.equal(content(replayed), content(result));
  });

  test('embeds the query alone: the store holds the vectors of its passages', async () => {
    const embedder = hashedEmbedder();
    await using session = await Session.open(store, { env: {}, embedders: [embedder] });
    const options = { strategy: 'fixed-top-k', retriever: 'dense(hashed)', context: 'lead' };
    await using asked = await session.ask(QUESTION, options);
    await watchRun(asked.events);
    assert.ok(embedder.calls.length > 0);
    assert.deepEqual(
      embedder.calls.filter(({ as }) => as === 'passage'),
      [],
    );
  });

  test('an exhausted total budget refuses the call, and the run records the limit', async () => {
    const model = scriptedModel([REPLY]);
    const { result } = await compose(model, { modelCalls: 0 });
    assert.equal(model.prompts.length, 0);
    assert.deepEqual(result['stopped'], { by: 'limit', limit: 'modelCalls' });
  });
});

describe('a composed ingest', () => {
  /** Ingests the demo corpus, and returns its events and summary. */
  const ingest = async (embedder: Embedder, target: string) => {
    const options = { env: {}, create: true, embedders: [embedder] };
    await using session = await Session.open(target, options);
    const events: StoreIngestEvent[] = [];
    const run = session.ingest({ paths: [CORPUS] });
    let step = await run.next();
    for (; !step.done; step = await run.next()) events.push(step.value);
    return { events, summary: step.value };
  };
  const last = (events: readonly StoreIngestEvent[]): EmbeddedEvent =>
    events.filter(event => event.type === 'embedded').at(-1)!;

  test('reports its phases, and vectors that were computed or came from the cache', async () => {
    const target = join(folder, 'ingested');
    const first = await ingest(hashedEmbedder(), target);
    assert.deepEqual(
      first.events.flatMap(event => (event.type === 'phase' ? [event.phase] : [])),
      ['embedding', 'indexing'],
    );
    const { done, total, computed } = last(first.events);
    assert.ok(done > 0);
    assert.deepEqual([done, computed], [total, total]);
    assert.deepEqual(first.summary.embedded, { hashed: total });

    // A document that comes back finds its vectors in the cache.
    await using reopened = await openDocumentStore(target, { env: {} });
    await reopened.remove(['fathom-prize']);
    const second = last((await ingest(hashedEmbedder(), target)).events);
    assert.deepEqual([second.done, second.total, second.computed], [total, total, 0]);
  });

  test('leaves no store behind if a model cannot be opened', async () => {
    const target = join(folder, 'never');
    const options = { env: {}, create: true, embedders: ['nothing'] };
    await using session = await Session.open(target, options);
    await assert.rejects(session.ingest([]).next(), { multihop: 'input' });
    assert.ok(!existsSync(target));
  });
});

describe('a composed evaluation', () => {
  test('runs rows with a model, a cassette, a judge and a total budget', async () => {
    const [, corpus = '', , questions = ''] = demoDataSet(folder);
    const files = { corpus, questions };
    const whole = await readDataSet('multihop-rag', files);
    const dataSet = { ...whole, examples: whole.examples.slice(0, 3) };
    const rows = rowsOf({
      strategy: ['fixed-top-k(k=3)'],
      retriever: ['dense(hashed, unit=passage)'],
      context: ['lead'],
      reader: ['generative'],
      budget: [],
      rows: [],
      parseBudget: () => ({}),
    });
    const signal = new AbortController().signal;
    const total = new TotalBudget({ modelCalls: 5 }, signal);
    const run = composeEvaluation(
      { rows, dataSet, files, signal, measures: [measure('FactRecall')], chunker: 'tokens' },
      {
        models: { env: {}, embedders: [hashedEmbedder()] },
        language: { env: {}, model: scriptedModel([REPLY], 'toy'), price: PRICE },
        judge: { env: {}, model: SCRIPTED_JUDGE },
        total,
      },
    );
    let progress = { done: 0, total: 0 };
    let step = await run.next();
    for (; !step.done; step = await run.next()) progress = step.value;
    // The run makes three answers and three verdicts.
    assert.deepEqual([progress.done, progress.total], [6, 6]);
    const { evaluated, answering, judging } = step.value;
    assert.equal(answering?.spent.calls, 3);
    assert.equal(judging?.model.id, 'scripted');
    const row = evaluated.result.rows[0]!;
    assert.equal(row.failed, 0);
    const names = Object.keys(row.measures).join();
    assert.match(names, /FactRecall.*JudgeAccuracy/);
  });

  test('is estimated without any call', () => {
    const strategy = strategies.create('fixed-top-k');
    const reader = readers.create('generative(form=short)');
    const estimate = estimateCost({
      rows: [{ id: 'row', strategy, reader, budget: {} }],
      questions: 10,
      model: 'toy',
      price: PRICE,
      total: { modelCalls: 12 },
    });
    const [row] = estimate.rows;
    const calls = [row!.plan, row!, estimate].map(({ atMost }) => atMost.calls);
    assert.deepEqual(calls, [2, 20, 12]);
  });
});

describe('hints name options of the caller', () => {
  /** Returns the hint to a program, and the message on the command line. */
  const wordsOf = async (work: () => unknown): Promise<readonly [string, string]> => {
    try {
      await work();
    } catch (error) {
      if (!InputError.is(error)) throw error;
      assert.ok(error.message.endsWith(error.hint!), error.message);
      return [error.hint!, inCommandWords(error.message, error)];
    }
    return assert.fail('refused');
  };

  test('of an unknown space', async () => {
    await using session = await Session.open(store, { env: {} });
    const options = { strategy: 'fixed-top-k', retriever: 'dense(toy)' };
    const [program, command] = await wordsOf(() => session.ask(QUESTION, options));
    assert.equal(program, 'Name its model too: embedders: ["toy"]');
    assert.match(command, /Name its model too: --embedder toy$/);
  });

  test('of a price that a budget lacks', async () => {
    const { signal } = new AbortController();
    const model = scriptedModel([REPLY]);
    for (const work of [
      () => new TotalBudget({ usd: 1 }, signal).around(model),
      () => checkPrice(model, { usd: 1 }),
    ]) {
      const [program, command] = await wordsOf(work);
      assert.match(program, /price: \{ input, output \}/);
      assert.match(command, /Give --price in=USD/);
    }
  });

  test('of a resource, a store and recorded runs', async () => {
    const ask = (members: Partial<AskOptions>) => async (): Promise<void> => {
      const engine = new EmbeddedEngine({
        documents: [{ id: 'a', title: '', text: 'a', metadata: {} }],
      });
      for await (const _ of askEvents('a', { engine, ...members }, () => 0));
    };
    const cases: readonly (readonly [() => unknown, RegExp, RegExp])[] = [
      [ask({ reader: 'generative' }), /resources: \{ model \} to ask/, /Give --model NAME\.$/],
      [
        ask({ strategy: 'tree-hop(model=mine)' }),
        /'query-updater': updater/,
        /Give --query-updater mine=FILE /,
      ],
      [
        ask({ strategy: 'multi-meta-rag(extractor=replayed)' }),
        /extractor=rules, model or none/,
        /multihop eval --filters FILE\.$/,
      ],
      [
        () => judgeBy(scriptedModel([]), { answering: scriptedModel([]).id }),
        /same: true/,
        /--judge-same/,
      ],
    ];
    for (const [work, inCode, onCommandLine] of cases) {
      const [program, command] = await wordsOf(work);
      assert.match(program, inCode);
      assert.doesNotMatch(program, /(?:^|\s)--[a-z]/);
      assert.match(command, onCommandLine);
    }
  });

  test('of a missing store', async () => {
    const missing = Store.open(join(folder, 'none'));
    const error = await missing.then(
      () => assert.fail('opened'),
      (thrown: unknown) => thrown as PortError,
    );
    assert.doesNotMatch(error.message, /--[a-z]/);
    assert.match(inCommandWords(error.message, error), /multihop ingest PATH\.\.\. --store DIR$/);
  });

  test('no file outside the commands names an option of the command line', async () => {
    const options = await optionNames();
    const namesOption = (text: string): boolean =>
      [...text.matchAll(OPTION)].some(([, name]) => options.has(name!));
    const naming = sources()
      .filter(path => !COMMANDS.some(room => path.startsWith(room)))
      .filter(path => namesOption(withoutComments(readFileSync(join(ROOT, 'src', path), 'utf8'))));
    assert.deepEqual(naming, []);
  });
});

/** Rooms that only commands use. */
const COMMANDS = ['cli', 'experiments', 'tree-hop/command'];
/** An option within a text: behind a quote, or a word and a space. */
const OPTION = /(?:[`'"]|[\w,;:.] )--([a-z]{2}[a-z-]*)/g;

/** Returns the options of all commands: a file may name options of Node. */
async function optionNames(): Promise<ReadonlySet<string>> {
  const loaded = await Promise.all(commands.map(entry => entry.load()));
  const options = loaded.flatMap(({ command }) => command.options);
  return new Set([...GLOBAL_OPTIONS, ...options].map(({ name }) => name));
}

const sources = (): string[] =>
  readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map(path => path.replaceAll('\\', '/'));

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
