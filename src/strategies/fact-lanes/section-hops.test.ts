/** Tests the order in which sections are handed over: best first, projects in turn. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { analysisOf } from '../../core/corpus/analysis-cache.ts';
import type { Block, Document } from '../../core/corpus/document.ts';
import { freeCall } from '../../core/trace/call.ts';
import { TextReader } from '../../models/fact-ranker/text-words.ts';
import { DEFAULT_CHUNKER, EmbeddedEngine } from '../../search/embedded-engine.ts';
import { mulberry32 } from '../../search/indexes/mulberry32.ts';
import { searchAll } from '../../search/retriever.ts';
import { retrievers } from '../../search/retrievers.ts';
import { DEFAULT_TEMPLATE } from '../../search/text-templates.ts';
import type { Kit } from '../strategy.ts';
import type { Option } from './keep.ts';
import { LaneSearches } from './search.ts';
import { SectionHops } from './section-hops.ts';
import { readSections, type Section, scoreSections } from './sections.ts';
import type { LanesView } from './view.ts';

const WORDS = ['page', 'pages', 'cache', 'cached', 'caching', 'merged', 'lamp', 'size', 'default'];

/** Manuals of two projects, with drawn words under drawn headings. */
function drawn(seed: number): Document[] {
  const random = mulberry32(seed);
  const word = () => WORDS[Math.floor(random() * WORDS.length)]!;
  return ['kestrel', 'heron', 'tern'].map(project => {
    let text = '';
    const outline: Block[] = [];
    for (let section = 0; section < 5; section++)
      for (const kind of ['heading', 'prose'] as const) {
        outline.push({ start: text.length, heading: [`${word()} ${section}`], kind });
        text += `${Array.from({ length: kind === 'prose' ? 6 : 1 }, word).join(' ')}.\n\n`;
      }
    const id = `${project}/docs/manual.md`;
    return { ...{ id, title: '', text: text.trimEnd(), metadata: {}, outline } };
  });
}

interface Hopped {
  readonly options: readonly Option[];
  readonly hops: SectionHops;
  /** All sections found, and their scores for a question. */
  readonly all: readonly Section[];
  score(sections: readonly Section[], question: string): number[];
}

async function hopped(question: string, seed: number): Promise<Hopped> {
  const documents = drawn(seed);
  const engine = new EmbeddedEngine({
    ...{ documents, chunker: DEFAULT_CHUNKER, template: DEFAULT_TEMPLATE },
  }).current;
  const retriever = retrievers.create('lexical').bind(engine);
  const call = freeCall();
  const searches = new LaneSearches(1);
  for (const found of await searchAll(retriever, [{ text: question }], 30, call, {
    unit: 'sentence',
  }))
    searches.addWords(0, found);
  searches.endHop();
  const { vocabulary } = new TextReader(analysisOf(engine));
  const view = { lanes: [question], found: searches.found, vocabulary } as unknown as LanesView;
  const hops = new SectionHops({ engine } as unknown as Kit, call);
  assert.equal(hops.begun, false);
  await hops.search(searches, view, retriever);
  assert.equal(hops.begun, true);
  while (hops.next.length > 0) await hops.search(searches, view, retriever);
  return {
    options: await hops.options(searches, view),
    hops,
    all: await readSections(searches.passages.all, engine, call),
    score: (sections, asked) =>
      scoreSections(sections, {
        ...{ question: asked, asked: searches.documents[0]!, vocabulary },
        analysis: analysisOf(engine),
      }),
  };
}

const SEEDS = Array.from({ length: 12 }, (_, seed) => seed);
const idsOf = (options: readonly Option[]): string[] => options.map(({ item }) => item.id);

describe('sections', () => {
  test('come best first, equal ones as they were found', async () => {
    let moved = 0;
    for (const seed of SEEDS) {
      const question = 'Which page is cached?';
      const { options, hops, all, score } = await hopped(question, seed);
      assert.deepEqual([hops.next, hops.compares], [[], false]);
      const scores = score(all, question);
      const sorted = [...all.keys()].sort((a, b) => scores[b]! - scores[a]! || a - b);
      assert.deepEqual(
        idsOf(options),
        sorted.map(at => all[at]!.passage.id),
      );
      assert.deepEqual(
        options.map(({ score: own, item }) => [own, item.score]),
        sorted.map(at => [scores[at], scores[at]]),
      );
      if (sorted.some((at, place) => at !== place)) moved++;
    }
    assert.ok(moved > 0, 'the test would show nothing otherwise');
  });

  test('of projects that a question compares take turns', async () => {
    for (const seed of SEEDS) {
      const question = 'Which page is cached, in Kestrel and in Heron?';
      const { options, hops } = await hopped(question, seed);
      assert.equal(hops.compares, true);
      const projects = idsOf(options).map(id => id.split('/')[0]!);
      const pair = projects.slice(0, 2);
      assert.deepEqual(pair.toSorted(), ['heron', 'kestrel']);
      const turns = Math.min(...['kestrel', 'heron'].map(one => count(projects, one)));
      for (let turn = 0; turn < turns; turn++)
        assert.deepEqual(projects.slice(2 * turn, 2 * turn + 2), pair);
      // Scores never rise, so that what is taken first stays first.
      const scores = options.map(({ score }) => score);
      assert.deepEqual(
        scores,
        scores.toSorted((a, b) => b - a),
      );
    }
  });
});

const count = (list: readonly string[], one: string): number =>
  list.filter(other => other === one).length;
