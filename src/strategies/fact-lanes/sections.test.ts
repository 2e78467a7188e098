/** Tests the order in which sections are handed over: best first, two things in turn. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { contexts } from '../../context/contexts.ts';
import { analysisOf } from '../../core/corpus/analysis-cache.ts';
import type { Block, Document } from '../../core/corpus/document.ts';
import { mulberry32 } from '../../core/mulberry32.ts';
import { defaultsOf } from '../../core/naming/family.ts';
import { freeCall } from '../../core/trace/call.ts';
import type { Reranker } from '../../models/reranker.ts';
import { DEFAULT_CHUNKER, EmbeddedEngine } from '../../search/embedded-engine.ts';
import { retrievers } from '../../search/retrievers.ts';
import { DEFAULT_TEMPLATE } from '../../search/vectors/text-templates.ts';
import type { Kit, OpenHop } from '../strategy.ts';
import type { Option } from './keep.ts';
import { type Choice, LanesRun } from './run.ts';
import { readSections, type Section, scoreSections } from './section-rank.ts';
import { keepSections } from './sections.ts';
import { FACT_LANES_PARAMETERS } from './settings.ts';

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
    return { id, title: '', text: text.trimEnd(), metadata: {}, outline };
  });
}

interface Hopped {
  /** The options of the last hop, and its rules of choice. */
  readonly options: readonly Option[];
  readonly choice: Choice;
  readonly hops: readonly OpenHop[];
  /** All sections found, and their scores for a question. */
  readonly all: readonly Section[];
  score(sections: readonly Section[], question: string): number[];
}

async function hopped(
  question: string,
  seed: number,
  { reranker, candidates = 100 }: { reranker?: Reranker; candidates?: number } = {},
): Promise<Hopped> {
  const documents = drawn(seed);
  const { current: engine } = new EmbeddedEngine({
    documents,
    chunker: DEFAULT_CHUNKER,
    template: DEFAULT_TEMPLATE,
  });
  const call = freeCall();
  const context = contexts.create('whole').bind(engine, call, { id: 'q', text: question });
  const retriever = retrievers.create('lexical').bind(engine);
  const kit = { engine, retriever, context, resource: () => reranker } as unknown as Kit;
  const named = { reranker: { name: reranker?.id ?? 'none', args: [] }, candidates };
  const settings = { ...defaultsOf(FACT_LANES_PARAMETERS), ...named };
  const run = await LanesRun.begin(question, { kit, call, settings, learning: {} });
  let chosen: Pick<Hopped, 'options' | 'choice'> | undefined;
  const hop = run.hop.bind(run);
  run.hop = (options, choice, reason) => {
    chosen = { options, choice };
    return hop(options, choice, reason);
  };
  const view = await run.view();
  const hops: OpenHop[] = [];
  for await (const made of keepSections(run, view)) hops.push(made);
  const analysis = analysisOf(engine);
  return {
    ...chosen!,
    hops,
    all: await readSections(run.searches.passages.all, engine, call),
    score: (sections, asked) =>
      scoreSections(sections, {
        question: asked,
        language: 'en',
        asked: run.searches.documents[0]!,
        analysis,
        vocabulary: view.vocabulary,
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
      const { options, choice, hops, all, score } = await hopped(question, seed);
      assert.deepEqual([hops.length, choice.groupOf], [2, undefined]);
      const { searches, reason } = hops[1]!;
      assert.deepEqual(
        [reason, ...searches.map(({ text, unit }) => `${unit}: ${text}`)],
        ['sections', `passage: ${question}`, 'passage: page cached'],
      );
      const scores = score(all, question);
      const sorted = [...all.keys()].sort((a, b) => scores[b]! - scores[a]! || a - b);
      assert.deepEqual(
        idsOf(options),
        sorted.map(at => all[at]!.passage.id),
      );
      assert.deepEqual(
        options.map(({ score, item }) => [score, item.score]),
        sorted.map(at => [scores[at], scores[at]]),
      );
      if (sorted.some((at, place) => at !== place)) moved++;
    }
    assert.ok(moved > 0, 'the test would show nothing otherwise');
  });

  test('of two things that a question joins take turns', async () => {
    for (const seed of SEEDS) {
      const question = 'Which page is cached, in Kestrel and in Heron?';
      const { options, hops } = await hopped(question, seed);
      assert.equal(
        hops.at(-1)!.reason,
        'Which page is cached, in Kestrel and in  ?; Which page is cached, in   and in Heron?',
      );
      const first = idsOf(options).map(id => id.split('/')[0]!);
      assert.deepEqual(first.slice(0, 2), ['kestrel', 'heron']);
      // Scores fall, so that what is taken first stays first.
      const scores = options.map(({ score }) => score);
      assert.deepEqual(
        scores,
        scores.toSorted((a, b) => b - a),
      );
    }
  });

  test('are in the order of a reranker, as many as it may read, and the others behind them', async () => {
    // The longest text scores best.
    const reranker: Reranker = {
      id: 'length',
      score: async (_, texts) => Float32Array.from(texts, text => text.length),
    };
    for (const candidates of [1, 3, 100]) {
      const question = 'Which page is cached?';
      const plain = await hopped(question, 3);
      const { options } = await hopped(question, 3, { reranker, candidates });
      const read = idsOf(plain.options).slice(0, candidates);
      assert.deepEqual(new Set(idsOf(options).slice(0, candidates)), new Set(read));
      assert.deepEqual(idsOf(options).slice(candidates), idsOf(plain.options).slice(candidates));
      const scores = options.map(({ score }) => score);
      assert.deepEqual(
        scores,
        scores.toSorted((a, b) => b - a),
      );
    }
  });
});
