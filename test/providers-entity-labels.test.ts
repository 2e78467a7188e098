/** Checks how labels of tokens are read as entities, without a model. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { entitySpans, labelledWords } from '../src/providers/entity-labels.ts';
import { resolveModel } from '../src/providers/resolve-model.ts';

/** Words of length 1 at even places. */
const wordsOf = (labels: readonly string[]) =>
  labels.map((_, at) => ({ start: 2 * at, end: 2 * at + 1 }));
const read = (...labels: string[]): string[] =>
  entitySpans(wordsOf(labels), labels).map(
    ({ start, end, type }) => `${start / 2}-${(end - 1) / 2} ${type}`,
  );

describe('labels', () => {
  test('join words of one entity', () => {
    assert.deepEqual(read('B-PER', 'I-PER', 'O', 'B-LOC', 'B-LOC'), [
      '0-1 PER',
      '3-3 LOC',
      '4-4 LOC',
    ]);
    assert.deepEqual(read('O', 'O'), []);
    assert.deepEqual(read(), []);
  });

  test('an I that continues nothing begins an entity, as conlleval counts', () => {
    assert.deepEqual(read('I-PER', 'I-PER', 'I-LOC', 'O', 'I-LOC'), [
      '0-1 PER',
      '2-2 LOC',
      '4-4 LOC',
    ]);
  });

  test('schemes BIOES, BILOU and none', () => {
    assert.deepEqual(read('S-PER', 'B-LOC', 'I-LOC', 'E-LOC', 'I-LOC'), [
      '0-0 PER',
      '1-3 LOC',
      '4-4 LOC',
    ]);
    assert.deepEqual(read('U-PER', 'U-PER', 'B-LOC', 'L-LOC'), ['0-0 PER', '1-1 PER', '2-3 LOC']);
    assert.deepEqual(read('PER', 'PER', 'O', 'LOC', 'Other'), ['0-1 PER', '3-3 LOC', '4-4 Other']);
  });

  test('equal to conlleval’s rules of where entities begin and end', () => {
    const label = fc.constantFrom('O', 'B-A', 'I-A', 'B-B', 'I-B');
    fc.assert(
      fc.property(fc.array(label, { maxLength: 12 }), labels => {
        const [place, type] = [labels.map(one => one[0]), labels.map(one => one[2])];
        const wanted: string[] = [];
        for (let from = 0; from < labels.length; from++) {
          const begins =
            place[from] === 'B' ||
            (place[from] === 'I' &&
              (from === 0 || place[from - 1] === 'O' || type[from - 1] !== type[from]));
          if (!begins) continue;
          let to = from;
          while (place[to + 1] === 'I' && type[to + 1] === type[from]) to++;
          wanted.push(`${from}-${to} ${type[from]}`);
        }
        assert.deepEqual(read(...labels), wanted);
      }),
    );
  });
});

describe('words', () => {
  const cut = (text: string): string[] => {
    // A token for each character that is no blank.
    const starts = [...text].flatMap((one, at) => (one.trim() === '' ? [] : [at]));
    const placed = { ids: starts, starts, ends: starts.map(at => at + 1) };
    return labelledWords(text, placed).map(({ start, end, token }) => {
      assert.equal(starts[token], start, text);
      return text.slice(start, end);
    });
  };

  test('hold single marks, but not those around them, nor the ’s behind', () => {
    const text = 'Jean-Pierre’s U.N. envoy (O\'Neil) met "R&D"... 3.5 東京!';
    const words = 'Jean-Pierre ’s U.N . envoy ( O\'Neil ) met " R&D " . . . 3.5 東 京 !';
    assert.deepEqual(cut(text), words.split(' '));
    assert.deepEqual(cut("it's John's's end"), ['it', "'s", 'John', "'s", "'s", 'end']);
    assert.deepEqual(cut(''), []);
  });

  test('a token of several words belongs to each of them', () => {
    const placed = { ids: [1, 2], starts: [0, 6], ends: [5, 9] };
    assert.deepEqual(
      labelledWords('a (b) end', placed).map(({ token }) => token),
      [0, 0, 0, 0, 1],
    );
  });

  test('words are in order, apart, and hold all characters that tokens cover', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 's', "'", '-', ' ', '.', '東', 'é') }),
        text => {
          assert.equal(cut(text).join(''), text.replaceAll(' ', ''));
        },
      ),
    );
  });
});

test('an unknown model is refused by name, before the library is loaded', async () => {
  const load = (): never => assert.fail('loaded');
  const options = { env: { MULTIHOP_MODELS: '/nowhere' }, load };
  await assert.rejects(resolveModel('entity-recogniser', 'no-such', options), {
    code: 'unknown-entity-recogniser',
    message: /a folder in MULTIHOP_MODELS/,
  });
  await assert.rejects(resolveModel('entity-recogniser', 'hub:nonsense', options), {
    code: 'bad-model',
  });
  await assert.rejects(resolveModel('entity-recogniser', 'bge-small-en-v1.5', options), {
    message: /an embedder/,
  });
});
