/** Every strategy keeps the laws, with its default settings and with others. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strategies } from '../../src/strategies/strategies.ts';
import { strategyLaws } from '../../src/testing/strategy-laws.ts';
import { runLaws } from './run-laws.ts';

const OTHER_SETTINGS: Readonly<Record<string, readonly string[]>> = {
  'fixed-top-k': ['fixed-top-k(k=1)', 'fixed-top-k(k=40)'],
  'equal-budget-top-k': ['equal-budget-top-k(tokens=50)', 'equal-budget-top-k(tokens=5000, depth=3)'],
  iterative: [
    'iterative(rounds=4, profile=drift)',
    'iterative(rounds=3, per-round=3, cues=2, terms=0, documents=4)',
    'iterative(rounds=1)',
  ],
  decomposition: ['decomposition(planner=conjunction)', 'decomposition(planner=source-restricted, queries=2, documents=1)'],
  'budgeted-agent': [
    'budgeted-agent(tokens=98, calls=1)',
    'budgeted-agent(tokens=300, calls=5, planner=conjunction, per-call=3, weak-ratio=0.6)',
    'budgeted-agent(tokens=9000, calls=3, planner=source-restricted, documents=2)',
  ],
  'slot-agent': ['slot-agent(dates=true)', 'slot-agent(wh=1, multi=1, single=1)', 'slot-agent(none=5, dates=true)'],
  'multi-meta-rag': [
    'multi-meta-rag(first=1, keep=1, dates=false)',
    'multi-meta-rag(keep=40, policy=relax)',
    'multi-meta-rag(policy=relax, soft=0.5)',
  ],
};

test('every strategy of the family is checked with other settings too', () => {
  assert.deepEqual(Object.keys(OTHER_SETTINGS).sort(), strategies.members.map(({ name }) => name).sort());
});

for (const { name } of strategies.members) {
  for (const given of [name, ...(OTHER_SETTINGS[name] ?? [])])
    runLaws(
      given,
      strategyLaws(() => strategies.create(given), { parse: strategies.create }),
    );
}
for (const { name } of strategies.members) {
  for (const retriever of ['dense(lsa)', 'fused(lexical, dense(lsa))'])
    runLaws(
      `${name} with ${retriever}`,
      strategyLaws(() => strategies.create(name), { retriever }),
    );
}
const combinations = [
  ['slot-agent', 'filtered(fused(lexical(unit=passage), dense(lsa(dimensions=5), unit=passage)), "source != Notices")', 'lead'],
  ['multi-meta-rag(policy=relax)', 'fused(lexical(unit=passage), dense(lsa(dimensions=5), unit=passage))', 'whole'],
  ['multi-meta-rag', 'fused(lexical(unit=passage), clauses(max-p(lexical)), method=weighted)', 'lead'],
  ['budgeted-agent', 'lexical(s1)', 'headers'],
  ['iterative(rounds=3)', 'lexical(unit=passage)', 'whole'],
  ['fixed-top-k(k=6)', 'lexical(unit=sentence)', 'lead(words=5)'],
  ['slot-agent', 'lexical(bm25(stop=english), unit=passage)', 'lead'],
] as const;
for (const [strategy, retriever, context] of combinations)
  runLaws(
    `${strategy} with ${retriever} and ${context}`,
    strategyLaws(() => strategies.create(strategy), { retriever, context }),
  );
