/** Tests the scopes in which a lane is searched. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Lane } from '../../language/english/question/lanes.ts';
import { narrowScopes, type ParsedQuestion, scopesOf } from './question.ts';

const lane = (text: string, ...sources: string[]): Lane => ({ text, sources, days: [] });
const parsed = (sources: readonly string[], lanes: readonly Lane[] = []): ParsedQuestion => ({
  lanes: [lane('whole', ...sources), ...lanes],
  filter: { sources, excluded: [], unknown: [], days: [] },
  language: 'en',
  names: [],
  nested: false,
});

test('a question without sources and days searches everything', () => {
  const question = parsed([]);
  for (const scopes of [scopesOf, narrowScopes])
    assert.deepEqual(scopes(question.lanes[0]!, question), [undefined]);
});

test('the narrowest scope of a lane that names sources is theirs', () => {
  const clause = lane('clause', 'Tin Herald');
  const question = parsed(['Tin Herald', 'Copper Times'], [clause]);
  assert.deepEqual(narrowScopes(clause, question), [undefined, scopesOf(clause, question)[2]]);
  const same = parsed(['Tin Herald'], [clause]);
  assert.deepEqual(narrowScopes(clause, same), scopesOf(clause, same));
});
