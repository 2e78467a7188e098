/** Tests stems of technical words: identifiers, their parts, and other spellings. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { askedTerms, holdsTerm, termsOf } from './terms.ts';

const holds = (question: string, text: string): boolean =>
  askedTerms(question).every(term => holdsTerm(termsOf(text), term));

test('words of a question find identifiers, joined and parted', () => {
  for (const [question, text] of [
    ['body limit', 'bodyLimit'],
    ['body limit', 'BODY_LIMIT'],
    ['keep-alive', 'keepalive'],
    ['keepalive', 'Keep-Alive'],
    ['log level', 'loglevel'],
    ['HTTP server', 'HTTPServer'],
    ['license', 'licences'],
    ['maximum size', 'max-size'],
    ['released', 'release'],
    ['compress', 'Compression'],
    ['Kestrel 5', 'Kestrel 5.2'],
    ['v3.12', '3.12'],
  ] as const)
    assert.ok(holds(question, text), `${question} in ${text}`);
  assert.ok(!holds('body limit', 'header limit'));
  assert.ok(!holds('Kestrel 5', 'Kestrel 15.2'));
});

test('function words are left out, and a name that begins with one stays', () => {
  assert.deepEqual(
    askedTerms('does the engine of it use Next.js?').map(({ term }) => term),
    ['engin', 'nextj', 'js'],
  );
  assert.ok(holds('Next.js', 'the docs of Next.js'));
});

test('names are words in capitals within the question, and versions', () => {
  const names = askedTerms('Does Kestrel 5 call FOO_BAR twice').filter(({ isName }) => isName);
  assert.deepEqual(
    names.map(({ term }) => term),
    ['kestrel', '5', 'foo', 'bar'],
  );
});

test('every content word of a text is held by the text, whatever it is', () => {
  assert.ok(holds('constructor toString', 'constructor toString __proto__'));
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), text => assert.ok(holds(text, text))));
});
