/**
 * Packing: never above the tokens, a lane's best first, repeats and crowds refused by name, and the
 * greedy choice of a slow reading.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Context } from '../../context/context.ts';
import { Selection } from '../../context/selection.ts';
import { defaultsOf } from '../../core/naming/family.ts';
import { countWords } from '../../core/text/words.ts';
import { freeCall } from '../../core/trace/call.ts';
import { contentStems } from '../../language/english/words/stems.ts';
import type { RankerWeights } from '../../models/fact-ranker/fact-ranker.ts';
import { TextWords, Vocabulary } from '../../models/fact-ranker/text-words.ts';
import { LanePacking, type Option } from './keep.ts';
import { FACT_LANES_PARAMETERS, type FactLanesSettings } from './settings.ts';

const vocabulary = new Vocabulary();

/** A candidate sentence. */
interface Sentence {
  readonly id: string;
  readonly document: string;
  readonly text: string;
  readonly score: number;
  readonly lane?: number;
  readonly source?: string;
  readonly header?: string;
}

const option = ({
  id,
  document,
  text,
  score,
  lane = 1,
  source = '',
  header = '',
}: Sentence): Option => ({
  item: { id, documentId: document, search: { hop: 0, search: 0 }, score },
  lane,
  source,
  score,
  text: new TextWords(text, vocabulary),
  header: new TextWords(header, vocabulary),
});

const DEFAULTS = defaultsOf(FACT_LANES_PARAMETERS);
const FREE: RankerWeights['packing'] = { lane: 0, source: 0, price: 0 };

/** A text costs its words, and its document's header once. */
function pricing(sentences: readonly Sentence[]): Context {
  const byId = new Map(sentences.map(sentence => [sentence.id, sentence]));
  return {
    name: 'priced',
    cost: async (next, soFar) => {
      const { text, document, header = '' } = byId.get(next.id)!;
      return (
        countWords(text) +
        (soFar.some(({ documentId }) => documentId === document) ? 0 : countWords(header))
      );
    },
    build: async () => assert.fail('nothing is built here'),
  };
}

interface Packed {
  readonly kept: string[];
  readonly rejected: string[];
  readonly tokens: number;
}

interface Given {
  readonly settings?: Partial<FactLanesSettings>;
  readonly weights?: RankerWeights['packing'];
  readonly fillLanes?: boolean;
}

async function pack(
  sentences: readonly Sentence[],
  { settings = {}, weights = FREE, fillLanes = true }: Given = {},
): Promise<Packed> {
  const selection = new Selection(pricing(sentences), freeCall());
  const packing = new LanePacking(selection, { ...DEFAULTS, ...settings }, weights);
  const options = sentences.map(option).sort((a, b) => b.score - a.score);
  if (fillLanes) await packing.fillLanes(options);
  await packing.fill(options);
  return {
    kept: selection.all.map(({ id }) => id),
    rejected: packing.rejected.map(({ id, why }) => `${id} ${why}`),
    tokens: selection.tokens,
  };
}

/** Texts that share no word. */
const apart = (at: number, words = 5): string =>
  Array.from({ length: words }, (_, word) => `w${at}x${word}`).join(' ');
const sentence = (id: string, score: number, rest: Partial<Sentence> = {}): Sentence => ({
  id,
  document: id,
  text: apart(id.charCodeAt(0)),
  score,
  ...rest,
});

