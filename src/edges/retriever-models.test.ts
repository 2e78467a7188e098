/**
 * The models that a retriever's name calls for; a retriever that is new must not be forgotten here.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retrievers } from '../retrieval/retrievers.ts';
import { modelsOf } from './retriever-models.ts';

test('every parameter that names a model is known, of every retriever', () => {
  let models = 0;
  for (const { name, parameters = [] } of retrievers.members)
    for (const parameter of parameters) {
      // A retriever's own parts are retrievers, and a scorer is no model.
      if (parameter.type !== 'member' || parameter.own || parameter.name === 'scorer') continue;
      const { spaces, rerankers } = modelsOf([`${name}(${parameter.name}=probe)`]);
      assert.deepEqual(
        [...spaces, ...rerankers],
        ['probe'],
        `${name}(${parameter.name}=...): see modelsOf`,
      );
      models++;
    }
  assert.ok(models >= 3);
});

test('models are found however deep they stand, each once; what is fitted is none', () => {
  const name =
    'clauses(fused(hybrid(one, vectors=sentence), max-p(dense(two)), filtered(reranked(dense(one), judge, ask=clauses), "id = x"), dense, hybrid(none), method=weighted))';
  assert.deepEqual(modelsOf([name, 'reranked(lexical, judge)']), {
    spaces: ['one', 'two'],
    rerankers: ['judge'],
  });
});
