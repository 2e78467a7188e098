import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sentenceSpans } from './sentences.ts';

const sentences = (text: string): string[] =>
  sentenceSpans(text).map(([start, end]) => text.slice(start, end));

/** Cases: `|` marks the boundaries between sentences. */
const cases: Record<string, string[]> = {
  'plain stops': ['One ends. | Two ends! | Does three? | Four'],
  titles: [
    'Mr. Smith met Dr. Jones and Gen. Lee. | They spoke.',
    'Sen. Warren asked Gov. Hobbs. | No reply came.',
    'St. Louis won. | Mt. Everest lost.',
  ],
  initials: [
    'J. K. Rowling wrote it. | George W. Bush did not.',
    'He met J.R.R. Tolkien. | They talked.',
    'John F. Kennedy spoke. | He paused.',
    'J.-P. Sartre wrote. | He won.',
  ],
  'dotted names of places': [
    'The U.S. Senate met. | It voted.',
    'She lives in the U.S. | The law there differs.',
    'He left Washington, D.C. | There it ended.',
    'The U.K. government fell.',
  ],
  companies: [
    'Apple Inc. said so. | Then it stopped.',
    'He joined Apple Inc. | The firm grew.',
    'Warner Bros. Discovery fell. | Shares dropped.',
    'Ask Smith & Co. Ltd. for it.',
  ],
  latin: [
    'Fruit, e.g. Apples, sell. | More, i.e. Pears, do not.',
    'Ali vs. Frazier was big.',
    'Smith et al. Nature published it.',
    'Pens, paper, etc. | They sell all.',
  ],
  'times and dates': [
    'At 5 p.m. Tuesday it began. | By 6 a.m. ET it was over.',
    'It began at 5 p.m. | The crowd left.',
    'On Jan. 5 it rained. | In Sept. 2023 it did not.',
  ],
  numbers: [
    'It cost $3.50 a share. | No. 5 won by 2.5 points.',
    'It was No. | He left.',
    'It grew in 2022. | 2023 was worse.',
    'Version 1.2.3 is out.',
  ],
  ellipses: [
    'Well... maybe not. | Wait... | The end.',
    'He was… tired. | Wait… | Then he slept.',
    'He said . . . nothing. | She left.',
  ],
  'closing quotes and brackets': [
    'He said “no.” | She left.',
    '"Stop!" he cried. | "Why?" | She ran.',
    '(It rained.) | We left. | [So they say.] | Fine.',
    'It is *bold.* | Next.',
    'They left.[12] | Others stayed.[3][4] | End.',
  ],
  'the stop inside a quote before a small letter': [
    '“Is it?” he asked. | “Yes.”',
    'Yahoo! is a firm. | It fell.',
  ],
  'camel names': ['It runs. | iPhone sales fell. | eBay rose.'],
  addresses: ['See example.com/a.b?c=d. | Write to a.b@c.org now.'],
  paragraphs: [
    'A heading\n\n | Text goes on\nover a line. | End',
    'a\r\n\r\n | b',
    'a\n \t\n | b',
    'Mr.\n\n | Smith',
  ],
  bullets: [
    'Buy:\n | - milk\n | - eggs and\nbutter\n | * bread',
    'Steps\n | 1. Wash it\n | 2) Dry it',
    '1. First comes this. | 2. Second comes that.',
  ],
  'an em dash after a stop': ['It ended. | — Jane Roe'],
  'full-width stops': ['你好。 | 再见！ | 「好。」 | 完'],
  'words that are abbreviations elsewhere': [
    'We asked the SEC. | Binance did not.',
    'It is an art. | Turner knew.',
    'See Sec. 5 and Art. 2 there. | Then stop.',
    "He can't. | Tim can.",
  ],
  'full stops after closing words': [
    'He took vitamin C. | The pills helped.',
    'And so did I. | They went.',
  ],
};

for (const [name, list] of Object.entries(cases))
  test(`sentences: ${name}`, () => {
    for (const marked of list)
      assert.deepEqual(
        sentences(marked.replaceAll(/ ?\| ?/g, gap => (gap.startsWith(' ') ? ' ' : ''))),
        marked.split('|').map(part => part.trim()),
        marked,
      );
  });

const pieces = fc.constantFrom(
  'a',
  'B',
  'Mr.',
  'U.S.',
  '.',
  '!',
  '?',
  '…',
  '”',
  '"',
  ')',
  '(',
  ' ',
  '\n',
  '\n\n',
  '\r\n',
  '- ',
  '1. ',
  '。',
  '」',
  '\u00a0',
  '\ud83d',
  '😂',
  'The',
  '[1]',
);
const anyText = fc.oneof(
  fc.array(pieces, { maxLength: 40 }).map(list => list.join('')),
  fc.string({ unit: 'binary' }),
);

test('for any text: spans ascend, are trimmed and cover every non-space character', () => {
  fc.assert(
    fc.property(anyText, text => {
      let last = 0;
      for (const [start, end] of sentenceSpans(text)) {
        assert.ok(start >= last && end > start);
        assert.equal(text.slice(last, start).trim(), '');
        assert.equal(text.slice(start, end), text.slice(start, end).trim());
        last = end;
      }
      assert.equal(text.slice(last).trim(), '');
    }),
    { numRuns: 5000 },
  );
});

test('splitting a paragraph does not depend on the paragraphs around it', () => {
  fc.assert(
    fc.property(anyText, anyText, (a, b) => {
      assert.deepEqual(sentences(`${a}\n\n${b}`), [...sentences(a), ...sentences(b)]);
    }),
    { numRuns: 2000 },
  );
});