describe('hand-worked cases', () => {
  test('keeps the best of each lane before a second of any', async () => {
    const sentences = [
      sentence('a', 9),
      sentence('b', 8),
      sentence('c', 7),
      sentence('d', 1, { lane: 2 }),
      sentence('e', 2, { lane: 3 }),
    ];
    assert.deepEqual((await pack(sentences, { settings: { tokens: 15 } })).kept, ['a', 'e', 'd']);
    assert.deepEqual((await pack(sentences, { settings: { tokens: 15 }, fillLanes: false })).kept, [
      'a',
      'b',
      'c',
    ]);
  });

  test('prices by the logarithm of the words, the header once a document', async () => {
    const long = sentence('a', 3, { text: apart(1, 20) });
    const short = sentence('b', 2.8, { text: apart(2, 2) });
    const weights = { lane: 0, source: 0, price: 1 };
    // 3 - ln 20 = 0.004 against 2.8 - ln 2 = 2.1.
    assert.deepEqual((await pack([long, short], { weights, fillLanes: false })).kept, ['b', 'a']);
    assert.deepEqual(
      (await pack([long, short], { weights, fillLanes: false, settings: { unit: 'document' } }))
        .kept,
      ['a', 'b'],
    );
    const header = apart(9, 30);
    const sentences = [
      sentence('a', 3, { document: 'x', header }),
      sentence('b', 1, { document: 'x', header }),
      sentence('c', 2, { document: 'y', header }),
    ];
    // 1 - ln 5 = -0.6 against 2 - ln 35 = -1.6: the second of a document that is there is cheap.
    assert.deepEqual((await pack(sentences, { weights, fillLanes: false })).kept, ['a', 'b', 'c']);
  });

  test('rejects near-duplicates of another document only', async () => {
    const text = 'lighthouse harrow point sold friday';
    const sentences = [
      sentence('a', 3, { text }),
      sentence('b', 2, { text: `${text} crowns` }),
      sentence('c', 1, { text, document: 'a' }),
    ];
    // Five of six words in common.
    const { kept, rejected } = await pack(sentences);
    assert.deepEqual([kept, rejected], [['a', 'c'], ['b near-duplicate']]);
    assert.deepEqual((await pack(sentences, { settings: { duplicates: 0.9 } })).rejected, []);
  });

  test('respects the limit a document', async () => {
    const sentences = [
      sentence('a', 3, { document: 'x' }),
      sentence('b', 2, { document: 'x' }),
      sentence('c', 1),
    ];
    const { kept, rejected } = await pack(sentences, {
      settings: { 'per-document': 1, tokens: 10 },
    });
    assert.deepEqual([kept, rejected], [['a', 'c'], ['b budget']]);
    // It gets the tokens that the others leave over.
    assert.deepEqual(
      (await pack(sentences, { settings: { 'per-document': 1, tokens: 15 } })).kept,
      ['a', 'c', 'b'],
    );
  });

  test('each refused repeat, or sentence above the limit, admits one more to the shortlist', async () => {
    // 80 candidates are weighed at once; here all but the first are refused, and one more stands
    // behind them.
    const same = apart(1);
    const sentences = (refused: (at: number) => Partial<Sentence>): Sentence[] => [
      sentence('first', 1000, { document: 'a', text: same }),
      ...Array.from({ length: 90 }, (_, at) => sentence(`r${at}`, 500 - at, refused(at))),
      sentence('last', 1, { document: 'z', text: apart(7) }),
    ];
    const settings = { tokens: 60, 'per-document': 1 };
    const repeats = sentences(() => ({ text: same }));
    assert.deepEqual((await pack(repeats, { settings })).kept, ['first', 'last']);
    const crowd = sentences(at => ({ document: 'a', text: apart(100 + at, 20) }));
    const packed = await pack(crowd, { settings });
    assert.equal(packed.kept[0], 'first');
    assert.ok(packed.kept.includes('last'), packed.kept.join());
    // Sentences without room admit nothing: candidates behind the shortlist are never tried.
    const long = sentences(() => ({ text: apart(9, 70) }));
    assert.deepEqual((await pack(long, { settings })).kept, ['first']);
  });
});

