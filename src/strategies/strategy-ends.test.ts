/**
 * Tests how runs end and what they plan: the reason of each end, planned calls of a model within
 * the settings, and the resources that settings name.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Document } from '../core/corpus/document.ts';
import { defined } from '../core/defined.ts';
import type { End, Trace } from '../core/trace/trace.ts';
import { scriptedModel } from '../testing/scripted-model.ts';
import { documentOf as doc, engineOf, runOf } from '../testing/strategy-run.ts';
import { strategies } from './strategies.ts';
import type { Strategy } from './strategy.ts';

const WORLD: readonly Document[] = [
  doc('works', 'Quill Works', 'The Quill Works of Tarn was founded by Ines Quill.'),
  doc('ines', 'Ines Quill', 'Ines Quill studied under the lens grinder Osk Maren.'),
  doc('maren', 'Osk Maren', 'Osk Maren was born in Vell.'),
];

interface Ended {
  readonly trace: Trace;
  readonly why: End['why'];
  /** Calls of `engine.read` for documents after the last search. */
  readonly reads: number;
}

/** Runs a strategy and notes how its hops end. */
async function ended(
  name: string,
  question: string,
  script?: readonly string[],
  documents = WORLD,
): Promise<Ended> {
  const strategy = strategies.create(name);
  const inner = engineOf(documents);
  let [why, reads]: [End['why'] | undefined, number] = [undefined, 0];
  const engine = Object.create(inner, {
    search: {
      value: (...args: Parameters<typeof inner.search>) => {
        reads = 0;
        return inner.search(...args);
      },
    },
    read: {
      value: (...args: Parameters<typeof inner.read>) => {
        if (args[0] === 'document') reads++;
        return inner.read(...args);
      },
    },
  }) as typeof inner;
  const noted: Strategy = {
    ...strategy,
    async *hops(...args) {
      const end = yield* strategy.hops(...args);
      [why] = [end.why];
      return end;
    },
  };
  const { trace } = await runOf(
    noted,
    defined({
      question: { id: 'q', text: question },
      engine,
      retriever: 'lexical',
      context: 'whole',
      resources: script ? { model: scriptedModel([...script]) } : undefined,
    }),
  );
  return { trace, why: why!, reads };
}

describe('iterative', () => {
  test('is exhausted by a round without a new document, unless that was its last', async () => {
    // The second round finds the only document again.
    const only = WORLD.slice(0, 1);
    const of = (rounds: number) => ended(`iterative(rounds=${rounds})`, 'founded', undefined, only);
    assert.deepEqual([(await of(3)).why, (await of(3)).trace.hops.length], ['exhausted', 2]);
    assert.deepEqual([(await of(2)).why, (await of(2)).trace.hops.length], ['completed', 2]);
    assert.equal((await of(1)).why, 'completed');
  });
});

describe('ir-cot', () => {
  const json = (sentence: string, answer: string | null = null): string =>
    JSON.stringify({ sentence, answer });

  test('ends sufficient with an answer, completed with its steps, else exhausted', async () => {
    const of = async (name: string, ...script: string[]) =>
      (await ended(name, 'Where was Osk Maren born?', script)).why;
    assert.equal(await of('ir-cot', json('So the answer is: Vell.', 'Vell')), 'sufficient');
    assert.equal(await of('ir-cot(steps=1)', json('Osk Maren was born in Vell.')), 'completed');
    assert.equal(await of('ir-cot', ''), 'exhausted');
    assert.equal(await of('ir-cot', json('Osk Maren.'), json('Osk Maren.')), 'exhausted');
  });

  test('without a model it is completed by three steps, and exhausted without a new name', async () => {
    const question = 'Who founded the Quill Works of Tarn?';
    assert.equal((await ended('ir-cot(k=2, steps=1)', question)).why, 'completed');
    assert.equal((await ended('ir-cot(k=2, paragraphs=1)', question)).why, 'completed');
    assert.equal((await ended('ir-cot(k=1)', 'born')).why, 'exhausted');
    const bare = [doc('a', '', 'a lamp burns here.')];
    assert.equal((await ended('ir-cot', 'lamp', undefined, bare)).why, 'exhausted');
  });
});

test('hipporag1 ends sufficient with an answer, completed with its steps, else exhausted', async () => {
  const of = async (name: string, ...script: string[]) =>
    (await ended(name, 'Where was Osk Maren born?', script)).why;
  const names = '{"named_entities": ["Osk Maren"]}';
  const answer = '{"answer": "Vell", "passages": [1]}';
  const found = '{"thought": "Osk Maren was born in Vell."}';
  const states = '{"thought": "So the answer is: Vell."}';
  assert.equal(await of('hipporag1', names, states, answer), 'sufficient');
  assert.equal(await of('hipporag1(steps=2)', names, found, names, answer), 'completed');
  assert.equal(await of('hipporag1', names, found, names, found, answer), 'exhausted');
  assert.equal(await of('hipporag1', names, '{}', answer), 'exhausted');
  const without = async (name: string) => (await ended(name, 'born')).why;
  assert.deepEqual(
    [await without('hipporag1'), await without('hipporag1(steps=4)')],
    ['completed', 'completed'],
  );
});

