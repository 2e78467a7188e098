/** `reranked(lexical, MODEL)`: another retriever, whose best hits are put in order by a model that reads query and text together. */
import { InputError, PortError } from '../errors.ts';
import type { Reranker } from '../models/reranker.ts';
import type { Member } from '../naming/family.ts';
import { type Name, printName } from '../naming/name.ts';
import { didYouMean } from '../naming/nearest.ts';
import { compareHits, type Hit, type Ranking, type Unit } from '../ranking/ranking.ts';
import type { Call } from '../trace/call.ts';
import type { SearchEngine } from './engine.ts';
import { INSIDE_PARAMETER } from './engine-retriever.ts';
import type { RetrieverModels, UnboundRetriever } from './retriever.ts';
import { withHeader } from './text-templates.ts';

const NONE = 'none';

export const reranked: Member<UnboundRetriever> = {
  name: 'reranked',
  summary: 'The best hits of another retriever in the order of a reranker; what is below its depth keeps its place behind them',
  paper: 'Nogueira and Cho, Passage Re-ranking with BERT, 2019',
  cost: 'that of the retriever inside, and one pair a query and hit down to the depth; counts as one retrieval',
  needs: ['engine', 'reranker'],
  parameters: [
    INSIDE_PARAMETER,
    {
      name: 'model',
      type: 'member',
      default: { name: NONE, args: [] },
      positional: true,
      shown: true,
      canonical: printName,
      summary: 'the name of a reranker that the run was given, such as ms-marco-MiniLM-L-12-v2',
    },
    { name: 'depth', type: 'integer', default: 20, min: 1, max: 1e4, summary: 'how many hits the model reads' },
  ],
  create(settings, name, own) {
    const model = printName(settings['model'] as Name);
    if (model === NONE)
      throw new InputError('missing-parameter', 'The retriever "reranked" needs a model', {
        expected: 'for example reranked(lexical, ms-marco-MiniLM-L-12-v2)',
      });
    const inside = own.create(settings['retriever'] as Name);
    const depth = settings['depth'] as number;
    return {
      name,
      bind(engine, models = {}) {
        const reranker = rerankerOf(model, models);
        const bound = inside.bind(engine, models);
        return {
          name,
          unit: bound.unit,
          async retrieve(queries, k, call, within) {
            if (k === 0) return bound.retrieve(queries, 0, call, within);
            const rankings = await bound.retrieve(queries, Math.max(k, depth), call, within);
            const unit = within?.unit ?? bound.unit;
            const ordered: Ranking[] = [];
            // One query after another: each of them fills the model's batches alone.
            for (const [query, { text }] of queries.entries())
              ordered.push((await rerank(reranker, text, rankings[query]!, { unit, depth, engine }, call)).slice(0, k));
            return ordered;
          },
        };
      },
    };
  },
};

function rerankerOf(model: string, { rerankers = [] }: RetrieverModels): Reranker {
  const reranker = rerankers.find(({ id }) => id === model);
  if (reranker) return reranker;
  const ids = rerankers.map(({ id }) => id);
  throw new InputError('unknown-reranker', `This run has no reranker "${model}"`, {
    expected: ids.length > 0 ? `one of ${ids.join(', ')}` : 'a reranker of that id among the rerankers of the run',
    hint: didYouMean(model, ids) || 'Give the run that reranker.',
  });
}

interface Depth {
  readonly unit: Unit;
  readonly depth: number;
  readonly engine: SearchEngine;
}

async function rerank(reranker: Reranker, query: string, ranking: Ranking, { unit, depth, engine }: Depth, call: Call): Promise<Ranking> {
  if (ranking.length === 0) return ranking;
  const top = ranking.slice(0, depth);
  const texts = await textsOf(top, unit, engine, call);
  call.signal.throwIfAborted();
  const scores = checked(reranker, await reranker.score(query, texts, call), top.length);
  const read = top.map((hit, index): Hit => ({ ...hit, score: scores[index]! })).sort(compareHits);
  // The score says the place, and a hit that was not read stands behind all that were: a step no smaller than a rounding keeps them apart.
  const floor = read.at(-1)!.score;
  const step = Math.max(1, Math.abs(floor) * 2 ** -20);
  return [...read, ...ranking.slice(depth).map((hit, index): Hit => ({ ...hit, score: floor - (index + 1) * step }))];
}

/** What an embedder would read: the item's words below a line of its document's title, source and day. */
async function textsOf(hits: Ranking, unit: Unit, engine: SearchEngine, call: Call): Promise<string[]> {
  const ids = [...new Set(hits.map(({ documentId }) => documentId))];
  const documents = new Map((await engine.read('document', ids, call)).map(document => [document.id, document]));
  const items =
    unit === 'document'
      ? hits.map(({ id, documentId, start, end }) => ({ id, documentId, start, end, text: documents.get(documentId)!.text }))
      : await engine.read(
          unit,
          hits.map(({ id }) => id),
          call,
        );
  return items.map(item => withHeader(documents.get(item.documentId)!, item));
}

function checked({ id }: Reranker, scores: Float32Array, pairs: number): Float32Array {
  const fail = (code: string, expected: string, received: string): PortError =>
    new PortError('reranker', code, `The reranker "${id}" gave scores that cannot be used`, { expected, received });
  if (scores.length !== pairs) throw fail('wrong-count', `${pairs} scores`, String(scores.length));
  const bad = scores.find(score => !Number.isFinite(score));
  if (bad !== undefined) throw fail('not-finite', 'finite numbers', String(bad));
  return scores;
}
