import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Trace } from '../core/trace/trace.ts';
import { languageLine } from './language-line.ts';

const line = (text: string, ...languages: string[]): string | undefined =>
  languageLine({
    question: { id: 'q', text },
    evidence: languages.map(language => ({
      metadata: { language },
    })) as unknown as Trace['evidence'],
  });

test('the language is that of the question, else that of most of the evidence', () => {
  for (const [read, expected] of [
    [line('Wer gründete die Firma?', 'pl'), 'The question was read as German.'],
    [
      line('Хто і коли це зробив і де їх бачили?'),
      'The question was read as Ukrainian, of which no table of words is there: every word counts.',
    ],
    [
      line('Kto zbudował Zielony Dom?', 'pl', 'pl', 'de'),
      'The question was read as Polish, of which no table of words is there: every word counts.',
    ],
    [line('Sicherungskopie erstellen', 'de'), undefined],
    [line('Who built the house?', 'pl'), undefined],
    [line('Zielony Dom', 'pl', 'de'), undefined],
    [line('Zielony Dom'), undefined],
  ] as const)
    assert.equal(read, expected);
});