test('planned prompts and calls stay within the settings, expected ones too', () => {
  const planOf = (name: string) => strategies.create(name).modelCalls ?? [];
  const [cot] = planOf('ir-cot(prompt=500, steps=1)');
  assert.deepEqual([cot!.atMost, cot!.promptTokens], [1, 500]);
  assert.deepEqual([cot!.expected!.calls, cot!.expected!.promptTokens], [1, 500]);
  const [usual] = planOf('ir-cot');
  assert.ok(usual!.expected!.calls! < usual!.atMost);
  assert.ok(usual!.expected!.promptTokens! < usual!.promptTokens);
  assert.ok(usual!.expected!.completionTokens! < usual!.completionTokens);
  // Each generation may be repaired once; one fewer if the reader answers.
  for (const [name, calls] of [
    ['iter-retgen(iterations=3)', 3],
    ['iter-retgen(iterations=3, answer=reader)', 2],
  ] as const) {
    const [planned] = planOf(name);
    assert.deepEqual([planned!.atMost, planned!.expected!.calls], [2 * calls, calls], name);
    assert.ok(planned!.expected!.promptTokens! < planned!.promptTokens, name);
    assert.ok(planned!.expected!.completionTokens! < planned!.completionTokens, name);
  }
  const [small] = planOf('iter-retgen(prompt=500)');
  assert.equal(small!.expected!.promptTokens, 500);
  // A repair repeats the prompt, the reply of at most 256 tokens, and asks in 42 tokens more.
  assert.equal(small!.promptTokens, 500 + 256 + 42);
  for (const name of ['ir-cot(thoughts=extracted)', 'iter-retgen(thoughts=extracted)'])
    assert.deepEqual(planOf(name), [], name);
  assert.deepEqual(planOf('iter-retgen(iterations=1, answer=reader)'), []);
});

test('the default name of each strategy shows the settings that it is known by, and its needs', () => {
  const told = strategies.members.map(({ name }) => {
    const strategy = strategies.create(name);
    const needs = (strategy.needs ?? []).map(({ port, id, optional }) =>
      [port.name, ...(id === undefined ? [] : [id]), ...(optional ? ['optional'] : [])].join(' '),
    );
    return [strategy.name, ...needs];
  });
  assert.deepEqual(told, [
    ['fixed-top-k(k=2)'],
    ['equal-budget-top-k(tokens=620)'],
    ['iterative(rounds=2)'],
    ['decomposition'],
    ['budgeted-agent(tokens=620, calls=4)'],
    ['slot-agent'],
    ['multi-meta-rag(first=20, keep=10)'],
    ['query-decomposition(parts=3, integration=sub-answers, k=5)', 'model optional'],
    ['tree-hop(k=5, hops=2, pruning=rank)', 'query-updater tree-hop'],
    ['ir-cot(profile=original, k=5)', 'model optional'],
    ['iter-retgen(iterations=2, k=5)', 'model optional'],
    ['efficient-rag(k=10, rounds=4)', 'token-classifiers lite'],
    ['bridge-claims', 'model optional'],
    ['fact-lanes(tokens=510)', 'reranker ranker optional'],
    ['naive(k=5, decomposition=false)', 'model optional'],
    ['longrag-units(units=4, size=4000)', 'model optional'],
    ['longrag-dual(mode=extractor-filter, k=7)', 'model optional'],
    ['hipporag1(k=5)', 'model optional'],
    ['hipporag2(k=5)', 'model optional'],
    ['chain(integration=answers)', 'model optional'],
  ]);
});

test('a parameter whose value is the id of a needed resource names its port', () => {
  let bounded = 0;
  for (const { name, parameters = [] } of strategies.members)
    for (const { type, name: key } of parameters) {
      if (type !== 'text' && type !== 'member') continue;
      let needs: Strategy['needs'];
      try {
        ({ needs } = strategies.create(`${name}(${key}=probe)`));
      } catch {
        continue; // The value is one of a few choices, or of a family.
      }
      const need = needs?.find(({ id }) => id === 'probe');
      const parameter = parameters.find(parameter => parameter.name === key)!;
      assert.equal('port' in parameter ? parameter.port : undefined, need?.port.name, name);
      if (need) bounded++;
    }
  assert.ok(bounded >= 3);
});
