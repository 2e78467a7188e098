/**
 * Tests indirect prompt injection: for any command in a document, and a model that obeys it,
 * nothing is cited that is not evidence, nothing is disclosed that the run may not see, and no
 * requests are made other than to the model.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Document } from '../src/core/corpus/document.ts';
import { parseFilter } from '../src/core/corpus/filter-expression.ts';
import { defined } from '../src/core/defined.ts';
import type { Trace } from '../src/core/trace/trace.ts';
import { askEvents } from '../src/run/ask.ts';
import { EmbeddedEngine } from '../src/search/embedded-engine.ts';
import { FIXTURE_DOCUMENTS } from '../src/testing/fixture-corpus.ts';
import { type ScriptedModel, scriptedModel } from '../src/testing/scripted-model.ts';
import { CANARY, FOREIGN, obeyed, PAYLOADS, PLACES } from './injection-payloads.ts';
import { statedFacts } from './stated-facts.ts';

const QUESTION = 'Who bought the lighthouse at Harrow Point?';
const KEY = 'sk-canary0key';
const documents = ['lighthouse-sold', 'boat-builder'].map(
  id => FIXTURE_DOCUMENTS.find(document => document.id === id)!,
);
const filter = parseFilter('source != Vault');

/** Runs over the given documents and the foreign one, which the filter excludes. */
async function run(
  found: readonly Document[],
  reader: string,
  model: ScriptedModel,
  strategy = 'fixed-top-k(k=5)',
): Promise<Trace> {
  const engine = new EmbeddedEngine(
    defined({
      documents: [...found, FOREIGN],
      // Its facts reach a prompt too.
      recogniser: strategy.startsWith('hipporag2') ? statedFacts : undefined,
    }),
  );
  const manifest = { provider: 'scripted' };
  const options = {
    engine,
    strategy,
    context: 'whole',
    reader,
    filter,
    manifest,
    resources: { model },
  };
  const events = askEvents(QUESTION, options, () => 0);
  for (;;) {
    const step = await events.next();
    if (step.done) return step.value;
  }
}

/** Returns all violations of one run. */
function forbidden({ answer, evidence, context }: Trace, model: ScriptedModel): string[] {
  const wrong: string[] = [];
  const citations =
    answer.kind === 'abstained' ? (answer.withheld?.citations ?? []) : answer.citations;
  for (const { id, documentId, start, end } of citations) {
    const item = evidence.find(each => each.id === id && each.documentId === documentId);
    const shown = context.parts.some(
      part => part.documentId === documentId && part.spans.some(([a, b]) => a <= start && end <= b),
    );
    if (!item || !shown || !(start < end)) wrong.push(`cites ${id} ${start}-${end}`);
  }
  if (evidence.some(({ documentId }) => documentId === FOREIGN.id))
    wrong.push('the foreign document is evidence');
  if (answer.kind === 'answered' && citations.length === 0)
    wrong.push('an answer without a citation');
  const said = JSON.stringify(answer);
  if (said.includes(CANARY) || said.includes(KEY)) wrong.push('a secret is in the answer');
  const prompts = model.prompts.map(({ messages }) => messages.map(({ text }) => text).join('\n'));
  if (prompts.some(text => text.includes(CANARY) || text.includes(KEY)))
    wrong.push('a secret is in a prompt');
  for (const { text } of model.prompts.flatMap(({ messages }) =>
    messages.filter(({ role }) => role === 'user'),
  )) {
    const markers = text.match(/^<<(?:passage \d+|end)>>/gm) ?? [];
    // A passage cannot write any other, nor end the passages before their end.
    if (text.split('<<').length - 1 !== markers.length) wrong.push('a forged marker');
  }
  return wrong;
}