/** The rules again, slowly: everything is looked at anew for each choice. */
function slowly(
  sentences: readonly Sentence[],
  settings: FactLanesSettings,
  weights: RankerWeights['packing'],
  fillLanes: boolean,
): string[] {
  const kept: Sentence[] = [];
  const cost = (sentence: Sentence): number =>
    countWords(sentence.text) +
    (kept.some(({ document }) => document === sentence.document)
      ? 0
      : countWords(sentence.header ?? ''));
  const tokens = (): number => {
    const documents = new Map(
      kept.map(({ document, header = '' }) => [document, countWords(header)]),
    );
    return (
      kept.reduce((sum, { text }) => sum + countWords(text), 0) +
      [...documents.values()].reduce((sum, words) => sum + words, 0)
    );
  };
  const alike = (a: Sentence, b: Sentence): number => {
    const [x, y] = [contentStems(a.text), contentStems(b.text)];
    const union = new Set([...x, ...y]);
    return x.size === 0 ? 0 : (x.size + y.size - union.size) / union.size;
  };
  const crowded = (sentence: Sentence): boolean =>
    kept.filter(({ document }) => document === sentence.document).length >=
    settings['per-document'];
  const allowed = (sentence: Sentence, cap = true): boolean =>
    !(cap && crowded(sentence)) &&
    !kept.some(
      other =>
        other.document !== sentence.document && alike(sentence, other) >= settings.duplicates,
    ) &&
    tokens() + cost(sentence) <= settings.tokens;
  const ordered = [...sentences].sort((a, b) => b.score - a.score);
  if (fillLanes)
    for (const lane of new Set(ordered.map(sentence => sentence.lane))) {
      const ofLane = ordered.filter(one => one.lane === lane).slice(0, 3);
      const best = ofLane.find(each => allowed(each));
      if (best) kept.push(best);
    }
  const capped: Sentence[] = [];
  fill(
    ordered.filter(sentence => !kept.includes(sentence)),
    true,
  );
  fill(capped, false);
  return kept.map(({ id }) => id);

  function fill(left: Sentence[], cap: boolean): void {
    while (left.length > 0) {
      const values = left.map(
        sentence =>
          sentence.score -
          weights.lane * kept.filter(({ lane }) => lane === sentence.lane).length -
          weights.source *
            (sentence.source === ''
              ? 0
              : kept.filter(({ source }) => source === sentence.source).length) -
          weights.price * Math.log(cost(sentence)),
      );
      const [next] = left.splice(values.indexOf(Math.max(...values)), 1);
      if (allowed(next!, cap)) kept.push(next!);
      else if (cap && crowded(next!)) capped.push(next!);
    }
  }
}

test('equals a slow selection, stays within the tokens, and rejects each candidate once', async () => {
  const words = fc.constantFrom('lamp', 'rope', 'glass', 'boat', 'fair', 'smoke', 'prism', 'crown');
  const sentences = fc
    .array(
      fc.record({
        text: fc.array(words, { minLength: 1, maxLength: 9 }).map(some => some.join(' ')),
        document: fc.constantFrom('x', 'y', 'z', 'u'),
        lane: fc.constantFrom(1, 2, 3),
        score: fc.double({ min: -9, max: 9, noNaN: true }),
      }),
      { maxLength: 14 },
    )
    .map(some =>
      some.map((sentence, at): Sentence => {
        // A document has one source and one header. Scores that differ: no tie for the order of a
        // list to settle.
        const source =
          sentence.document === 'u' ? '' : sentence.document === 'z' ? 'x' : sentence.document;
        return {
          ...sentence,
          source,
          id: `${at}`,
          header: `${sentence.document} of ${sentence.document}`,
          score: sentence.score + at * 1e-3,
        };
      }),
    );
  const rules = fc.record({
    tokens: fc.integer({ min: 1, max: 60 }),
    'per-document': fc.integer({ min: 1, max: 4 }),
    fillLanes: fc.boolean(),
    duplicates: fc.constantFrom(0, 0.5, 0.8, 1, 1.01),
    weights: fc.record({
      lane: fc.constantFrom(0, 0.21, 3),
      source: fc.constantFrom(0, 0.37, 3),
      price: fc.constantFrom(0, 0.5, 2),
    }),
  });
  await fc.assert(
    fc.asyncProperty(sentences, rules, async (some, { weights, fillLanes, ...settings }) => {
      const { kept, rejected, tokens } = await pack(some, { settings, weights, fillLanes });
      // Duplicates of 0 mean that whatever has content words repeats whatever another document has.
      assert.deepEqual(kept, slowly(some, { ...DEFAULTS, ...settings }, weights, fillLanes));
      assert.ok(tokens <= settings.tokens);
      const refused = rejected.map(line => line.split(' ')[0]!);
      assert.equal(new Set(refused).size, refused.length, `refused twice: ${rejected}`);
      for (const id of refused) assert.ok(!kept.includes(id), `${id} is kept and refused`);
      assert.equal(kept.length + refused.length, some.length);
    }),
    { numRuns: 400 },
  );
});
