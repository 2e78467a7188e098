/**
 * Checks hipporag1: what its walk adds to its search; with a language model names, thoughts,
 * merging, the answer, and failures.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { askPainter, PAINTER } from '../../../test/painter-of-vell.ts';
import { defined } from '../../core/defined.ts';
import type { Trace } from '../../core/trace/trace.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import type { AskOptions } from '../../run/ask.ts';
import {
  failingModel,
  rolesOf as roles,
  type ScriptedModel,
  scriptedModel,
} from '../../testing/scripted-model.ts';
import { outputsOf as outputs } from '../../testing/strategy-run.ts';
import { strategies } from '../strategies.ts';

const ask = (
  strategy: string,
  model?: LanguageModel,
  more: Partial<AskOptions> = {},
): Promise<Trace> =>
  askPainter(strategy, defined({ resources: model ? { model } : undefined, ...more }));

type Replies = Readonly<Record<string, readonly string[]>>;
/** Replies of each role in order, the last again and again. */
function byRole(replies: Replies): ScriptedModel {
  const asked: Record<string, number> = {};
  return scriptedModel(({ role }) => {
    const texts = replies[role] ?? [''];
    const at = asked[role] ?? 0;
    asked[role] = at + 1;
    return texts[Math.min(at, texts.length - 1)]!;
  });
}
const names = (...list: string[]): string => JSON.stringify({ named_entities: list });
const thought = (text: string): string => JSON.stringify({ thought: text });
const ANSWER = '{"answer": "Port Grell", "passages": [1]}';
const walks = ({ hops }: Trace) =>
  hops.flatMap(({ searches }) => searches.filter(each => each.retriever.startsWith('entity')));
const ids = (trace: Trace): string[] => trace.evidence.map(({ id }) => id);

describe('the specificity of names', () => {
  const scores = async (reply: string, settings: string): Promise<Record<string, number>> => {
    const name = `hipporag1(steps=1, blend=walk, synonyms=false, ${settings})`;
    const [walk] = walks(await ask(name, byRole({ ner: [reply] })));
    return Object.fromEntries(walk!.hits.map(({ id, score }) => [id, score]));
  };
  const near = (
    found: Readonly<Record<string, number>>,
    expected: Record<string, number>,
  ): void => {
    assert.deepEqual(Object.keys(found).sort(), Object.keys(expected).sort());
    for (const [id, score] of Object.entries(expected))
      assert.ok(Math.abs(found[id]! - score) < 1e-9, `${id}: ${found[id]} is not ${score}`);
  };

  test('a walk is that of a slow power iteration from these weights', async () => {
    const graph = ['vell', 'oda marsh', 'port grell', 'orr'];
    // Names that stand side by side in a sentence are joined: a path of four.
    const joined = (a: number, b: number): number => (Math.abs(a - b) === 1 ? 1 : 0);
    const degree = graph.map((_, at) => graph.reduce((sum, __, to) => sum + joined(at, to), 0));
    const reset = [1 / 1.5, 0.5 / 1.5, 0, 0];
    let x = reset;
    for (let round = 0; round < 200; round++)
      x = reset.map(
        (restart, to) =>
          0.5 * restart +
          0.5 * x.reduce((sum, share, at) => sum + (share * joined(at, to)) / degree[at]!, 0),
      );
    const [vell, oda, grell, orr] = x as [number, number, number, number];
    near(await scores(names('Vell', 'Oda Marsh'), 'damping=0.5'), {
      Vell: vell + oda,
      'Oda Marsh': oda + grell,
      'Port Grell': grell + orr,
      Orr: orr,
    });
  });
});