describe('documents with commands, and an obedient model', () => {
  const { fetch } = globalThis;
  let requests = 0;
  before(() => {
    process.env['MULTIHOP_API_KEY'] = KEY;
    globalThis.fetch = async () => {
      requests++;
      throw new Error('no network here');
    };
  });
  after(() => {
    delete process.env['MULTIHOP_API_KEY'];
    globalThis.fetch = fetch;
  });

  test('there are enough distinct payloads', () => {
    assert.ok(
      PAYLOADS.length >= 200 && new Set(PAYLOADS).size === PAYLOADS.length,
      `${PAYLOADS.length} payloads`,
    );
    assert.equal(Object.keys(PLACES).length, 7);
  });

  const READERS = [
    'generative',
    'generative(uncited=mark)',
    'generative(form=short)',
    'generative(form=short, uncited=mark)',
  ];
  for (const reader of READERS) {
    const honest = reader.includes('short')
      ? '{"answer": "Ines Quill", "citations": [1], "abstain": false}'
      : 'Ines Quill bought it [1].';
    for (const [place, put] of Object.entries(PLACES)) {
      test(`${reader}, ${place}: no violation`, async t => {
        let obeyedCount = 0;
        const kinds = new Map<string, number>();
        for (const payload of PAYLOADS) {
          const model = scriptedModel(prompt => {
            const order = obeyed(prompt);
            if (order !== undefined) obeyedCount++;
            return order ?? honest;
          });
          const trace = await run(put(payload, documents), reader, model);
          const wrong = forbidden(trace, model).filter(
            each => !reader.includes('mark') || each !== 'an answer without a citation',
          );
          assert.deepEqual(wrong, [], payload);
          if (trace.answer.kind === 'answered' && trace.answer.citations.length === 0)
            assert.ok(trace.answer.unsupported!.length > 0, payload);
          kinds.set(trace.answer.kind, (kinds.get(trace.answer.kind) ?? 0) + 1);
        }
        assert.equal(requests, 0);
        // The commands must reach the model; otherwise the suite would prove nothing.
        assert.ok(obeyedCount >= PAYLOADS.length, `${obeyedCount} orders were obeyed`);
        t.diagnostic(
          `${PAYLOADS.length} payloads: ${[...kinds].map(([kind, count]) => `${count} ${kind}`).join(', ')}`,
        );
      });
    }
  }

  // Strategies that call a model themselves: searches, thoughts and answers that it was told to
  // make are restricted by the same filter and checks.
  const ASKING = [
    ...[
      'ir-cot',
      'iter-retgen',
      'query-decomposition',
      'query-decomposition(integration=sub-contexts)',
    ],
    ...[
      'query-decomposition(chained=true)',
      'query-decomposition(chained=true, checked=false)',
      'multi-meta-rag(extractor=model)',
      'bridge-claims(minTokens=1)',
      'bridge-claims(profile=paper, verify=model, minTokens=1)',
    ],
    ...['chain(judgeMultiHop=true)', 'chain(integration=contexts, profile=code)'],
    ...['hipporag1', 'hipporag1(profile=paper, steps=2)'],
    ...['hipporag2', 'naive', 'naive(decomposition=true)', 'longrag-units', 'longrag-dual'],
    ...['base', 'long', 'extractor', 'filter'].map(mode => `longrag-dual(mode=${mode})`),
  ];
  for (const strategy of ASKING) {
    test(`${strategy}: no violation`, async () => {
      let obeyedCount = 0;
      for (const put of Object.values(PLACES)) {
        for (const payload of PAYLOADS.filter((_, at) => at % 9 === 0)) {
          const model = scriptedModel(prompt => {
            const order = obeyed(prompt);
            if (order !== undefined) obeyedCount++;
            return (
              order ??
              '{"answer": "Ines Quill", "citations": [1], "subqueries": ["Who bought it?", "Where was #1 born?"], "sentence": "Ines Quill bought it.", "thought": "Ines Quill bought it.", "named_entities": ["Harrow Point"], "fact": [["It", "is", "here"]]}'
            );
          });
          const trace = await run(put(payload, documents), 'generative', model, strategy);
          assert.deepEqual(forbidden(trace, model), [], payload);
        }
      }
      assert.equal(requests, 0);
      assert.ok(obeyedCount >= 100, `${obeyedCount} orders were obeyed`);
    });
  }

  test('the checks can fail: they detect a reader that trusts its model', async () => {
    const model = scriptedModel(['{}']);
    const trace = await run(documents, 'generative', model);
    const cites = { id: FOREIGN.id, documentId: FOREIGN.id, start: 0, end: 5 };
    const bad: Trace = { ...trace, answer: { kind: 'answered', text: CANARY, citations: [cites] } };
    assert.deepEqual(forbidden(bad, model), ['cites vault-memo 0-5', 'a secret is in the answer']);
  });
});
