/**
 * Tests longrag-units: grouping and likeness against slow oracles, hand-worked runs, the two calls
 * of its reader, and any reply.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Document } from '../../core/corpus/document.ts';
import type { Trace } from '../../core/trace/trace.ts';
import { contentStems } from '../../language/english/words/stems.ts';
import { promptTokens } from '../../models/prompt-tokens.ts';
import type { Paragraph } from '../../planning/paragraphs.ts';
import type { AskOptions } from '../../run/ask.ts';
import { EmbeddedEngine } from '../../search/embedded-engine.ts';
import { type ScriptedModel, scriptedModel } from '../../testing/scripted-model.ts';
import { documentOf as doc, traceOf } from '../../testing/strategy-run.ts';
import { type Groupable, groupDocuments, linksOfAlike } from './grouping.ts';
import { longAnswerPrompt, readLongAnswer, readShortAnswer } from './reader.ts';

const groupable = (id: string, tokens: number, ...links: string[]): Groupable => ({
  id,
  tokens,
  links: new Set(links),
});

describe('grouping', () => {
  test('by hand: fewest links first, the smallest linked unit first, until one does not fit', () => {
    // c has one link and is placed before a and b, which have two.
    const chain = [
      groupable('a', 40, 'b', 'c'),
      groupable('b', 50, 'a', 'd'),
      groupable('c', 30, 'a'),
      groupable('d', 20, 'b'),
    ];
    assert.deepEqual(groupDocuments(chain, 1000), [['b', 'd', 'a', 'c']]);
    // a joins c (70); b joins d (20), and {a, c} does not fit any more.
    assert.deepEqual(groupDocuments(chain, 100), [
      ['a', 'c'],
      ['b', 'd'],
    ]);
    // Stops at the first that does not fit: {y} (60) is not tried after {x} (30) fails.
    const stop = [groupable('x', 30), groupable('y', 60), groupable('z', 80, 'x', 'y')];
    assert.deepEqual(groupDocuments(stop, 100), [['x'], ['y'], ['z']]);
    assert.deepEqual(groupDocuments([groupable('long', 500)], 100), [['long']]);
    assert.deepEqual(groupDocuments([], 100), []);
  });

  const documents = fc
    .uniqueArray(fc.constantFrom(...'abcdefghij'), { maxLength: 10 })
    .chain(ids =>
      fc.tuple(
        ...ids.map(id =>
          fc
            .tuple(
              fc.integer({ min: 0, max: 60 }),
              fc.uniqueArray(fc.constantFrom(...'abcdefghijk'), { maxLength: 5 }),
            )
            .map(([tokens, links]) => groupable(id, tokens, ...links.filter(to => to !== id))),
        ),
      ),
    );

  test('agrees with a slow oracle; every document is in one unit; the order given is no matter', () => {
    fc.assert(
      fc.property(documents, fc.integer({ min: 1, max: 150 }), (list, size) => {
        const units = groupDocuments(list, size);
        const tokens = new Map(list.map(each => [each.id, each.tokens]));
        // The oracle holds units as plain lists and looks at all of them for each document.
        let slow: string[][] = [];
        const sum = (unit: readonly string[]): number =>
          unit.reduce((total, id) => total + tokens.get(id)!, 0);
        for (const { id, links } of [...list].sort(
          (a, b) => a.links.size - b.links.size || a.id.localeCompare(b.id),
        )) {
          const open = [id];
          const candidates = slow
            .filter(unit => unit.some(member => links.has(member)))
            .sort((a, b) => sum(a) - sum(b));
          for (const other of candidates) {
            if (sum(open) + sum(other) > size) break;
            open.push(...other);
            slow = slow.filter(unit => unit !== other);
          }
          slow.push(open);
        }
        assert.deepEqual(units, slow);
        assert.deepEqual(units.flat().sort(), list.map(({ id }) => id).sort());
        for (const unit of units) assert.ok(unit.length === 1 || sum(unit) <= size);
        assert.deepEqual(groupDocuments([...list].reverse(), size), units);
      }),
    );
  });
});

describe('likeness', () => {
  const word = fc.constantFrom('lamp', 'glass', 'river', 'ferry', 'the', 'stone');
  const text = fc.array(word, { maxLength: 8 }).map(words => words.join(' '));
  const day = fc.constantFrom('', '2024-01-01', '2024-01-10', '2024-03-01');

  test('agrees with a slow oracle, is symmetric, and keeps to neighbours, cosine and days', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ text, day }), { maxLength: 7 }),
        fc.integer({ min: 1, max: 3 }),
        fc.constantFrom(0, 0.2, 0.6),
        (list, neighbours, cosine) => {
          const documents = list.map((each, at) => ({ id: `d${at}`, ...each }));
          const links = linksOfAlike(documents, { neighbours, cosine, days: 14 });
          const cos = (a: string, b: string): number => {
            const all = [...new Set(documents.flatMap(each => [...contentStems(each.text)]))];
            const vector = (of: string): number[] =>
              all.map(stem => {
                const tf = of.split(' ').filter(each => contentStems(each).has(stem)).length;
                const df = documents.filter(each => contentStems(each.text).has(stem)).length;
                return tf === 0 ? 0 : (1 + Math.log(tf)) * Math.log(documents.length / df);
              });
            const dot = (x: number[], y: number[]): number =>
              x.reduce((total, value, at) => total + value * y[at]!, 0);
            const [x, y] = [vector(a), vector(b)];
            const norm = Math.sqrt(dot(x, x) * dot(y, y));
            return norm === 0 ? 0 : dot(x, y) / norm;
          };
          for (const document of documents) {
            const linked = links.get(document.id)!;
            assert.ok(!linked.has(document.id));
            for (const to of linked) {
              const other = documents.find(({ id }) => id === to)!;
              assert.ok(links.get(to)!.has(document.id));
              assert.ok(cos(document.text, other.text) > Math.max(cosine - 1e-9, 0));
              const days = [document.day, other.day].map(each => Date.parse(each) / 86_400_000);
              assert.ok(days.some(Number.isNaN) || Math.abs(days[0]! - days[1]!) <= 14);
            }
            const near = documents.filter(
              other =>
                other.id !== document.id &&
                cos(document.text, other.text) > cosine + 1e-9 &&
                (document.day === '' ||
                  other.day === '' ||
                  Math.abs(Date.parse(document.day) - Date.parse(other.day)) <= 14 * 86_400_000),
            );
            assert.ok(linked.size >= Math.min(neighbours, near.length));
            const least = Math.min(
              ...near.filter(({ id }) => linked.has(id)).map(o => cos(document.text, o.text)),
            );
            const best = near.map(other => cos(document.text, other.text)).sort((a, b) => b - a);
            // The best neighbours are always linked.
            for (const other of near)
              if (cos(document.text, other.text) > (best[neighbours] ?? 0) + 1e-9)
                assert.ok(linked.has(other.id), `${document.id} ${other.id} ${least}`);
          }
        },
      ),
    );
  });
});

const WORLD: readonly Document[] = [
  doc('works', 'Quill Works', 'The Quill Works of Tarn was founded by Ines Quill.'),
  doc('ines', 'Ines Quill', 'Ines Quill of the Quill Works ground lenses for Osk Maren.'),
  doc('maren', 'Osk Maren', 'Osk Maren ground lenses in Vell.'),
  doc('vell', 'Vell', 'Vell is a town on the river Orr.'),
  doc('tram', 'Tram', 'The tram of Tarn runs past the ferry.'),
  doc('ferry', 'Ferry', 'The ferry of Tarn does not run on Sunday.'),
];
/** The document found first has a link to the one found last. */
const LINKED: readonly Document[] = WORLD.map(document =>
  document.id === 'works'
    ? { ...document, outline: [{ start: 0, heading: [], links: ['ferry'] }] }
    : document,
);
const QUESTION = 'Who founded the Quill Works of Tarn?';

