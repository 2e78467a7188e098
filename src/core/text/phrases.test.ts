/** Tests which phrases a query has in quotes, and which texts hold a phrase. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { phraseTest, quotedPhrases } from './phrases.ts';

describe('phrases in quotes', () => {
  for (const [query, ...expected] of [
    ['"night ferry"', 'night ferry'],
    ['when does the "night ferry" or the “day boat” sail', 'night ferry', 'day boat'],
    ['„zwei Worte“ «deux mots» »to ord« 「図書館」', 'zwei Worte', 'deux mots', 'to ord', '図書館'],
    ['"a b" "a b"', 'a b'],
    ['"C++"', 'C++'],
    ['"one\nline"', 'one\nline'],
    ['a "night ferry'],
    ['a 6" pipe and an 8" valve'],
    ["it's 'so' in Ann's boat, ’tis"],
    ['"" or "..."'],
    ['no quotes'],
  ] as const)
    test(query, () => assert.deepEqual(quotedPhrases(query), expected));
});

describe('texts that hold a phrase', () => {
  for (const [phrase, holding, not] of [
    ['night ferry', ['The Night\n ferry.', 'a night-ferry', 'NIGHT “ferry”'], ['ferry night']],
    ['night ferry', [], ['night, ferry', 'night ferries', 'a fortnight ferry', 'night. Ferry']],
    ['Arlem, north', ['in Arlem, north of', 'Arlem north'], ['Arlem to the north']],
    ["Ann's boat", ['Ann’s boat'], ['Anns boat']],
    ['Straße', ['STRASSE'], ['Strasbourg']],
    ['café noir', ['Cafe\u0301 noir'], ['cafe noir']],
    ['read_file', ['call read_file()', 'fs.read_file'], ['read file', 'read_files', 'read-file']],
    ['C++', ['in C++, not'], ['in C, not', 'C#']],
    ['3.11', ['Python 3.11.'], ['3 11', '13.11', '3.110']],
    ['图书馆', ['在图书馆里', '图书\n馆'], ['图书与馆']],
    ['猫', ['黑猫'], ['狗']],
  ] as const)
    test(phrase, () => {
      for (const text of holding) assert.ok(phraseTest(phrase)(text), text);
      for (const text of not) assert.ok(!phraseTest(phrase)(text), text);
    });

  test('each text with a letter holds itself, also between others', () => {
    const unit = fc.constantFrom(...'aB1 -_.+#/,(é图ß\n’"', 'th');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), text => {
        if (!/[\p{L}\p{N}]/u.test(text)) return;
        assert.ok(phraseTest(text)(text), JSON.stringify(text));
        assert.ok(phraseTest(text)(`One (${text}) two`), JSON.stringify(text));
      }),
      { numRuns: 500 },
    );
  });
});
