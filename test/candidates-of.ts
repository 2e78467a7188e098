/** Reads the candidates of one sentence as tests state them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { BlockKind } from '../src/core/corpus/document.ts';
import { askedForm } from '../src/language/english/question/asked-form.ts';
import { askedTerms, termsOf } from '../src/language/english/words/terms.ts';
import { Said } from '../src/language/said.ts';
import type { Place } from '../src/readers/sections/candidate.ts';
import { candidatesIn } from '../src/readers/sections/candidates.ts';

interface Around {
  readonly heading?: readonly string[];
  readonly kind?: BlockKind;
  readonly title?: string;
}

/** Returns texts and forms of the candidates of a sentence, alone in a section about Wren. */
export function candidatesOf(
  question: string,
  sentence: string,
  { heading = ['Notes'], kind = 'prose', title = 'Wren' }: Around = {},
): (readonly [text: string, form: number])[] {
  const asked = askedForm(question);
  const known = new Set(askedTerms(asked.subject).flatMap(({ term, joins }) => [term, ...joins]));
  const place = termsOf('wren');
  const section = {
    heading,
    text: sentence,
    place,
    document: { title },
  } as unknown as Place['section'];
  const said = new Said(sentence);
  // A candidate depends on the text and kind of its unit alone, not on where it is shown.
  const unit = { index: 0, text: sentence, kind, section: 0, terms: said.terms, said };
  return candidatesIn({ asked, section, known, unit: unit as unknown as Place['unit'] }).map(
    ({ text, form }) => [text, form],
  );
}

export const CLEAR = 1;
export const LIKELY = 0.7;
export const POSSIBLE = 0.4;
type Case = readonly [
  question: string,
  sentence: string,
  candidates: readonly (readonly [text: string, form: number])[],
];

/** Defines a test for each case: a sentence with its candidates on a question. */
export function checkCandidates(name: string, cases: readonly Case[]): void {
  void describe(name, () => {
    for (const [question, sentence, expected] of cases)
      test(`${question} ${sentence}`, () =>
        assert.deepEqual(candidatesOf(question, sentence), expected));
  });
}
