/** Tests plans of `fact-lanes` over manuals: what is searched, read and kept, and what fails. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Block, Document } from '../../core/corpus/document.ts';
import type { Trace } from '../../core/trace/trace.ts';
import type { Reranker } from '../../models/reranker.ts';
import { metadataExtractors } from '../../planning/metadata/extractors.ts';
import { readRecordedSubQuestions } from '../../planning/sub-questions/recorded-sub-questions.ts';
import type { AskOptions } from '../../run/ask.ts';
import { EmbeddedEngine } from '../../search/embedded-engine.ts';
import { checkDependence } from '../../testing/dependent-searches.ts';
import { failingModel, rolesOf, scriptedModel } from '../../testing/scripted-model.ts';
import { outputsOf, runOf, traceOf } from '../../testing/strategy-run.ts';
import { checkTrace } from '../../testing/trace-checks.ts';
import { strategies, strategiesWith } from '../strategies.ts';

/** A manual of sections, each a heading and a text. */
function manual(project: string, sections: Readonly<Record<string, string>>): Document {
  const outline: Block[] = [];
  let text = '';
  for (const [title, body] of Object.entries(sections)) {
    outline.push({ start: text.length, heading: [title], kind: 'heading' });
    text += `${title}\n\n`;
    outline.push({ start: text.length, heading: [title], kind: 'prose' });
    text += `${body}\n\n`;
  }
  return { id: `${project}/manual.md`, title: '', text: text.trimEnd(), metadata: {}, outline };
}

/** Words that no question has. */
const filler = (word: string): string =>
  `${Array.from({ length: 60 }, (_, at) => `${word}${at}`).join(' ')}.`;
/** Sections that share more words with a question than those that answer it. */
const alike = (text: string): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: 8 }, (_, at) => [`Note ${at}`, `${text} ${filler(`note${at}x`)}`]),
  );
const engine = new EmbeddedEngine({
  documents: [
    manual('kestrel', {
      Charts: `Charts are drawn by the program Plover. ${filler('chart')}`,
      ...alike('From which file the program of Kestrel does take colours of charts.'),
    }),
    manual('heron', {
      Retention: `Snapshots expire after keep_days. ${filler('retention')}`,
      ...alike('How do I make old copies stop, and how do I stop old copies.'),
    }),
    manual('plover', { Palette: `Plover reads its palette from plover.pal. ${filler('palette')}` }),
  ],
}).current;

const CHAIN = 'From which file does the program that draws the charts of Kestrel take colours?';
const HOW = 'How do I make old copies stop?';
const LINES = ['By which program are charts drawn?', 'Palette of #1, file'];
const split = (lines: readonly string[]): string => JSON.stringify({ subqueries: lines });
const answered = (answer: string): string =>
  JSON.stringify({ passages: [1], supported: true, answer });

const strategy = (plan: string): string => `fact-lanes(tokens=300, plan=${plan})`;
const ask = (
  question: string,
  more: Partial<AskOptions> & Pick<AskOptions, 'strategy'>,
): Promise<Trace> => traceOf(question, { engine, context: 'whole', retriever: 'lexical', ...more });
const modelOf = (lines: readonly string[], answer = 'Plover') =>
  scriptedModel(({ role }) => (role === 'decompose' ? split(lines) : answered(answer)));
const searched = ({ hops }: Trace): (string | undefined)[][] =>
  hops.slice(2).map(({ searches }) => searches.map(({ text }) => text));
const shows = (trace: Trace, text: string): boolean => trace.context.text.includes(text);
const plain = (question: string): Promise<Trace> => ask(question, { strategy: strategy('none') });

