/**
 * Defines `reranked(lexical, MODEL)`: sorts the best hits of another retriever by a model that
 * reads query and text together.
 */
import { InputError } from '../../core/errors.ts';
import { type Member, member } from '../../core/naming/family.ts';
import { printName } from '../../core/naming/name.ts';
import { required } from '../../core/port.ts';
import { weightedFusion } from '../../core/ranking/fusion.ts';
import { compareHits, type Hit, type Ranking, type Unit } from '../../core/ranking/ranking.ts';
import type { Call } from '../../core/trace/call.ts';
import { clausesOf } from '../../language/english/question/clauses.ts';
import { reranker as rerankerPort } from '../../models/ports.ts';
import type { Reranker } from '../../models/reranker.ts';
import { checkScores } from '../../models/reranker.ts';
import { lookupIn } from '../../models/resources.ts';
import type { SearchEngine } from '../engine.ts';
import type { UnboundRetriever } from '../retriever.ts';
import { INSIDE_PARAMETER } from './engine-retriever.ts';
import { bestSentences, wholeItems } from './readings.ts';

const NONE = 'none';

export const reranked: Member<UnboundRetriever> = member({
  name: 'reranked',
  summary:
    'The best hits of another retriever in the order of a reranker; what is below its depth keeps its place behind them',
  paper:
    'Nogueira and Cho, Passage Re-ranking with BERT, 2019; interpolation: Wang, Zhuang and Zuccon, BERT-based Dense Retrievers Require Interpolation with BM25, ICTIR 2021',
  cost: 'that of the retriever inside, and one pair a query (or clause) and hit down to the depth; counts as one retrieval',
  parameters: [
    INSIDE_PARAMETER,
    {
      name: 'model',
      type: 'member',
      default: { name: NONE, args: [] },
      positional: true,
      shown: true,
      canonical: printName,
      port: 'reranker',
      summary: 'the name of a reranker that the run was given, such as ms-marco-MiniLM-L-12-v2',
    },
    {
      name: 'depth',
      type: 'integer',
      default: 20,
      min: 1,
      max: 1e4,
      summary: 'how many hits the model reads',
    },
    {
      name: 'ask',
      type: 'text',
      default: 'whole',
      choices: ['whole', 'clauses'],
      summary:
        'clauses: the model scores each clause of the question, and the greatest score counts; for models with comparable scores',
    },
    {
      name: 'read',
      type: 'text',
      default: 'item',
      choices: ['item', 'sentence'],
      summary:
        'sentence: of each hit the model reads the one sentence that answers best by its words',
    },
    {
      name: 'interpolate',
      type: 'number',
      default: 0,
      min: 0,
      max: 1e3,
      summary:
        'how much the first scores count beside the model’s, both from 0 to 1; 0: the model alone decides',
    },
  ],
  create(settings, name, family) {
    const model = printName(settings.model);
    if (model === NONE)
      throw new InputError('missing-parameter', 'The retriever "reranked" needs a model', {
        expected: 'for example reranked(lexical, ms-marco-MiniLM-L-12-v2)',
      });
    const inside = family.create(settings.retriever);
    const manner = settings;
    const { depth } = manner;
    const need = required(rerankerPort, model);
    return {
      name,
      needs: [need, ...(inside.needs ?? [])],
      bind(engine, resource = lookupIn({})) {
        const reranker = resource(need);
        const bound = inside.bind(engine, resource);
        return {
          name,
          unit: bound.unit,
          async retrieve(queries, k, call, within) {
            if (k === 0) return bound.retrieve(queries, 0, call, within);
            const rankings = await bound.retrieve(queries, Math.max(k, depth), call, within);
            const unit = within?.unit ?? bound.unit;
            const ordered: Ranking[] = [];
            // Scores one query after another: each fills the batches of the model alone.
            for (const [query, { text }] of queries.entries())
              ordered.push(
                (
                  await rerank(reranker, text, rankings[query]!, { ...manner, unit, engine }, call)
                ).slice(0, k),
              );
            return ordered;
          },
        };
      },
    };
  },
});

interface Manner {
  readonly unit: Unit;
  readonly engine: SearchEngine;
  readonly depth: number;
  readonly ask: 'whole' | 'clauses';
  readonly read: 'item' | 'sentence';
  readonly interpolate: number;
}

async function rerank(
  reranker: Reranker,
  query: string,
  ranking: Ranking,
  manner: Manner,
  call: Call,
): Promise<Ranking> {
  const { unit, engine, depth, ask, read, interpolate } = manner;
  if (ranking.length === 0) return ranking;
  const top = ranking.slice(0, depth);
  const queries = ask === 'clauses' ? clausesOf(query) : [query];
  const readings = await (read === 'sentence' ? bestSentences : wholeItems)(
    queries,
    top,
    unit,
    engine,
    call,
  );
  const scores = new Map<number, number>();
  for (const { query, texts, hits } of readings) {
    call.signal.throwIfAborted();
    if (texts.length === 0) continue;
    const modelScores = await reranker.score(query, texts, call);
    checkScores(reranker, modelScores, texts.length);
    for (const [index, hit] of hits.entries())
      scores.set(hit, Math.max(scores.get(hit) ?? Number.NEGATIVE_INFINITY, modelScores[index]!));
  }
  const ofModel = [...scores]
    .map(([hit, score]): Hit => ({ ...top[hit]!, score }))
    .sort(compareHits);
  const ordered = interpolate > 0 ? weightedFusion([ofModel, top], [1, interpolate]) : ofModel;
  const placed = new Set(ordered.map(({ id }) => id));
  return behind(
    ordered,
    ranking.filter(({ id }) => !placed.has(id)),
  );
}

/**
 * Returns scores that fall with the rank, unread hits behind all that were read. Steps are no
 * smaller than a rounding, so that they keep hits apart.
 */
function behind(read: Ranking, rest: Ranking): Ranking {
  const floor = read.at(-1)?.score ?? 0;
  const step = Math.max(1, Math.abs(floor) * 2 ** -20);
  return [
    ...read,
    ...rest.map((hit, index): Hit => ({ ...hit, score: floor - (index + 1) * step })),
  ];
}
