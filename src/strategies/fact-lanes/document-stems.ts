/**
 * Scores candidate documents by their stems: BM25 against the question, the question's pairs of
 * neighbouring stems, and likeness to the first documents of a ranking.
 */
import type { AnalysisCache, AnalysisKind } from '../../core/corpus/analysis-cache.ts';
import type { Document } from '../../core/corpus/document.ts';
import { porterStem } from '../../language/english/words/porter.ts';
import { pairsOf, stemSequence } from '../../language/english/words/stem-pairs.ts';
import { stemOf } from '../../language/english/words/stems.ts';
import { baseForm } from '../../language/english/words/verb-forms.ts';
import { type ComparedText, letterStems } from '../../language/letter-stems.ts';
import { bestPlaces } from '../../models/fact-ranker/features.ts';
import type { Vocabulary } from '../../models/fact-ranker/text-words.ts';

/** Distinct stems of a document as numbers of the vocabulary, with their counts. */
interface DocumentStems {
  readonly vocabulary: Vocabulary;
  readonly numbers: Int32Array;
  readonly counts: Int32Array;
  /** Number of stems, repetitions included. */
  readonly length: number;
  readonly pairs: ReadonlySet<string>;
}

const kindOf = (name: string): AnalysisKind<DocumentStems> => ({
  name,
  bytes: ({ numbers, pairs }) => 128 + 8 * numbers.length + 64 * pairs.size,
});

/** Reads texts of a language as stems, and the kind under which those of documents are kept. */
export interface Stemming {
  readonly kind: AnalysisKind<DocumentStems>;
  /**
   * Returns what reads the texts of one question: candidates share most of their words. `names` is
   * the part of a text that may name a version; without it, all of the text.
   */
  reader(): (text: string, names?: string) => ComparedText;
}

const english = (
  kind: string,
  stem: (word: string) => string,
  more: (text: string) => readonly string[] = () => [],
): Stemming => ({
  kind: kindOf(kind),
  reader() {
    const known = new Map<string, string>();
    const stemOf = (word: string): string => {
      let stemmed = known.get(word);
      if (stemmed === undefined) known.set(word, (stemmed = stem(word)));
      return stemmed;
    };
    return (text, names = text) => {
      const stems = stemSequence(text, stemOf);
      return { stems: [...stems, ...more(names)], pairs: pairsOf(stems) };
    };
  },
});

const VERSION = /(?<![\p{L}\p{N}.])v?(\d+(?:\.\d+)+)(?![\p{L}\p{N}])/giu;

/** Returns each version in a text, and those that it belongs to: "5.2.1" is a release of 5.2. */
function versionsIn(text: string): string[] {
  return [...text.matchAll(VERSION)].flatMap(([, version]) => {
    const parts = version!.split('.');
    return parts.slice(1).map((_, at) => parts.slice(0, at + 2).join('.'));
  });
}

const SHORT_STEMS = english('stems of documents', stemOf);
/** Documentation is asked for "cached" and "begin" where it says "cache" and "began". */
const PORTER_STEMS = english('Porter stems', word => porterStem(baseForm(word)), versionsIn);

/** Returns the stemming for a question in a language and for passages or sections. */
export function stemmingOf(language: string, unit: 'passages' | 'sections'): Stemming {
  if (language !== 'en')
    return { kind: kindOf(`stems of letters, ${language}`), reader: () => letterStems(language) };
  return unit === 'sections' ? PORTER_STEMS : SHORT_STEMS;
}

/** Constants of BM25, as the lexical index has them. */
const [K1, B] = [1.5, 0.75];

type Reader = ReturnType<Stemming['reader']>;

function stemsOf({ title, text }: Document, vocabulary: Vocabulary, read: Reader): DocumentStems {
  // Change logs and lists of packages are full of versions that they are not about.
  const { stems, pairs } = read(`${title} ${text}`, title);
  const counted = new Map<string, number>();
  for (const stem of stems) counted.set(stem, (counted.get(stem) ?? 0) + 1);
  return {
    vocabulary,
    numbers: Int32Array.from(vocabulary.numbersOf(counted.keys())),
    counts: Int32Array.from(counted.values()),
    length: stems.length,
    pairs,
  };
}

/** The stems of the candidate documents of one question. Frequencies count candidates. */
export class CandidateStems {
  private readonly vocabulary: Vocabulary;
  private readonly documents: readonly DocumentStems[];
  private readonly titles: readonly string[];
  private readonly read: Reader;
  /** The number of documents that hold a stem, by its number. */
  private readonly frequency: Int32Array;

  constructor(
    documents: readonly Document[],
    vocabulary: Vocabulary,
    analysis: AnalysisCache,
    stemming: Stemming = stemmingOf('en', 'passages'),
  ) {
    this.vocabulary = vocabulary;
    const { kind } = stemming;
    const read = (this.read = stemming.reader());
    this.titles = documents.map(({ title }) => title);
    this.documents = documents.map(document => {
      const known = analysis.get(kind, document.id);
      if (known?.vocabulary === vocabulary) return known;
      const stems = stemsOf(document, vocabulary, read);
      analysis.set(kind, document.id, stems);
      return stems;
    });
    this.frequency = new Int32Array(vocabulary.size);
    for (const { numbers } of this.documents)
      for (const number of numbers) this.frequency[number]!++;
  }

