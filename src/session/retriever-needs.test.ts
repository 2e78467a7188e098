/** Checks that members declare the resources that their names ask for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retrievers } from '../search/retrievers.ts';
import { strategies } from '../strategies/strategies.ts';
import { retrieverNeeds, strategyNeeds } from './retriever-needs.ts';

const printed = (needs: ReturnType<typeof retrieverNeeds>): string[] => [
  ...new Set(needs.map(({ port, id }) => `${port.name} ${id}`)),
];

test('each parameter that names a resource is a need of its member', () => {
  let named = 0;
  for (const [family, needsOf] of [
    [retrievers, retrieverNeeds],
    [strategies, strategyNeeds],
  ] as const)
    for (const { name, parameters = [] } of family.members)
      for (const parameter of parameters) {
        if (parameter.port === undefined) continue;
        // A member may need more that has no name here, such as the language model of a run.
        const needs = printed(needsOf([`${name}(${parameter.name}=probe)`])).filter(need =>
          need.endsWith(' probe'),
        );
        assert.deepEqual(needs, [`${parameter.port} probe`], `${name}(${parameter.name}=probe)`);
        named++;
      }
  assert.equal(named, 9);
});

test('needs are found at any depth', () => {
  const name =
    'clauses(fused(hybrid(one, vectors=sentence), max-p(dense(two)), filtered(reranked(dense(one), judge, ask=clauses), "id = x"), hybrid, method=weighted))';
  assert.deepEqual(printed(retrieverNeeds([name, 'reranked(lexical, judge)'])).sort(), [
    'embedder one',
    'embedder two',
    'reranker judge',
  ]);
});

test('a row names a strategy; what names none needs nothing', () => {
  assert.deepEqual(printed(strategyNeeds(['context=whole; strategy=tree-hop(model=mine)'])), [
    'query-updater mine',
  ]);
  assert.deepEqual(strategyNeeds(['nothing(', 'fixed-top-k', 'retriever=dense(tree-hop)']), []);
});
