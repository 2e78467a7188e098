/** Tests the terms of identifiers against terms worked out by hand, and their laws. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { identifierRuns } from './identifier-runs.ts';
import {
  identifierTerms,
  isIdentifierTerm,
  questionIdentifiers,
  shownTerm,
  typedIdentifiers,
} from './identifiers.ts';
import { queryForm } from './search-form.ts';
import { usualIdentifier } from './usual-identifier.ts';

const shown = (text: string): string[] => identifierTerms(text).map(shownTerm);

describe('terms of identifiers: · joins words, ~ marks a part', () => {
  for (const [text, expected] of [
    ['Obj-C, C++ or C#; not C.', 'c++ c#'],
    ['Use ASP.NET, .NET and a .npmrc.', 'asp.net asp·net .net .npmrc'],
    ['Deno 2.1 runs Vue.js (v3.5.1).', '2.1 vue.js vue·js 3.5.1 v3.5.1 v·3'],
    ['EACCES_DENIED:', 'eacces_denied eacces·denied'],
    ['--dry-run=true -Wall', '--dry-run dry·run --dry-run=true -wall'],
    ['readFile, read_file', 'read·file ~read ~file read_file read·file'],
    ['fs.readFile()', 'fs.readfile fs·read·file read·file ~read ~file'],
    ['FTPServer XMLHttpRequest', 'ftp·server ~ftp ~server xml·http·request ~xml ~http ~request'],
    ['12volt E404 python3', '12·volt ~12 ~volt e·404 ~404 python·3 ~python'],
    ['TypeScript and eBay', 'type·script e·bay'],
    ['in the 1990s, on the 3rd, two CEOs, a1b2c3', ''],
    ['$4.50 or 10:30, #12', '4.50 #12'],
    ['state-of-the-art, and/or, 24/7, -3, 200+', ''],
    ['the U.K. e.g.', ''],
    ['end... and so--on', ''],
    ['me@mail.example', 'mail.example mail·example me@mail.example'],
    ['https://a.example/b_c', 'a.example b_c b·c https://a.example/b_c'],
    ['Is it C++? Not F#.', 'c++ f#'],
    ['10.0.0.1:80', '10.0.0.1 10.0.0.1:80'],
    ['/usr/bin and ~/x.txt', '/usr/bin x.txt ~/x.txt'],
    ['std::vector<int>', 'std::vector'],
    ['使用Vue.js开发', 'vue.js vue·js'],
    ['größe_max', 'grösse_max grösse·max'],
    ['ＥＸＩＴ＿ＣＯＤＥ or EXIT_\u00adCODE', 'exit_code exit·code exit_code exit·code'],
    ['no\u2011op_x', 'no-op_x no·op·x'],
    ['A plain sentence, with a quote: "so it goes" (twice).', ''],
  ] as const)
    test(text, () => assert.deepEqual(shown(text).join(' '), expected));
});

describe('what a query asks for', () => {
  const asked = (text: string): string => typedIdentifiers(text).beside.map(shownTerm).join(' ');
  for (const [text, expected] of [
    ['ferry', '~ferry ferry'],
    ['read file', '~read ~file read file read·file'],
    ['the harbour, a ferry', '~the ~harbour ~a ~ferry'],
    ['read-file', '~read ~file read file read·file read-file'],
  ] as const)
    test(`typed: ${text}`, () => assert.equal(asked(text), expected));

  for (const [text, expected] of [
    ['Who runs a well-known site such as News.example with 3.5 million in the U.S.?', ''],
    ['What do read_file and --dry-run do in C++?', 'read_file --dry-run c++'],
  ] as const)
    test(`in a question: ${text}`, () =>
      assert.equal(questionIdentifiers(text).beside.map(shownTerm).join(' '), expected));
});

const unit = fc.constantFrom(...'aBcD12-_.+#/@:$~=? ,(ß', 'th', 'Ab', '::', '...', '\u2011', '中');
const text$ = fc.string({ unit, maxLength: 16 });
const runs = { numRuns: 5000 };

test('what is read one character after the other equals what patterns find', () => {
  fc.assert(
    fc.property(text$, text => {
      for (const run of identifierRuns(text)) {
        const usual = usualIdentifier(run);
        // An "@" of no meaning leaves the run to the patterns, and is no part of the identifier.
        if (usual !== undefined)
          assert.deepEqual(identifierTerms(run), identifierTerms(`${run}@@@@@@@@`), run);
      }
    }),
    runs,
  );
});

test('no term of an identifier is a word, and a word of an identifier is none', () => {
  fc.assert(
    fc.property(text$, text => {
      for (const term of identifierTerms(text)) assert.ok(isIdentifierTerm(term), term);
      assert.ok(!isIdentifierTerm(queryForm(text)));
    }),
    runs,
  );
});

test('an identifier that somebody types is found in every text that holds it', () => {
  fc.assert(
    fc.property(text$, text => {
      const [identifier] = identifierRuns(text);
      if (identifier === undefined) return;
      const found = new Set(identifierTerms(`Say ${identifier}, then (${identifier}).`));
      for (const term of identifierTerms(identifier)) assert.ok(found.has(term), term);
    }),
    runs,
  );
});
