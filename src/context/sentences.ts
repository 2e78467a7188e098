/**
 * `sentences(perDocument=5)`: shows single sentences, each a span that can be cited. Kept sentences
 * appear unchanged, because the strategy chose them; of kept passages and documents it shows the
 * sentences that rank among the best of their document for the question.
 *
 * The part of an item depends on the item, its document and the question alone, never on other
 * evidence: prices are never negative, and a hop may reorder the evidence at no cost.
 */
import { analysisOf } from '../core/corpus/analysis-cache.ts';
import { sentencesOf } from '../core/corpus/chunker.ts';
import type { Document, Passage, Span } from '../core/corpus/document.ts';
import { sentenceSpansOf } from '../core/corpus/sentence-spans.ts';
import { type Member, member } from '../core/naming/family.ts';
import type { EvidenceItem } from '../core/trace/trace.ts';
import { contentWords, sentenceSupport } from '../language/english/words/content-words.ts';
import { withPlainWords } from '../language/plain-words.ts';
import { byDocument } from './by-document.ts';
import type { UnboundContext } from './context.ts';

export const sentences: Member<UnboundContext> = member({
  name: 'sentences',
  summary:
    'Kept sentences unchanged; of kept passages and documents the best sentences for the question, each a span of its own',
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
    const most = settings.perDocument;
    return {
      name,
      bind(engine, call, question) {
        const analysis = analysisOf(engine);
        const known = new Map<string, RankedSentences>();
        const ranked = (document: Document): RankedSentences => {
          let found = known.get(document.id);
          if (!found) {
            const spans = sentenceSpansOf(document, analysis);
            known.set(
              document.id,
              (found = rankSentences(document, spans, withPlainWords(question.text))),
            );
          }
          return found;
        };
        // An item is priced once for each item that is kept of its document.
        const pieces = new Map<EvidenceItem, readonly Piece[]>();
        const piecesOfItem = (item: EvidenceItem, document: Document): readonly Piece[] => {
          let ofItem = pieces.get(item);
          if (!ofItem) {
            const whole: Span = [0, document.text.length];
            // A passage under headings is a unit of its author's.
            const all = item.spans !== undefined && document.outline !== undefined;
            const shown = all ? Number.POSITIVE_INFINITY : most;
            pieces.set(item, (ofItem = shownOf(item.spans ?? [whole], ranked(document), shown)));
          }
          return ofItem;
        };
        const context = byDocument(
          name,
          (document, kept, header) => ({
            header,
            spans: joined(kept.flatMap(item => piecesOfItem(item, document))),
          }),
          engine,
          call,
        );
        return {
          ...context,
          async build(...request) {
            const built = await context.build(...request);
            // A run may wait long for its model: what is found again in no time is not kept.
            known.clear();
            pieces.clear();
            return built;
          },
        };
      },
    };
  },
});

interface RankedSentences {
  readonly spans: readonly Span[];
  /**
   * Returns the rank of each sentence, from 0, by its share of the question's content words; the
   * earlier of equals is better.
   */
  places(): readonly number[];
}

/** Ranks sentences lazily: only evidence larger than a sentence needs the places. */
function rankSentences(
  document: Document,
  spans: readonly Span[],
  question: string,
): RankedSentences {
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

/**
 * Returns the sentence within the spans that holds most words of the text; undefined if no sentence
 * holds any.
 */
export function bestSentence(
  text: string,
  document: Document,
  spans: readonly Span[],
): Passage | undefined {
  const sentences = sentencesOf(document).filter(({ start, end }) =>
    spans.some(span => span[0] <= start && end <= span[1]),
  );
  if (sentences.length === 0 || contentWords(text).size === 0) return undefined;
  const support = sentenceSupport(
    text,
    sentences.map(sentence => sentence.text),
  );
  const best = support.indexOf(Math.max(...support));
  return support[best]! > 0 ? sentences[best] : undefined;
}

/** The part of a sentence inside a kept span. */
interface Piece {
  readonly sentence: number;
  readonly start: number;
  readonly end: number;
}

/** Cuts a span into its sentences, which ascend and do not overlap. */
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

/** Finds the first sentence that ends after an offset, by binary search. */
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
 * Returns what one kept item shows: its spans of one sentence or less, and the best sentences of
 * its larger spans, at least one.
 */
function shownOf(
  kept: NonNullable<EvidenceItem['spans']>,
  { spans, places: placed }: RankedSentences,
  most: number,
): Piece[] {
  const [single, larger]: [Piece[], Piece[]] = [[], []];
  for (const span of kept) {
    const pieces = piecesOf(span, spans);
    (pieces.length > 1 ? larger : single).push(...pieces);
  }
  if (larger.length === 0) return single;
  // Sentences are ranked only where some of them are left out.
  if (most >= spans.length) return [...single, ...larger];
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
 * Sorts pieces and shows each word once: overlapping pieces of one sentence become one span,
 * neighbouring sentences stay two.
 */
function joined(pieces: readonly Piece[]): Span[] {
  if (pieces.length === 1) return [[pieces[0]!.start, pieces[0]!.end]];
  const made: Piece[] = [];
  for (const piece of [...pieces].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = made.at(-1);
    if (last?.sentence === piece.sentence && piece.start <= last.end)
      made[made.length - 1] = { ...last, end: Math.max(last.end, piece.end) };
    else made.push(piece);
  }
  return made.map(({ start, end }) => [start, end]);
}
