/** Whatever a language model replies, each strategy ends, and its answer cites its evidence. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { statedFacts } from '../../test/stated-facts.ts';
import { WELL_FORMED_REPLIES } from '../../test/well-formed-replies.ts';
import type { Prompt } from '../models/language-model.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from '../testing/fixture-corpus.ts';
import { scriptedModel } from '../testing/scripted-model.ts';
import { engineOf, traceOf } from '../testing/strategy-run.ts';

const STRATEGIES = [
  'bridge-claims(profile=paper, claims=2, verify=model, minTokens=4)',
  'chain(k=1, judgeMultiHop=true)',
  'chain(integration=contexts, profile=code)',
  'hipporag1(k=3, steps=3)',
  'hipporag2(k=3)',
  'ir-cot(k=2)',
  'ir-cot(profile=comparison-code, k=2)',
  'iter-retgen(iterations=3, k=2, field=full)',
  'longrag-dual(k=3)',
  'longrag-units(units=2, size=100)',
  'multi-meta-rag(extractor=model, policy=relax)',
  'naive(k=3, decomposition=true)',
  'query-decomposition(parts=4, k=2, chained=true)',
  'query-decomposition(integration=sub-contexts, chained=true, checked=false)',
];
const engine = engineOf(FIXTURE_DOCUMENTS, [], statedFacts);

/** Says for a prompt: a valid reply to its role, such a reply cut off, or pieces of replies. */
type Reply = (prompt: Prompt) => string;
const valid: Reply = ({ role }) => WELL_FORMED_REPLIES[role] ?? 'So the answer is: Tarn.';
const piece = fc.oneof(
  fc.constantFrom(...Object.values(WELL_FORMED_REPLIES), '{"sentence": "Osk Maren won.'),
  fc.constantFrom('{', '}', '[', ']}', '"', '\\', '<think>', '</think>', '```json', '<Vell>'),
  fc.constantFrom('#1', '$&', 'null', '\n', '\0', '\ud800', '[-1, 1e9, null]', 'Claim: x y'),
  fc.constantFrom('I cannot help with that.', 'unknown', ' answer is: ', 'x'.repeat(300)),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const reply: fc.Arbitrary<Reply> = fc.oneof(
  fc.constant(valid),
  fc.nat(60).map(length => (prompt: Prompt) => valid(prompt).slice(0, length)),
  fc.array(piece, { maxLength: 6 }).map(pieces => () => pieces.join('')),
);

async function checkRun(strategy: string, replies: readonly Reply[], question: string) {
  const model = scriptedModel((prompt, at) => replies[at % replies.length]!(prompt));
  const options = { engine, strategy, retriever: 'lexical', context: 'whole' };
  const trace = await traceOf(question, { ...options, resources: { model } });
  assert.equal(trace.stopped, undefined);
  if (trace.answer.kind !== 'answered') return;
  assert.ok(trace.answer.citations.length > 0);
  for (const { id, start, end } of trace.answer.citations)
    assert.ok(
      trace.evidence.some(
        item => item.id === id && item.spans.some(([x, y]) => x <= start && end <= y),
      ),
      `${id} ${start}-${end}`,
    );
}

for (const strategy of STRATEGIES)
  test(`${strategy} survives any replies`, () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(reply, { minLength: 1, maxLength: 9 }),
        fc.constantFrom(...FIXTURE_QUESTIONS),
        (replies, { text }) => checkRun(strategy, replies, text),
      ),
      { numRuns: 40 },
    ));
