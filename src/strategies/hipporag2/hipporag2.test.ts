/** Checks what the walk of hipporag2 adds to its search, and when it adds nothing. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { askPainter } from '../../../test/painter-of-vell.ts';
import type { Trace } from '../../core/trace/trace.ts';
import type { EntityRecogniser } from '../../models/entity-recogniser.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import { nameRecogniser } from '../../models/name-recogniser.ts';
import type { AskOptions } from '../../run/ask.ts';
import { byRole, failingModel, rolesOf as roles } from '../../testing/scripted-model.ts';
import { outputsOf as outputs } from '../../testing/strategy-run.ts';

test('the walk reaches a document that shares no word with the question', async () => {
  const trace = await askPainter('hipporag2');
  const [search, walk] = trace.hops.flatMap(({ searches }) => searches);
  assert.ok(!search!.hits.some(({ documentId }) => documentId === 'Orr'));
  assert.ok(walk!.hits.some(({ documentId }) => documentId === 'Orr'));
  assert.deepEqual(trace.ranking.slice(0, 2).toSorted(), ['Oda Marsh', 'Vell']);
});

test('a walk that reaches nothing leaves the ranking of the search, and says so', async () => {
  const filter = { op: 'eq', field: 'kind', value: 'river' } as const;
  const settings = 'hipporag2(passages=0, damping=0)';
  const trace = await askPainter(settings, { filter });
  assert.equal(trace.hops[1]!.searches[0]!.hits.length, 0);
  assert.deepEqual(trace.ranking, (await askPainter('fixed-top-k(k=5)', { filter })).ranking);
  const said = trace.hops.flatMap(({ outputs = [] }) => outputs.map(({ text }) => text));
  assert.match(said.join(), /The walk reaches no passage/);
});

describe('with a model', () => {
  /** Names by spelling, and one fact between the first and the last of each sentence. */
  const recogniser: EntityRecogniser = {
    id: 'stated',
    recognise: async (documents, call) => {
      const recognised = await nameRecogniser.recognise(documents, call);
      return recognised.map(({ sentences }, at) => ({
        sentences,
        triples: sentences.flatMap((names, sentence) => {
          const [head, tail] = [names[0], names.at(-1)];
          if (head === undefined || tail === undefined || head === tail) return [];
          const text = documents[at]!.sentences[sentence]!;
          const relation = text.slice(text.indexOf(head) + head.length, text.lastIndexOf(tail));
          return [{ head, relation: relation.trim(), tail }];
        }),
      }));
    },
  };
  const FACT = '{"fact": [["oda marsh", "was born in", "port grell"]]}';
  const ANSWER = '{"answer": "Port Grell", "passages": [1]}';
  const asked = (model: LanguageModel, strategy = 'hipporag2', more: Partial<AskOptions> = {}) =>
    askPainter(strategy, { recogniser, resources: { model }, ...more });
  const names = (trace: Trace): string[] =>
    trace.hops[1]!.searches[0]?.hits.map(({ id }) => id) ?? [];

  test('the walk starts at the entities of the facts that it picks, and it answers', async () => {
    const model = byRole({ factFilter: FACT, finalAnswer: ANSWER });
    const trace = await asked(model, 'hipporag2(passages=0)');
    assert.deepEqual(roles(model), ['factFilter', 'finalAnswer']);
    assert.deepEqual(JSON.parse(outputs(trace, 'facts')[0]!), {
      fact: [
        ['vell', 'was painted by', 'oda marsh'],
        ['oda marsh', 'was born in', 'port grell'],
      ],
    });
    // Both are of two documents, so that the walk is the one from both ends.
    assert.equal(names(trace)[0], 'Oda Marsh');
    assert.deepEqual(names(trace).toSorted(), ['Oda Marsh', 'Orr', 'Port Grell', 'Vell']);
    assert.ok(trace.answer.kind === 'answered' && trace.answer.text === 'Port Grell');
    assert.deepEqual(outputs(trace, 'degraded'), [
      'Facts are ranked by the words of the question: no embedder compares them',
    ]);
    assert.equal(trace.spent.retrievals, 3);
  });

  test('an unreadable or failing filter leaves the names of the question, and says so', async () => {
    const plain = await askPainter('hipporag2', { recogniser });
    const unread = await asked(byRole({ finalAnswer: ANSWER }));
    assert.deepEqual(names(unread), names(plain));
    assert.match(outputs(unread, 'degraded').join(), /No facts are recognised; the walk starts at/);
    assert.deepEqual(names(await asked(failingModel)), names(plain));
  });

  test('a graph without facts is walked from the names of the question', async () => {
    const model = byRole({ factFilter: FACT, finalAnswer: ANSWER });
    const trace = await askPainter('hipporag2', { resources: { model } });
    assert.deepEqual(roles(model), ['finalAnswer']);
    assert.deepEqual(names(trace), names(await askPainter('hipporag2')));
    assert.match(outputs(trace, 'degraded').join(), /The graph states no such facts; the walk/);
  });

  test('no model is shown a fact that only excluded documents state', async () => {
    const model = byRole({ factFilter: FACT });
    const filter = { op: 'nin', field: 'kind', values: ['river', 'other'] } as const;
    await asked(model, 'hipporag2', { filter });
    assert.deepEqual(roles(model), []);
  });

  test('asks for no answer where the reader answers, and says what is missing without a model', async () => {
    const model = byRole({ factFilter: FACT, finalAnswer: ANSWER });
    await asked(model, 'hipporag2(answer=reader)');
    assert.deepEqual(roles(model), ['factFilter']);
    assert.deepEqual(outputs(await askPainter('hipporag2'), 'degraded'), [
      'No language model: no facts are recognised; the walk starts at the names of the question, the reader answers',
    ]);
    assert.deepEqual(
      outputs(await askPainter('hipporag2(answer=reader)', {}, 'where?'), 'degraded'),
      [
        'No language model: no facts are recognised; the question names no entity of the collection, and the search alone ranks',
      ],
    );
  });
});
