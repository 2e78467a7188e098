/** Tests that `eval jsonl --store` asks the store itself: as it was cut, with its vectors. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { argv, freshFolder, run } from './running-command.ts';

const CHUNKER = 'tokens(size=6, overlap=2)';

describe('eval jsonl over a store without --corpus', () => {
  const folder = freshFolder();
  const store = join(folder, 'store');
  const questions = join(folder, 'questions.jsonl');
  before(async () => {
    const corpus = join(folder, 'notes.jsonl');
    const text = 'The Linnet leaves Hask Point at noon. Its captain is Ada Quill of Wick Bay.';
    writeFileSync(corpus, JSON.stringify({ id: 'ferry', text }));
    writeFileSync(
      questions,
      JSON.stringify({
        question: 'Who is the captain?',
        answer: 'Ada Quill',
        evidence: 'Ada Quill',
      }),
    );
    const made = await run(argv`ingest ${corpus} --store ${store} --chunker ${CHUNKER}`);
    assert.equal(made.code, 0, made.err);
  });

  test('asks the store, whose chunker cut its passages', async () => {
    const line = argv`eval jsonl --store ${store} --questions ${questions} --json`;
    const { code, out, err } = await run(line);
    assert.equal(code, 0, err);
    assert.equal(JSON.parse(out).manifest.chunker, CHUNKER);
  });

  for (const [option, value, recorded] of [
    ['chunker', 'tokens(size=50)', String.raw`tokens\(size=6, overlap=2\)`],
    ['template', 'text', 'header'],
  ] as const)
    test(`refuses another ${option} than that of the store`, async () => {
      const line = argv`eval jsonl --store ${store} --questions ${questions} --${option} ${value}`;
      const { code, err } = await run(line);
      assert.equal(code, 2);
      const expected = `--${option}.*expected the ${option} of the store, ${recorded}`;
      assert.match(err, new RegExp(expected, 's'));
    });
});