async function ask(
  strategy: string,
  more: Partial<AskOptions> = {},
  documents = WORLD,
): Promise<Trace> {
  const engine = new EmbeddedEngine({ documents });
  const options = { engine, strategy, reader: 'evidence-only', context: 'whole', ...more };
  return traceOf(QUESTION, options);
}
const unitsIn = ({ hops }: Trace): string[][] =>
  JSON.parse(hops[0]!.outputs!.find(({ role }) => role === 'units')!.text);
const kept = ({ evidence }: Trace): string[] => evidence.map(({ documentId }) => documentId);
const twoCalls = (long: string, short: string): ScriptedModel =>
  scriptedModel(({ role }) => (role === 'longAnswer' ? long : short));

describe('a run', () => {
  test('keeps the documents of the best units whole, the unit of the best document first', async () => {
    const trace = await ask('longrag-units(units=1, cosine=0.05)', { retriever: 'lexical' });
    const [unit] = unitsIn(trace);
    const hits = trace.hops[0]!.searches[0]!.hits.map(({ id }) => id);
    assert.equal(unit![0], hits[0]);
    assert.deepEqual(kept(trace), unit);
    assert.ok(unit!.includes('works') && unit!.includes('ines') && unit!.length > 1);
    assert.ok(trace.evidence.every(({ spans }) => spans[0]![0] === 0));
    assert.deepEqual(trace.ranking.slice(0, unit!.length), unit);
  });

  test('orders evidence by document, or unit by unit', async () => {
    const retriever = 'lexical';
    const byScore = await ask('longrag-units(units=3)', { retriever }, LINKED);
    const byUnit = await ask('longrag-units(units=3, order=unit)', { retriever }, LINKED);
    assert.deepEqual(unitsIn(byUnit), unitsIn(byScore));
    assert.deepEqual(kept(byUnit), unitsIn(byUnit).flat());
    const hits = byScore.hops[0]!.searches[0]!.hits.map(({ id }) => id);
    assert.deepEqual(
      kept(byScore),
      hits.filter(id => kept(byUnit).includes(id)),
    );
    assert.notDeepEqual(kept(byScore), kept(byUnit));
  });

  test('drops the last units that do not fit, and never the first', async () => {
    const trace = await ask('longrag-units(units=4, size=1, tokens=25)', { retriever: 'lexical' });
    assert.deepEqual(
      unitsIn(trace).map(unit => unit.length),
      [1, 1],
    );
    assert.ok(trace.hops[0]!.rejected.every(({ why }) => why === 'cap'));
    const single = await ask('longrag-units(units=4, tokens=1)', { retriever: 'lexical' });
    assert.equal(unitsIn(single).length, 1);
  });

  test('follows links that documents state, if there are any', async () => {
    for (const links of ['any', 'stated']) {
      const trace = await ask(
        `longrag-units(units=1, links=${links})`,
        { retriever: 'lexical' },
        LINKED,
      );
      assert.deepEqual(kept(trace).sort(), ['ferry', 'works'], links);
    }
    const none = await ask('longrag-units(units=1, links=stated)', { retriever: 'lexical' });
    assert.equal(kept(none).length, 1);
  });

  test('leaves unreadable and unsupported answers to the reader; believes "insufficient"', async () => {
    for (const [long, short, kind] of [
      ['', '{"answer": "Ines Quill"}', 'evidence'],
      ['Ines Quill founded it.', 'who knows', 'evidence'],
      ['Zed founded it.', '{"answer": "Zed"}', 'evidence'],
      ['Insufficient information.', '{"answer": "Ines Quill"}', 'abstained'],
      ['Ines Quill founded it.', '{"answer": null}', 'abstained'],
      ['Ines Quill founded it.', 'Answer: Ines Quill.', 'answered'],
    ] as const) {
      const trace = await ask('longrag-units', { resources: { model: twoCalls(long, short) } });
      assert.equal(trace.answer.kind, kind, `${long} / ${short}`);
    }
  });

  test('says what is missing without a model', async () => {
    const degradedIn = ({ hops }: Trace): string[] =>
      hops[0]!.outputs!.filter(({ role }) => role === 'degraded').map(({ text }) => text);
    assert.equal(degradedIn(await ask('longrag-units')).length, 1);
    assert.equal(degradedIn(await ask('longrag-units(answer=reader)')).length, 0);
  });
});

