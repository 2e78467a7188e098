/** Checks countries by name, other name and adjective. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ADJECTIVES, countryNamed, countryOfAdjective } from './demonyms.ts';

test('a country is known by its name, other names and adjectives, in any case', () => {
  for (const [name, country] of [
    ['DENMARK', 'Denmark'],
    ['the Netherlands', 'Netherlands'],
    ['the U.S', 'United States'],
    ["People's Republic of China", 'China'],
    ['Danish', undefined],
    ['', undefined],
  ] as const)
    assert.equal(countryNamed(name), country, name);
  for (const [adjective, country] of [
    ['danish', 'Denmark'],
    ['Argentinian', 'Argentina'],
    ['Korean', 'South Korea'],
    ['Denmark', undefined],
  ] as const)
    assert.equal(countryOfAdjective(adjective), country, adjective);
});

test('the alternatives are capitalised, longer ones first, and each has its country', () => {
  const all = ADJECTIVES.split('|');
  assert.ok(all.includes('South Korean') && all.includes('Danish') && all.includes('New Zealand'));
  for (const [index, each] of all.entries()) {
    assert.notEqual(countryOfAdjective(each), undefined, each);
    assert.match(each, /^\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)*$/u);
    if (index > 0) assert.ok(each.length <= all[index - 1]!.length);
  }
  assert.equal(
    new RegExp(`(?:${ADJECTIVES})`, 'u').exec('a South Korean song')![0],
    'South Korean',
  );
});
