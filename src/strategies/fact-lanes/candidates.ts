/** Reads the candidates of `fact-lanes` and their vector scores, each once a run. */
import { headerOf } from '../../context/by-document.ts';
import { analysisOf } from '../../core/corpus/analysis-cache.ts';
import type { Document, Passage } from '../../core/corpus/document.ts';
import { headingLine } from '../../core/corpus/outline.ts';
import type { Call } from '../../core/trace/call.ts';
import type { Candidate } from '../../models/fact-ranker/question-view.ts';
import {
  TextReader,
  type TextWords,
  textWordsKind,
  type Vocabulary,
} from '../../models/fact-ranker/text-words.ts';
import { requirePort } from '../../search/capabilities.ts';
import type { SearchEngine } from '../../search/engine.ts';
import { VECTORS } from '../../search/ports/vectors-port.ts';
import { type LaneSearches, SEARCHED, type SentenceHit } from './lane-searches.ts';

/** The candidates so far, in the order in which searches found them. */
export interface ReadCandidates {
  readonly candidates: readonly Candidate[];
  readonly vocabulary: Vocabulary;
  readonly texts: readonly Passage[];
  /** Each document once. */
  readonly documents: readonly Document[];
  /** The index of each candidate's document in `documents`. */
  readonly numbers: readonly number[];
  /**
   * By lane: the inner product of each candidate with the lane; undefined for a lane without a
   * vector.
   */
  readonly cosines: readonly (Float64Array | undefined)[];
}

const SENTENCES = textWordsKind('words of sentences');
const TITLES = textWordsKind('words of titles');
const HEADERS = textWordsKind('words of headers');

type Head = Pick<Candidate, 'title' | 'header'>;

export class CandidateReader {
  private readonly engine: SearchEngine;
  private readonly space: string | undefined;
  private readonly call: Call;
  private readonly reader: TextReader;
  private readonly numberOf = new Map<string, number>();
  private readonly heads: Head[] = [];
  private read: Omit<ReadCandidates, 'vocabulary'> = {
    candidates: [],
    texts: [],
    documents: [],
    numbers: [],
    cosines: [],
  };

  /** `space`: the vector space of the lanes; undefined for a run without vectors. */
  constructor(engine: SearchEngine, space: string | undefined, call: Call) {
    [this.engine, this.space, this.call] = [engine, space, call];
    this.reader = new TextReader(analysisOf(engine));
  }

  /** Reads what the searches have found since the call before; returns all candidates. */
  async readFound({ found, queries }: LaneSearches): Promise<ReadCandidates> {
    const { read } = this;
    const added = found.slice(read.texts.length);
    const ids = added.map(({ hit }) => hit.id);
    // Asked for together: an engine on a server answers them in one round trip.
    const [texts, documents, cosines] = await Promise.all([
      this.engine.read(SEARCHED, ids, this.call),
      this.readDocuments(added),
      this.cosinesOf(queries, ids),
    ]);
    const numbers = added.map(({ hit }) => this.numberOf.get(hit.documentId)!);
    const all = [...read.documents, ...documents];
    this.read = {
      candidates: [
        ...read.candidates,
        ...texts.map((text, at) => this.candidate(text, all[numbers[at]!]!, numbers[at]!)),
      ],
      texts: [...read.texts, ...texts],
      documents: all,
      numbers: [...read.numbers, ...numbers],
      cosines: cosines.map((row, lane) => row && joined(read.cosines[lane], row)),
    };
    return { ...this.read, vocabulary: this.reader.vocabulary };
  }

  /** Reads the documents that no earlier candidate is of. */
  private async readDocuments(added: readonly SentenceHit[]): Promise<Document[]> {
    const { numberOf } = this;
    const ids: string[] = [];
    for (const { hit } of added) {
      if (numberOf.has(hit.documentId)) continue;
      numberOf.set(hit.documentId, numberOf.size);
      ids.push(hit.documentId);
    }
    const documents = await this.engine.read('document', ids, this.call);
    for (const document of documents)
      this.heads.push({
        title: this.reader.read(TITLES, document.id, () => document.title),
        header: this.reader.read(HEADERS, document.id, () => headerOf(document)),
      });
    return documents;
  }

  private candidate(passage: Passage, document: Document, number: number): Candidate {
    const { id, documentId, text, start } = passage;
    const words: TextWords = this.reader.read(SENTENCES, id, () => text);
    const { title, header } = this.heads[number]!;
    const heading = headingLine(document, start);
    // Headings are a part of the header: a block's own words seldom name its subject.
    const parts =
      heading === ''
        ? header
        : this.reader.read(HEADERS, id, () => [headerOf(document), heading].join(' | '));
    return { documentId, text: words, title, header: parts };
  }

  private async cosinesOf(
    queries: LaneSearches['queries'],
    ids: readonly string[],
  ): Promise<(Float64Array | undefined)[]> {
    const { engine, space, call } = this;
    if (space === undefined) return [];
    const vectors = queries.filter(query => query !== undefined);
    // Scores by no vector would still embed every sentence.
    if (vectors.length === 0) return queries.map(() => undefined);
    const port = requirePort(engine, VECTORS, 'The strategy "fact-lanes"');
    const scores = (await port.scores(SEARCHED, ids, vectors, space, call)).values();
    return queries.map(query => query && scores.next().value);
  }
}

function joined(known: Float64Array = new Float64Array(0), added: Float64Array): Float64Array {
  const all = new Float64Array(known.length + added.length);
  all.set(known);
  all.set(added, known.length);
  return all;
}
