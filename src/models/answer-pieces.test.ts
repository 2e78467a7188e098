/** Tests the extraction of a streamed answer against `JSON.parse`, for any text and any cuts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { AnswerPieces } from './answer-pieces.ts';

const streamed = (pieces: readonly string[]): string => {
  const answer = new AnswerPieces();
  return pieces.map(piece => answer.push(piece)).join('');
};

test('equals the parsed answer, wherever the JSON is cut', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.array(fc.nat(120), { maxLength: 6 }),
      fc.boolean(),
      (text, cuts, escaped) => {
        const written = JSON.stringify({ thought: 'x', answer: text, more: 'y' });
        const json = escaped
          ? written.replace(
              /[^\x20-\x7e]/g,
              unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
            )
          : written;
        const at = [0, ...cuts.filter(cut => cut < json.length).sort((a, b) => a - b), json.length];
        const pieces = at.slice(1).map((end, index) => json.slice(at[index]!, end));
        assert.equal(streamed(pieces), text);
      },
    ),
    { numRuns: 300 },
  );
});
