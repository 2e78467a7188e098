/**
 * Hops, Retrievals, RerankedPairs, Documents, Passages, ContextTokens: the cost of a run, over all
 * questions.
 */

import { type Member, member } from '../../core/naming/family.ts';
import { refusalCount } from '../../core/trace/recorder.ts';
import type { Trace } from '../../core/trace/trace.ts';
import { resourcesIn } from '../../core/trace/trace.ts';
import type { Measure, MeasureUnit } from '../example.ts';
import { evidenceDocuments } from '../gold-evidence.ts';

function costMember(
  name: string,
  summary: string,
  unit: MeasureUnit,
  count: (trace: Trace) => number | undefined,
): Member<Measure> {
  return member({
    name,
    summary,
    create: (_, canonical) => ({
      name: canonical,
      summary,
      unit,
      better: 'lower',
      score: (_example, trace) => count(trace),
    }),
  });
}

export const hops: Member<Measure> = costMember(
  'Hops',
  'Rounds of the strategy',
  'count',
  trace => trace.hops.length,
);
/** The paper's "rounds": searches that were issued, whether or not anything was kept. */
export const retrievals: Member<Measure> = costMember(
  'Retrievals',
  'Searches that were issued',
  'count',
  trace => trace.spent.retrievals ?? 0,
);
/**
 * A run that had rerankers and asked none counts as 0, one that had none has no value. Pairs that a
 * cache knew count, as cached replies do.
 */
export const rerankedPairs: Member<Measure> = costMember(
  'RerankedPairs',
  'Pairs of a query and a text that rerankers scored, cached ones included',
  'count',
  ({ manifest, spent }) =>
    resourcesIn(manifest, 'reranker') === undefined
      ? spent.rerankedPairs
      : (spent.rerankedPairs ?? 0),
);
export const documents: Member<Measure> = costMember(
  'Documents',
  'Distinct documents in the evidence',
  'count',
  trace => evidenceDocuments(trace).size,
);
/**
 * Number of retrieved passages K (Iter-RetGen, arXiv 2305.15294): a passage that is found again
 * counts once in `distinct` and each time in `sum`.
 */
export const passages: Member<Measure> = member({
  ...costMember(
    'Passages',
    'Passages (or documents) that were taken: each once (distinct), or each time that it was found (sum)',
    'count',
    () => 0,
  ),
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
  create: ({ count }, canonical) => ({
    ...{ name: canonical, unit: 'count', better: 'lower', summary: 'Passages that were taken' },
    score: (_example, { evidence, hops }) =>
      count === 'distinct'
        ? evidence.length
        : hops.reduce((sum, hop) => sum + hop.kept.length + refusalCount(hop, TAKEN_AGAIN), 0),
  }),
});
/** Reason for not taking a passage again. */
const TAKEN_AGAIN = 'seen';
export const contextTokens: Member<Measure> = costMember(
  'ContextTokens',
  'Word runs of the context that is passed on',
  'tokens',
  trace => trace.context.tokens,
);

/** A run that had a model and asked nothing of it counts as 0, one that had none has no value. */
const hadModel = ({ manifest, spent }: Trace): boolean =>
  manifest['model'] !== undefined || spent.modelCalls !== undefined;
/** Cached replies count: they are what the run would cost anew. */
export const modelCalls: Member<Measure> = costMember(
  'ModelCalls',
  'Calls of a language model, a repair and a cached reply each one',
  'count',
  trace => (hadModel(trace) ? (trace.spent.modelCalls ?? 0) : undefined),
);
export const modelTokens: Member<Measure> = costMember(
  'ModelTokens',
  'Tokens of prompts and completions, as the model counts',
  'tokens',
  trace => (hadModel(trace) ? (trace.spent.modelTokens ?? 0) : undefined),
);
/** Without a value where the model has no price. */
export const usd: Member<Measure> = costMember(
  'Usd',
  'US dollars of the language model, at the prices of the run',
  'usd',
  ({ manifest, spent }) =>
    (manifest['model'] as { price?: unknown } | undefined)?.price === undefined
      ? spent.usd
      : (spent.usd ?? 0),
);
