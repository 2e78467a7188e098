/** Tests evaluations of questions that search their own passages, and those over triples. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Document } from '../src/core/corpus/document.ts';
import { defined } from '../src/core/defined.ts';
import type { Trace } from '../src/core/trace/trace.ts';
import { answerControls } from '../src/evaluation/answer-controls.ts';
import type { DataSet, Example } from '../src/evaluation/example.ts';
import { measure } from '../src/evaluation/measures.ts';
import {
  composeEvaluation,
  type EvaluationModels,
  type EvaluationRequest,
} from '../src/experiments/compose-evaluation.ts';
import { rowsOf } from '../src/experiments/rows.ts';
import { openStore } from '../src/index.ts';
import { openPlace } from '../src/session/places/open-place.ts';
import { scriptedModel } from '../src/testing/scripted-model.ts';
import { freshFolder } from './running-command.ts';

const document = (id: string, text: string): Document => ({ id, title: id, text, metadata: {} });
const example = (id: string, text: string, gold: string, within?: readonly string[]): Example =>
  defined({
    id,
    question: { id, text },
    answers: ['x'],
    gold: [{ documentId: gold, title: gold }],
    within,
  });

const LAMP = example('q1', 'Who lit the lamp of Tarn?', 'lamp', ['lamp', 'pier']);
const own: DataSet = {
  name: 'own',
  problems: [],
  documents: [
    document('lamp', 'Ines Quill lit the lamp of Tarn.'),
    document('pier', 'The pier of Tarn was built in May.'),
  ],
  examples: [LAMP],
};
/** The same with a second question, whose passages make the words of the first common. */
const pooled: DataSet = {
  ...own,
  documents: [
    ...own.documents,
    ...['a', 'b', 'c', 'd'].map(id => document(id, `Lamp ${id} was lit, and lit again.`)),
  ],
  examples: [LAMP, example('q2', 'Which lamp was lit?', 'a', ['a', 'b', 'c', 'd'])],
};

interface Run {
  readonly traces: Trace[];
  readonly manifest: Readonly<Record<string, unknown>>;
}

async function evaluated(
  dataSet: DataSet,
  strategy: string,
  more: Partial<EvaluationRequest> = {},
  models: Partial<EvaluationModels> = {},
): Promise<Run> {
  const none = { retriever: [], budget: [], rows: [], parseBudget: () => ({}) };
  const parts = { strategy: [strategy], context: ['whole'], reader: ['extractive'] };
  const traces: Trace[] = [];
  const run = composeEvaluation(
    {
      rows: rowsOf({ ...none, ...parts }),
      dataSet,
      files: { questions: import.meta.filename },
      measures: [measure('Recall@1')],
      chunker: 'tokens',
      signal: new AbortController().signal,
      onScored: (_row, _example, trace) => void traces.push(trace),
      ...more,
    },
    { models: { env: {} }, ...models },
  );
  let step = await run.next();
  while (!step.done) step = await run.next();
  return { traces, manifest: step.value.evaluated.result.manifest };
}

const hits = ({ hops }: Trace) => hops[0]!.searches[0]!.hits.map(({ id, score }) => [id, score]);

describe('passages of a question alone', () => {
  const asked = { passages: 'own' } as const;
  test('scores do not depend on the passages of other questions', async () => {
    const [alone] = (await evaluated(own, 'fixed-top-k')).traces;
    const run = await evaluated(pooled, 'fixed-top-k', asked);
    assert.deepEqual(hits(run.traces[0]!), hits(alone!));
    assert.equal(run.manifest['passages'], 'own');
    assert.equal(run.traces[0]!.manifest['passages'], 'own');
    const [limited] = (await evaluated(pooled, 'fixed-top-k')).traces;
    assert.notDeepEqual(hits(limited!), hits(alone!), 'an index over all, limited to its own');
    assert.deepEqual(
      hits(limited!)
        .map(([id]) => id)
        .sort(),
      ['lamp', 'pier'],
    );
  });

  test('nor do walks over a graph', async () => {
    const [alone] = (await evaluated(own, 'hipporag2')).traces;
    const [among] = (await evaluated(pooled, 'hipporag2', asked)).traces;
    assert.deepEqual(
      among!.hops.map(hop => hop.searches),
      alone!.hops.map(hop => hop.searches),
    );
  });

  test('a control may show the evidence of another question', async () => {
    const answerControl = [answerControls.create('swapped-evidence')];
    const more = { ...asked, answerControls: answerControl };
    assert.equal((await evaluated(pooled, 'fixed-top-k', more)).traces.length, 2);
  });

  test('a question without passages is refused before any work', async () => {
    const examples = [LAMP, example('q3', 'Who?', 'lamp')];
    await assert.rejects(
      evaluated({ ...own, examples }, 'fixed-top-k', asked),
      /passages own.*questions bring their passages/,
    );
  });
});

describe('a graph of triples', () => {
  const GRAPH = 'triples(scripted)';
  const reading = () =>
    scriptedModel(({ role }) =>
      role === 'ner'
        ? JSON.stringify({ named_entities: ['tarn'] })
        : role === 'triple'
          ? JSON.stringify({ triples: [['ines quill', 'lit', 'tarn lamp']] })
          : JSON.stringify({ fact: [['ines quill', 'lit', 'tarn lamp']] }),
    );
  const facts = (traces: readonly Trace[]): string =>
    JSON.stringify(traces.flatMap(({ hops }) => hops.flatMap(({ outputs = [] }) => outputs)));

  test('is read by the answering model, each passage once, before the first question', async () => {
    const model = reading();
    const models = { graph: GRAPH, language: { env: {}, model } };
    const { traces, manifest } = await evaluated(own, 'hipporag2', {}, models);
    const roles = model.prompts.map(({ role }) => role);
    assert.deepEqual(roles.slice(0, 4).sort(), ['ner', 'ner', 'triple', 'triple']);
    assert.match(facts(traces), /ines quill/);
    const resources = manifest['resources'] as Record<string, object>;
    assert.deepEqual(Object.keys(resources['entity-recogniser']!), [
      'triples(scripted, version=2)',
    ]);
  });

  test('of a store answers as one that is made for the evaluation', async () => {
    const folder = join(freshFolder(), 'own.store');
    {
      await using store = await openStore(folder, { env: {}, graph: GRAPH, model: reading() });
      await store.ingest([...own.documents]);
    }
    const language = { env: {}, model: reading() };
    const made = await evaluated(own, 'hipporag2', {}, { graph: GRAPH, language });
    await using place = await openPlace(folder, { env: {}, create: false });
    const again = reading();
    const stored = await evaluated(
      own,
      'hipporag2',
      { place },
      { language: { env: {}, model: again } },
    );
    assert.equal(stored.manifest['graph'], 'triples(scripted, version=2)');
    assert.ok(again.prompts.every(({ role }) => role !== 'ner' && role !== 'triple'));
    assert.deepEqual(
      stored.traces.map(({ hops }) => hops.map(hop => hop.searches)),
      made.traces.map(({ hops }) => hops.map(hop => hop.searches)),
    );
    await assert.rejects(
      evaluated(own, 'hipporag2', { place }, { graph: GRAPH, language }),
      /--graph beside --store/,
    );
  });
});