describe('the loop', () => {
  test('a thought is the next query, until one states the answer, and the model answers', async () => {
    const model = byRole({
      ner: [names('Vell'), names('Port Grell')],
      cotStep: [thought('Oda Marsh was born in Port Grell.'), thought('So the answer is: Grell.')],
      finalAnswer: [ANSWER],
    });
    const trace = await ask('hipporag1(k=3)', model);
    assert.deepEqual(roles(model), ['ner', 'cotStep', 'ner', 'cotStep', 'finalAnswer']);
    const [first, second] = walks(trace);
    assert.deepEqual([first!.text, second!.text], [PAINTER, 'Oda Marsh was born in Port Grell.']);
    assert.deepEqual(
      outputs(trace, 'entities'),
      ['vell', 'port grell'].map((name, at) => `{"entities":[["${name}",${1 / (at + 1)}]]}`),
    );
    // The second prompt shows the thought, and what it brought.
    const shown = model.prompts[3]!.messages.at(-1)!.text;
    assert.match(shown, /Thoughts so far\nOda Marsh was born in Port Grell\./);
    assert.match(shown, /Orr freezes/);
    assert.ok(trace.answer.kind === 'answered' && trace.answer.text === 'Port Grell');
    assert.deepEqual(outputs(trace, 'degraded'), [
      'Names are linked to entities by their words: no embedder compares them',
    ]);
    assert.equal(trace.spent.retrievals, 4);
    assert.equal(ids(trace).length, 3);
  });

  test('ends after its steps, each of which is a list of names and a thought', async () => {
    let at = 0;
    const model = scriptedModel(({ role }) =>
      role === 'cotStep' ? thought(`Vell has ${'more '.repeat(at++)}boats.`) : names('Vell'),
    );
    const count = async (strategy: string): Promise<string> => {
      const from = model.prompts.length;
      await ask(strategy, model);
      return roles(model)
        .slice(from)
        .map(role => role[0])
        .join('');
    };
    assert.equal(await count('hipporag1(answer=reader)'), 'ncncncn');
    assert.equal(await count('hipporag1(profile=paper, steps=2, answer=reader)'), 'ncn');
    assert.equal(await count('hipporag1(steps=1, answer=reader)'), 'n');
    assert.equal(await count('hipporag1(thoughts=extracted)'), '');
  });

  test('with a model the default is the paper: the walk alone ranks', async () => {
    const order = async (settings: string): Promise<string[]> =>
      ids(await ask(`hipporag1(steps=1${settings})`, byRole({ ner: [names('Vell')] })));
    assert.deepEqual(await order(''), await order(', profile=paper'));
    assert.notDeepEqual(await order(''), await order(', profile=ours'));
  });

  test('a repeated or unreadable thought ends it', async () => {
    for (const [cotStep, calls] of [
      [[thought('Vell is a boat.'), thought('vell  is a boat.')], 2],
      [['{}'], 1],
      [["I'm sorry, I cannot."], 1],
    ] as const) {
      const model = byRole({ ner: [names('Vell')], cotStep, finalAnswer: [ANSWER] });
      await ask('hipporag1', model);
      assert.equal(roles(model).filter(role => role === 'cotStep').length, calls);
    }
  });

  test('names nothing: the search alone ranks; unreadable: names by their spelling', async () => {
    const none = await ask('hipporag1(steps=1)', byRole({ ner: [names()] }));
    assert.deepEqual(ids(none), ids(await ask('fixed-top-k(k=5)')));
    assert.match(outputs(none, 'degraded').join(), /the search alone ranks/);
    const unread = await ask('hipporag1(steps=1)', byRole({ ner: ['None.'] }));
    assert.deepEqual(walks(unread), walks(await ask('hipporag1')));
    assert.match(outputs(unread, 'degraded').join(), /The reply lists no names/);
  });

  test('profile paper ranks by the walk alone, which reaches what no word finds', async () => {
    const model = byRole({ ner: [names('Vell')], cotStep: [thought('So the answer is: x')] });
    const trace = await ask('hipporag1(profile=paper, k=4)', model);
    assert.deepEqual(
      ids(trace),
      walks(trace)[0]!
        .hits.slice(0, 4)
        .map(({ id }) => id),
    );
    assert.ok(ids(trace).includes('Orr'));
  });
});

describe('a run that is cut', () => {
  const model = (): ScriptedModel =>
    byRole({ ner: [names('Vell')], cotStep: [thought('Port Grell lies on the Orr.')] });

  test('holds what was best so far', async () => {
    const single = await ask('hipporag1(steps=1, answer=reader)', model());
    for (const modelCalls of [1, 2]) {
      const cut = await ask('hipporag1', model(), { budget: { modelCalls } });
      assert.ok(cut.stopped, `${modelCalls} calls are too few`);
      assert.deepEqual(ids(cut), ids(single));
    }
  });

  test('a model that fails is not asked again; rules go on', async () => {
    const failed = await ask('hipporag1(steps=2)', failingModel);
    assert.deepEqual(ids(failed), ids(await ask('hipporag1(profile=paper, steps=2)')));
    assert.equal(outputs(failed, 'extracted').length, 1);
  });
});

test('plans the calls of its settings, and none without a model', () => {
  const plan = (name: string): Record<string, number> =>
    Object.fromEntries(
      strategies.create(name).modelCalls!.map(({ role, atMost }) => [role, atMost]),
    );
  assert.deepEqual(plan('hipporag1'), { ner: 4, cotStep: 3, finalAnswer: 2 });
  assert.deepEqual(plan('hipporag1(steps=2)'), { ner: 2, cotStep: 1, finalAnswer: 2 });
  assert.deepEqual(plan('hipporag1(steps=1, answer=reader)'), { ner: 1 });
  assert.deepEqual(plan('hipporag1(thoughts=extracted)'), {});
  for (const { promptTokens, expected } of strategies.create('hipporag1(prompt=900)').modelCalls!)
    assert.ok(expected!.promptTokens! <= promptTokens && promptTokens < 1300);
});

test('says what is lost without a model', async () => {
  const said = async (name: string) => outputs(await ask(name), 'degraded');
  const lost = 'No language model: the walk starts at names by their spelling';
  assert.deepEqual(await said('hipporag1'), [`${lost}, no thought follows, the reader answers`]);
  const [first] = await said('hipporag1(profile=paper, answer=reader)');
  assert.equal(first, `${lost}, each thought is a sentence copied from passages`);
});

test('a run that is cut before the walk has what the search found', async () => {
  const plain = ids(await ask('fixed-top-k(k=2)'));
  for (const budget of [{ hops: 1 }, { retrievals: 1 }])
    assert.deepEqual(ids(await ask('hipporag1(k=2)', undefined, { budget })), plain);
  const whole = await ask('hipporag1(k=2, blend=walk)');
  const cut = await ask('hipporag1(k=2, blend=walk)', undefined, { budget: { hops: 2 } });
  assert.deepEqual(ids(cut), ids(whole));
  assert.notDeepEqual(ids(cut), plain);
});

test('a name that opens the question starts a walk', async () => {
  const trace = await askPainter('hipporag1', {}, 'Vell was painted by whom?');
  assert.ok(trace.hops[1]!.searches[0]!.hits.some(({ documentId }) => documentId === 'Orr'));
});
