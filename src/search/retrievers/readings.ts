/** Texts that a reranker reads of hits: all words, or the sentence that scores best by BM25. */
import type { Document, Passage } from '../../core/corpus/document.ts';
import type { Hit, Ranking, Unit } from '../../core/ranking/ranking.ts';
import type { Call } from '../../core/trace/call.ts';
import type { SearchEngine } from '../engine.ts';
import { withHeader } from '../vectors/text-templates.ts';

/** One call of the model: a query, and texts with the places of their hits in the ranking. */
export interface Reading {
  readonly query: string;
  readonly texts: readonly string[];
  readonly hits: readonly number[];
}

/** Makes the readings of rankings: one for each query. */
export type Read = (
  queries: readonly string[],
  ranking: Ranking,
  unit: Unit,
  engine: SearchEngine,
  call: Call,
) => Promise<Reading[]>;

/** Leaves out function words, which would choose sentences by chance. */
const SENTENCE_SCORER = 'bm25(stop=english)';

/**
 * Reads all words of each hit below a line of its document's title, source and day, as embedders
 * do.
 */
export const wholeItems: Read = async (queries, ranking, unit, engine, call) => {
  const documents = await documentsOf(ranking, engine, call);
  const items =
    unit === 'document'
      ? ranking.map(place => ({ ...place, text: documents.get(place.documentId)!.text }))
      : await engine.read(
          unit,
          ranking.map(({ id }) => id),
          call,
        );
  const texts = items.map(item => withHeader(documents.get(item.documentId)!, item));
  return queries.map(query => ({ query, texts, hits: ranking.map((_, hit) => hit) }));
};

/**
 * Reads the sentence of each hit that scores best by BM25, below the same line: about a tenth of a
 * passage. If no whole sentence has a word of the query, reads the part inside of a sentence that
 * the end of the passage cuts. Skips a hit in which no sentence has a word of the query.
 */
export const bestSentences: Read = async (queries, ranking, _unit, engine, call) => {
  const documents = await documentsOf(ranking, engine, call);
  const ids = [...documents.keys()];
  const sentences = new Map(
    (await engine.parts('sentence', ids, call)).flat().map(sentence => [sentence.id, sentence]),
  );
  const filter = { op: 'in', field: 'id', values: ids } as const;
  const sentenceQueries = queries.map(text => ({ text, filter }));
  const rankings = await engine.search(
    { unit: 'sentence', k: sentences.size, scorer: SENTENCE_SCORER, queries: sentenceQueries },
    call,
  );
  return queries.map((query, index) => {
    const best = ranking.flatMap((hit, place) => {
      const candidates = rankings[index]!.filter(candidate => overlaps(candidate, hit));
      const sentence = candidates.find(candidate => isInside(candidate, hit)) ?? candidates[0];
      return sentence ? [{ place, sentence: partInside(sentences.get(sentence.id)!, hit) }] : [];
    });
    return {
      query,
      texts: best.map(({ sentence }) => textOf(sentence, documents)),
      hits: best.map(({ place }) => place),
    };
  });
};

const isInside = (part: Omit<Hit, 'score'>, { documentId, start, end }: Hit): boolean =>
  part.documentId === documentId && part.start >= start && part.end <= end;

const overlaps = (part: Omit<Hit, 'score'>, { documentId, start, end }: Hit): boolean =>
  part.documentId === documentId && part.start < end && part.end > start;

const partInside = (sentence: Passage, { start, end }: Hit): Passage => ({
  ...sentence,
  text: sentence.text.slice(Math.max(0, start - sentence.start), end - sentence.start),
});

const textOf = (sentence: Passage, documents: ReadonlyMap<string, Document>): string =>
  withHeader(documents.get(sentence.documentId)!, sentence);

async function documentsOf(
  ranking: Ranking,
  engine: SearchEngine,
  call: Call,
): Promise<Map<string, Document>> {
  const ids = [...new Set(ranking.map(({ documentId }) => documentId))];
  return new Map(
    (await engine.read('document', ids, call)).map(document => [document.id, document]),
  );
}