describe('a plan', () => {
  test('puts the answer of a line into the next, whose sections the question alone does not find', async () => {
    const model = modelOf(LINES);
    const trace = await ask(CHAIN, { strategy: strategy('model'), resources: { model } });
    assert.deepEqual(rolesOf(model), ['decompose', 'subAnswer']);
    assert.deepEqual(JSON.parse(outputsOf(trace, 'plan')[0]!), {
      by: 'model',
      subQuestions: LINES,
    });
    assert.deepEqual(
      searched(trace).map(([text]) => text),
      [LINES[0], 'Palette of Plover, file'],
    );
    assert.ok(shows(trace, 'plover.pal') && shows(trace, 'drawn by the program Plover'));
    assert.ok(!shows(await plain(CHAIN), 'plover.pal'));
  });

  test('of one line takes turns with the question', async () => {
    const model = modelOf(['Heron: retention of snapshots, keep_days']);
    const trace = await ask(HOW, { strategy: strategy('model'), resources: { model } });
    assert.ok(shows(trace, 'expire after keep_days'));
    const [first] = (await plain(HOW)).evidence;
    assert.equal(trace.evidence[1]!.id, first!.id);
    assert.deepEqual(rolesOf(model), ['decompose']);
  });

  test('never searches for an answer that its sections lack', async () => {
    const model = modelOf(LINES, 'Dunlin');
    const trace = await ask(CHAIN, { strategy: strategy('model'), resources: { model } });
    assert.ok(
      searched(trace)
        .flat()
        .every(text => !text?.includes('Dunlin')),
    );
    assert.ok(searched(trace).flat().includes('Palette of , file'));
    assert.ok(!shows(trace, 'Dunlin'));
  });

  test('is replayed without its model, and its recorded answers with it', async () => {
    const model = modelOf(LINES);
    const made = await ask(CHAIN, { strategy: strategy('model'), resources: { model } });
    const subQuestions = [{ question: LINES[0], answer: 'Plover' }, LINES[1]];
    const recorded = readRecordedSubQuestions([{ question: CHAIN, subQuestions }]);
    const family = strategiesWith(metadataExtractors, recorded);
    const replayed = family.create(strategy('replayed'));
    const trace = await ask(CHAIN, { strategy: replayed });
    assert.deepEqual(trace.evidence, made.evidence);
    assert.equal(trace.spent.modelCalls, undefined);
    const other = await ask(HOW, { strategy: replayed });
    assert.deepEqual(other.evidence, (await plain(HOW)).evidence);
    assert.match(outputsOf(other, 'degraded')[0]!, /No recorded plan/);
    await assert.rejects(ask(CHAIN, { strategy: strategy('replayed') }), {
      code: 'no-sub-questions',
    });
  });

  test('needs a model, whose failure or limit leaves what the question finds', async () => {
    await assert.rejects(ask(CHAIN, { strategy: strategy('model') }), { name: 'InputError' });
    const { evidence } = await plain(CHAIN);
    const failed = await ask(CHAIN, {
      strategy: strategy('model'),
      resources: { model: failingModel },
    });
    assert.deepEqual(failed.evidence, evidence);
    assert.partialDeepStrictEqual(failed.stopped, { by: 'failure', port: 'model' });
    const stopped = await ask(CHAIN, {
      strategy: strategy('model'),
      resources: { model: modelOf(LINES) },
      budget: { modelCalls: 0 },
    });
    assert.deepEqual(stopped.evidence, evidence);
    assert.partialDeepStrictEqual(stopped.stopped, { limit: 'modelCalls' });
  });

  test('names in each search the sections that it depends on', async () => {
    const script = { question: { id: 'q', text: CHAIN }, engine, retriever: 'lexical' };
    const resources = { model: modelOf(LINES) };
    const planned = strategies.create(strategy('model'));
    await checkDependence(planned, { ...script, context: 'whole', resources });
    const trace = await ask(CHAIN, { strategy: planned, resources });
    const { from } = trace.hops.at(-1)!.searches[0]!;
    assert.equal(from!.hop, 2);
    assert.equal(from!.id, trace.hops[2]!.outputs!.at(-1)!.citations![0]!.id);
  });

  test('of any reply keeps the laws of traces and the tokens', async () => {
    const line = fc.oneof(
      fc.constantFrom(...LINES, '#1', '#2 #1', '', 'of', 'Heron Retention'),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
    );
    const reply = fc.oneof(fc.array(line, { maxLength: 5 }).map(split), fc.string());
    await fc.assert(
      fc.asyncProperty(reply, fc.string({ maxLength: 30 }), async (plan, answer) => {
        const model = scriptedModel(({ role }) => (role === 'decompose' ? plan : answered(answer)));
        const ran = await runOf(strategies.create(strategy('model')), {
          question: { id: 'q', text: CHAIN },
          engine,
          retriever: 'lexical',
          context: 'whole',
          resources: { model },
        });
        await checkTrace(ran, engine, CHAIN);
        assert.ok(ran.trace.context.tokens <= 300 && ran.trace.evidence.length > 0);
      }),
      { numRuns: 60 },
    );
  });
});

test('the question, and the lines of its plan, share the pairs that a reranker reads', async () => {
  const notes = Object.fromEntries(
    Array.from({ length: 250 }, (_, at) => [`Note ${at}`, `Lamps ${filler(`n${at}x`)}`]),
  );
  const { current } = new EmbeddedEngine({ documents: [manual('kestrel', notes)] });
  const pairs = new Map<string, number>();
  const reranker: Reranker = {
    id: 'counts',
    async score(query, texts) {
      pairs.set(query, (pairs.get(query) ?? 0) + texts.length);
      return Float32Array.from(texts, () => 0);
    },
  };
  const lines = ['lamps of which kind', 'lamps of #1'];
  await ask('Which lamps?', {
    engine: current,
    strategy: 'fact-lanes(tokens=300, reranker=counts, plan=model)',
    resources: { reranker, model: modelOf(lines, 'nothing') },
  });
  assert.deepEqual(
    [...pairs],
    [
      ['Which lamps?', 100],
      [lines[0], 50],
      ['lamps of', 50],
    ],
  );
});

test('only a plan asks a model', async () => {
  const calls = (name: string): (readonly [string, number])[] =>
    (strategies.create(name).modelCalls ?? []).map(({ role, atMost }) => [role, atMost] as const);
  assert.deepEqual(calls('fact-lanes'), []);
  assert.deepEqual(calls(strategy('replayed')), [['subAnswer', 4]]);
  assert.deepEqual(calls(strategy('model')), [
    ['decompose', 2],
    ['subAnswer', 4],
    ['thought', 1],
  ]);
  const model = modelOf(LINES);
  await ask(CHAIN, { strategy: 'fact-lanes', resources: { model } });
  assert.deepEqual(model.prompts, []);
});
