/**
 * `sentences(perDocument=5)`: single sentences, each a span of its own that can be cited. Sentences
 * that were kept are shown as they are, for the strategy chose them; of larger items, passages and
 * documents, those sentences that are among the best of their document for the question.
 *
 * What an item shows depends on itself, its document and the question, never on what else was kept:
 * so no price is negative, and a hop may put the evidence into another order without a word more or
 * less.
 */
import type { Document, Span } from '../corpus/document.ts';
import type { Member } from '../naming/family.ts';
import { sentenceSupport } from '../text/sentence-support.ts';
import { sentenceSpans } from '../text/sentences.ts';
import type { EvidenceItem } from '../trace/trace.ts';
import { byDocument, headerOf } from './by-document.ts';
import type { UnboundContext } from './context.ts';

export const sentences: Member<UnboundContext> = {
  name: 'sentences',
  summary:
    'Kept sentences as they are; of kept passages and documents the best sentences for the question, each a span of its own',
  cost: 'a header a document, and the words of the sentences',
  parameters: [
    {
      name: 'perDocument',
      type: 'integer',
      default: 5,
      min: 1,
      max: 100_000,
      shown: true,
      summary:
        'best sentences of a document that its kept passages may show; a passage that holds none of them shows its own best one',
    },
  ],
  create(settings, name) {
    const most = settings['perDocument'] as number;
    return {
      name,
      bind(engine, call, question) {
        const known = new Map<string, RankedSentences>();
        const ranked = (document: Document): RankedSentences => {
          const found = known.get(document.id) ?? rankSentences(document, question.text);
          known.set(document.id, found);
          return found;
        };
        return byDocument(
          name,
          (document, kept) => {
            const whole: Span = [0, document.text.length];
            const spans = joined(
              kept.flatMap(item => shownOf(item.spans ?? [whole], ranked(document), most)),
            );
            return { header: headerOf(document), spans };
          },
          engine,
          call,
        );
      },
    };
  },
};

interface RankedSentences {
  readonly spans: readonly Span[];
  /**
   * The place of each sentence, from 0, by its share of the question's content words; of equals the
   * earlier one is better.
   */
  places(): readonly number[];
}

/** An engine that keeps its documents gives the same objects again. */
const spansOfDocuments = new WeakMap<Document, readonly Span[]>();

function spansOf(document: Document): readonly Span[] {
  const spans = spansOfDocuments.get(document) ?? sentenceSpans(document.text);
  spansOfDocuments.set(document, spans);
  return spans;
}

/** Places are only known when something larger than a sentence was kept. */
function rankSentences(document: Document, question: string): RankedSentences {
  const spans = spansOf(document);
  let places: readonly number[] | undefined;
  return { spans, places: () => (places ??= placesOf(document, spans, question)) };
}

function placesOf({ text }: Document, spans: readonly Span[], question: string): number[] {
  const support = sentenceSupport(
    question,
    spans.map(([start, end]) => text.slice(start, end)),
  );
  const places: number[] = [];
  for (const [place, index] of [...spans.keys()]
    .sort((a, b) => support[b]! - support[a]! || a - b)
    .entries())
    places[index] = place;
  return places;
}

/** A sentence, as far as a kept span holds it. */
interface Piece {
  readonly sentence: number;
  readonly start: number;
  readonly end: number;
}

/** Sentences ascend and do not overlap, so that those which a span meets stand together. */
function piecesOf([from, to]: Span, sentences: readonly Span[]): Piece[] {
  const pieces: Piece[] = [];
  for (let sentence = firstEndingAfter(sentences, from); sentence < sentences.length; sentence++) {
    const [start, end] = sentences[sentence]!;
    if (start >= to) break;
    const piece = { sentence, start: Math.max(start, from), end: Math.min(end, to) };
    if (piece.start < piece.end) pieces.push(piece);
  }
  return pieces;
}

/** By halves: a document may have a thousand sentences, and every price asks for one of them. */
function firstEndingAfter(sentences: readonly Span[], offset: number): number {
  let [low, high] = [0, sentences.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sentences[middle]![1] > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * What one kept item shows: its spans of one sentence or less, and of the larger ones their best
 * sentences, at least one.
 */
function shownOf(
  kept: NonNullable<EvidenceItem['spans']>,
  { spans, places: placed }: RankedSentences,
  most: number,
): Piece[] {
  const pieces = kept.map(span => piecesOf(span, spans));
  const single = pieces.filter(({ length }) => length === 1).flat();
  const larger = pieces.filter(({ length }) => length > 1).flat();
  if (larger.length === 0) return single;
  const places = placed();
  const least = larger.reduce(
    (first, { sentence }) => Math.min(first, places[sentence]!),
    Number.POSITIVE_INFINITY,
  );
  return [
    ...single,
    ...larger.filter(({ sentence }) => places[sentence]! < Math.max(most, least + 1)),
  ];
}

/**
 * Ascending, each word once: pieces of one sentence that overlap become one span, neighbouring
 * sentences stay two.
 */
function joined(pieces: readonly Piece[]): Span[] {
  const made: Piece[] = [];
  for (const piece of [...pieces].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = made.at(-1);
    if (last?.sentence === piece.sentence && piece.start <= last.end)
      made[made.length - 1] = { ...last, end: Math.max(last.end, piece.end) };
    else made.push(piece);
  }
  return made.map(({ start, end }) => [start, end]);
}