describe('the reader', () => {
  const paragraph = (id: string, words: number): Paragraph => ({
    id,
    documentId: id,
    title: id,
    about: '',
    start: 0,
    end: words,
    text: 'word '.repeat(words),
  });

  test('drops units from the last until the prompt fits, then shortens the first', () => {
    const units = [[paragraph('a', 200), paragraph('b', 200)], [paragraph('c', 400)]];
    const shown = (atMost: number): string[] => {
      const prompt = longAnswerPrompt('Why?', units, atMost);
      assert.ok(promptTokens(prompt) <= atMost, String(atMost));
      return [...prompt.messages[1]!.text.matchAll(/^<<passage \d+>> (.*)$/gm)].map(m => m[1]!);
    };
    assert.deepEqual(shown(10_000), ['a', 'b', 'c']);
    assert.deepEqual(shown(1300), ['a', 'b']);
    assert.deepEqual(shown(900), ['a', 'b']);
    assert.deepEqual(shown(270), ['a']);
    assert.deepEqual(longAnswerPrompt('Why?', [], 100).role, 'longAnswer');
  });

  test('reads any reply without exceptions', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '"answer":',
      '"Vell"',
      'Answer: ',
      '\n',
      '<think>',
      '</think>',
      '\ud800',
      'null',
      '[',
    );
    const reply = fc
      .array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 12 })
      .map(parts => parts.join(''));
    fc.assert(
      fc.property(reply, fc.constantFrom('stop', 'length', 'filtered'), (text, finish) => {
        for (const read of [readLongAnswer, readShortAnswer]) {
          const said = read({ text, finish });
          assert.ok(said === undefined || said.trim() !== '');
          if (finish === 'filtered') assert.equal(said, undefined);
        }
      }),
    );
    const huge = 'answer: '.repeat(200_000);
    assert.ok(readLongAnswer({ text: huge, finish: 'stop' })!.length <= 1250);
    assert.equal(readShortAnswer({ text: 'Answer: Vell.\nNext', finish: 'stop' }), 'Vell');
    assert.equal(readShortAnswer({ text: 'So {"answer": 7}', finish: 'stop' }), '7');
    assert.equal(readShortAnswer({ text: '<think>answer: no', finish: 'stop' }), undefined);
  });
});