  /**
   * Returns the BM25 score of each document for the distinct stems of a question, with the idf of
   * Lucene (Robertson and Zaragoza 2009, eq. 3.15).
   */
  bm25(question: string): number[] {
    const { documents, frequency } = this;
    const size = documents.length;
    const stems = [...new Set(this.read(question).stems)];
    const average = sum(documents.map(({ length }) => length)) / size;
    return this.vocabulary.withPlaces(stems, asked =>
      documents.map(({ numbers, counts, length }) => {
        const norm = K1 * (1 - B + (B * length) / Math.max(1, average));
        let score = 0;
        for (const [at, number] of numbers.entries()) {
          if (asked[number] === 0) continue;
          const [count, held] = [counts[at]!, frequency[number]!];
          const idf = Math.log(1 + (size - held + 0.5) / (held + 0.5));
          score += (idf * count * (K1 + 1)) / (count + norm);
        }
        return score;
      }),
    );
  }

  /**
   * Returns the summed weights, ln(1 + n / (1 + df)) over the n documents, of the question's
   * distinct stems that each document contains. Repetitions and lengths do not count.
   */
  coverage(question: string): number[] {
    const { documents, frequency } = this;
    const stems = [...new Set(this.read(question).stems)];
    return this.vocabulary.withPlaces(stems, asked =>
      documents.map(({ numbers }) => {
        let covered = 0;
        for (const number of numbers)
          if (asked[number] !== 0)
            covered += Math.log(1 + documents.length / (1 + frequency[number]!));
        return covered;
      }),
    );
  }

  /**
   * Returns for each document the share of the question's pairs of neighbouring stems that it
   * contains, each weighted by ln(1 + n / (1 + df)) over the n documents.
   */
  sharedPairs(question: string): number[] {
    const { documents } = this;
    const asked = [...this.read(question).pairs];
    const weights = asked.map(pair => {
      const frequency = documents.filter(({ pairs }) => pairs.has(pair)).length;
      return Math.log(1 + documents.length / (1 + frequency));
    });
    const total = sum(weights);
    return documents.map(({ pairs }) =>
      total === 0 ? 0 : sum(weights.filter((_, index) => pairs.has(asked[index]!))) / total,
    );
  }

  /**
   * Returns the mean cosine of each document with the `count` documents of the best scores, itself
   * left out, weighted by their scores: pseudo-relevance feedback (Rocchio 1971) over the
   * candidates. Vectors have (1 + ln tf) · ln(1 + n / (1 + df)), at length 1. Documents of the same
   * title are parts of one text, alike whatever is asked: their cosine counts as 0.
   */
  likeness(scores: readonly number[], count: number): number[] {
    const vectors = this.documents.map(document => this.vectorOf(document));
    const firsts = new Set(
      [...bestPlaces(Float64Array.from(scores), count)].filter(at => scores[at]! > 0),
    );
    const total = sum([...firsts].map(at => scores[at]!));
    const centre = new Float64Array(this.vocabulary.size);
    // By text: the part of the centre that comes from it.
    const byText = new Map<string | number, Map<number, number>>();
    for (const at of firsts) {
      const text = this.textOf(at);
      const part = byText.get(text) ?? new Map<number, number>();
      byText.set(text, part);
      for (const [index, number] of this.documents[at]!.numbers.entries()) {
        const weight = scores[at]! * vectors[at]![index]!;
        centre[number]! += weight;
        part.set(number, (part.get(number) ?? 0) + weight);
      }
    }
    return this.documents.map(({ numbers }, at) => {
      const vector = vectors[at]!;
      const part = byText.get(this.textOf(at));
      let product = 0;
      for (let index = 0; index < vector.length; index++) {
        const number = numbers[index]!;
        product += vector[index]! * (centre[number]! - (part?.get(number) ?? 0));
      }
      const share = firsts.has(at) ? scores[at]! : 0;
      return total > share ? Math.max(0, product) / (total - share) : 0;
    });
  }

  /** Returns the title of a document, which parts of one text share; its place if it has none. */
  private textOf(at: number): string | number {
    return this.titles[at]! || at;
  }

  private vectorOf({ numbers, counts }: DocumentStems): Float64Array {
    const { frequency, documents } = this;
    const vector = Float64Array.from(
      numbers,
      (number, at) =>
        (1 + Math.log(counts[at]!)) * Math.log(1 + documents.length / (1 + frequency[number]!)),
    );
    const length = Math.sqrt(vector.reduce((all, weight) => all + weight * weight, 0));
    return length > 0 ? vector.map(weight => weight / length) : vector;
  }
}

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((all, number) => all + number, 0);
