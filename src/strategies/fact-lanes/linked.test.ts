/** Tests `fact-lanes` over entries of an encyclopedia: what a model says of the best. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Document } from '../../core/corpus/document.ts';
import type { Trace } from '../../core/trace/trace.ts';
import type { AskOptions } from '../../run/ask.ts';
import { EmbeddedEngine } from '../../search/embedded-engine.ts';
import { failingModel, rolesOf, scriptedModel } from '../../testing/scripted-model.ts';
import { outputsOf, traceOf } from '../../testing/strategy-run.ts';

const entry = (title: string, text: string): Document => ({
  id: title,
  title,
  text: `${title} ${text}`,
  metadata: {},
});
const documents = [
  entry('Orla Venn', 'is a botanist who was born in Tarn and drew the map of the marsh.'),
  entry('Ines Ferrow', 'is a surveyor who drew the map of the harbour with Orla Venn.'),
  entry('Quill Works', 'is a factory whose founder drew a map of its own yard.'),
  entry('Tarn', 'is a town by the lake, and lies in the province of Wester.'),
  entry('Lowmere', 'is a village that no road of the province reaches.'),
];
const engine = new EmbeddedEngine({ documents }).current;
const QUESTION = 'Who drew the map of the marsh?';

const ask = (
  strategy: string,
  resources: AskOptions['resources'] = {},
  more: Partial<AskOptions> = {},
): Promise<Trace> =>
  traceOf(QUESTION, {
    engine,
    strategy,
    retriever: 'lexical',
    context: 'whole',
    resources,
    ...more,
  });

describe('a thought', () => {
  const planned = 'fact-lanes(plan=model)';

  test('is searched with the question, and finds what the question does not mention', async () => {
    const model = scriptedModel(() => 'It may be in Lowmere, a village that no road reaches.');
    const trace = await ask(planned, { model });
    assert.deepEqual(rolesOf(model), ['thought']);
    assert.match(outputsOf(trace, 'thought')[0]!, /Lowmere/);
    assert.ok(trace.hops.some(({ searches }) => /^Who drew .* Lowmere/.test(searches[0]!.text!)));
    const before = (await ask('fact-lanes')).ranking.indexOf('Lowmere');
    const after = trace.ranking.indexOf('Lowmere');
    assert.ok(after >= 0 && (before < 0 || after < before), `${before} ${after}`);
  });

  test('reads the best entries, and leaves the run as it is if it is empty', async () => {
    const model = scriptedModel(() => ' ');
    const trace = await ask(planned, { model });
    assert.deepEqual(trace.ranking, (await ask('fact-lanes')).ranking);
    const text = JSON.stringify(model.prompts);
    assert.match(text, /Orla Venn/);
    assert.match(text, /Who drew the map of the marsh/);
  });

  test('that fails or exceeds a limit keeps the evidence found before', async () => {
    const plain = await ask('fact-lanes');
    const failed = await ask(planned, { model: failingModel });
    assert.partialDeepStrictEqual(failed.stopped, { by: 'failure', port: 'model' });
    const model = scriptedModel(() => 'Lowmere');
    const stopped = await ask(planned, { model }, { budget: { modelCalls: 0 } });
    assert.partialDeepStrictEqual(stopped.stopped, { limit: 'modelCalls' });
    for (const { ranking } of [failed, stopped]) assert.deepEqual(ranking, plain.ranking);
  });
});
