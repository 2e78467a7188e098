/**
 * Hops, Retrievals, RerankedPairs, Documents, Passages, ContextTokens: the cost of a run, over all
 * questions.
 */
import { refusalCount } from '../../core/trace/recorder.ts';
import { resourcesIn, type Trace } from '../../core/trace/trace.ts';
import type { Measure } from '../example.ts';
import { evidenceDocuments } from '../gold-evidence.ts';
import { type MeasureMember, measureMember } from '../measure-member.ts';

function cost(
  name: string,
  summary: string,
  count: (trace: Trace) => number | undefined,
  about: Pick<Measure, 'unit' | 'table'> & Pick<MeasureMember, 'compared'> = {},
): MeasureMember {
  return measureMember({
    name,
    summary,
    unit: 'count',
    better: 'lower',
    table: 'cost',
    printed: { answers: [name], rankings: [name] },
    ...about,
    score: (_example, trace) => count(trace),
  });
}

export const hops: MeasureMember = cost(
  'Hops',
  'Rounds of the strategy',
  trace => trace.hops.length,
  { table: 'time' },
);
/** The paper's "rounds": searches that were issued, whether or not anything was kept. */
export const retrievals: MeasureMember = cost(
  'Retrievals',
  'Searches that were issued',
  trace => trace.spent.retrievals ?? 0,
);
/**
 * A run that had rerankers and asked none counts as 0, one that had none has no value. Pairs that a
 * cache knew count, as cached replies do.
 */
export const rerankedPairs: MeasureMember = cost(
  'RerankedPairs',
  'Pairs of a query and a text that rerankers scored, cached ones included',
  ({ manifest, spent }) =>
    spent.rerankedPairs ?? (resourcesIn(manifest, 'reranker') === undefined ? undefined : 0),
);
export const documents: MeasureMember = cost(
  'Documents',
  'Distinct documents in the evidence',
  trace => evidenceDocuments(trace).size,
);

/** Reason for not taking a passage again. */
const TAKEN_AGAIN = 'seen';

/**
 * Number of retrieved passages K (Iter-RetGen, arXiv 2305.15294): a passage that is found again
 * counts once in `distinct` and each time in `sum`.
 */
export const passages: MeasureMember = measureMember({
  name: 'Passages',
  summary:
    'Passages (or documents) that were taken: each once (distinct), or each time that it was found (sum)',
  unit: 'count',
  better: 'lower',
  parameters: [
    {
      name: 'count',
      type: 'text',
      default: 'distinct',
      choices: ['distinct', 'sum'],
      positional: true,
      shown: true,
      summary: 'how',
    },
  ],
  score: (_example, { evidence, hops }, _records, { count }) =>
    count === 'distinct'
      ? evidence.length
      : hops.reduce((sum, hop) => sum + hop.kept.length + refusalCount(hop, TAKEN_AGAIN), 0),
});
export const contextTokens: MeasureMember = cost(
  'ContextTokens',
  'Word runs of the context that is passed on',
  trace => trace.context.tokens,
  { unit: 'tokens', compared: { answers: ['ContextTokens'], rankings: ['ContextTokens'] } },
);

/** A run that had a model and asked nothing of it counts as 0, one that had none has no value. */
const ofModel =
  (count: 'modelCalls' | 'modelTokens') =>
  ({ manifest, spent }: Trace): number | undefined =>
    manifest['model'] !== undefined || spent.modelCalls !== undefined
      ? (spent[count] ?? 0)
      : undefined;

/** Cached replies count: they are what the run would cost anew. */
export const modelCalls: MeasureMember = cost(
  'ModelCalls',
  'Calls of a language model, a repair and a cached reply each one',
  ofModel('modelCalls'),
);
export const modelTokens: MeasureMember = cost(
  'ModelTokens',
  'Tokens of prompts and completions, as the model counts',
  ofModel('modelTokens'),
  { unit: 'tokens' },
);
/** Without a value where the model has no price. */
export const usd: MeasureMember = cost(
  'Usd',
  'US dollars of the language model, at the prices of the run',
  ({ manifest, spent }) => {
    const model = manifest['model'] as { price?: unknown } | undefined;
    return spent.usd ?? (model?.price === undefined ? undefined : 0);
  },
  { unit: 'usd' },
);
