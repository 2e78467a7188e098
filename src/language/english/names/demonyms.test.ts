/** Checks countries by name, other name and adjective. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ADJECTIVES, countryNamed, countryOfAdjective } from './demonyms.ts';

describe('a country', () => {
  for (const [name, country] of [
    ['Denmark', 'Denmark'],
    ['DENMARK', 'Denmark'],
    ['the Netherlands', 'Netherlands'],
    ['The Netherlands', 'Netherlands'],
    ['Afghanistan', 'Afghanistan'],
    ['Zimbabwe', 'Zimbabwe'],
    ['Bosnia and Herzegovina', 'Bosnia and Herzegovina'],
    ['U.S.', 'United States'],
    ['the U.S', 'United States'],
    ['US', 'United States'],
    ['USA', 'United States'],
    ['United States of America', 'United States'],
    ['UK', 'United Kingdom'],
    ['U.K.', 'United Kingdom'],
    ['Great Britain', 'United Kingdom'],
    ['USSR', 'Soviet Union'],
    ["People's Republic of China", 'China'],
    ['Danish', undefined],
    ['United the States', undefined],
    ['', undefined],
  ] as const)
    test(`"${name}" names ${country}`, () => assert.equal(countryNamed(name), country));
});

describe('an adjective', () => {
  for (const [adjective, country] of [
    ['Danish', 'Denmark'],
    ['danish', 'Denmark'],
    ['Argentine', 'Argentina'],
    ['Argentinian', 'Argentina'],
    ['Korean', 'South Korea'],
    ['South Korean', 'South Korea'],
    ['North Korean', 'North Korea'],
    ['New Zealand', 'New Zealand'],
    ['Dutch', 'Netherlands'],
    ['American', 'United States'],
    ['British', 'United Kingdom'],
    ['Denmark', undefined],
  ] as const)
    test(`"${adjective}" is of ${country}`, () =>
      assert.equal(countryOfAdjective(adjective), country));
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
