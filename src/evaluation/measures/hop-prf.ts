/**
 * HopPrecision@r, HopRecall@r, HopF1@r: the evidence after r hops, against gold (the Group-8
 * comparison of multi-hop systems).
 */
import { type Member, member } from '../../core/naming/family.ts';
import { squash } from '../../core/text/normalise.ts';
import { keptInOrder } from '../../core/trace/evidence-order.ts';
import type { Trace } from '../../core/trace/trace.ts';
import type { Example, Measure, Records, Score } from '../example.ts';
import { distinctSquashedFacts, goldDocuments } from '../gold-evidence.ts';
import { keptTexts } from '../kept-texts.ts';
import { harmonicMean } from '../proportions.ts';

interface Rates {
  readonly precision: number;
  readonly recall: number;
}

const both = (value: number): Rates => ({ precision: value, recall: value });

/**
 * D_r against the gold documents. Beyond the last hop D_last is carried forward; an empty D_r
 * scores 0.
 */
function byDocument(gold: readonly string[], trace: Trace, r: number): Rates {
  const found = new Set(keptInOrder(trace.hops.slice(0, r)).map(({ documentId }) => documentId));
  if (found.size === 0) return both(0);
  const common = gold.filter(id => found.has(id)).length;
  return { precision: common / found.size, recall: common / gold.length };
}

/**
 * D_r as kept texts: one is relevant when a gold fact stands in it under `squash`, and recall
 * counts distinct facts.
 */
function byFact(facts: readonly string[], trace: Trace, records: Records, r: number): Rates {
  const texts = keptTexts(trace.hops.slice(0, r), records).map(squash);
  if (texts.length === 0) return both(0);
  const relevant = texts.filter(text => facts.some(fact => text.includes(fact))).length;
  const found = facts.filter(fact => texts.some(text => text.includes(fact))).length;
  return { precision: relevant / texts.length, recall: found / facts.length };
}

interface Options {
  readonly r: number;
  readonly nulls: string;
  readonly unit: string;
}

function rates(
  example: Example,
  trace: Trace,
  records: Records,
  { r, nulls, unit }: Options,
): Rates | undefined {
  const gold = unit === 'fact' ? distinctSquashedFacts(example) : goldDocuments(example);
  // Three conventions exist: IR-CoT's code counts null questions as 1, query decomposition as 0,
  // Multi-Meta-RAG leaves them out.
  if (gold.length === 0) return nulls === 'skip' ? undefined : both(nulls === 'one' ? 1 : 0);
  return unit === 'fact' ? byFact(gold, trace, records, r) : byDocument(gold, trace, r);
}

const PAPER = 'Group-8 comparison';

const cutOff = {
  name: 'r',
  type: 'integer',
  default: 1,
  min: 1,
  shown: true,
  summary: 'after this many hops; fewer hops carry their last state forward',
} as const;

const options = [
  {
    name: 'nulls',
    type: 'text',
    default: 'skip',
    choices: ['skip', 'one', 'zero'],
    summary: 'questions without gold: left out, or counted as 1 or 0',
  },
  {
    name: 'unit',
    type: 'text',
    default: 'document',
    choices: ['document', 'fact'],
    summary: 'what is relevant',
  },
] as const;

const averaging = {
  name: 'averaging',
  type: 'text',
  default: 'macro',
  choices: ['macro', 'of-means'],
  positional: true,
  shown: true,
  summary: 'the mean of F1, or the F1 of mean precision and mean recall',
} as const;

function hopMember(name: string, summary: string, pick: (rates: Rates) => number): Member<Measure> {
  return member({
    name,
    summary,
    paper: PAPER,
    parameters: [cutOff, ...options],
    create: (settings, canonical) => hopMeasure(canonical, summary, settings, pick),
  });
}

function hopMeasure(
  name: string,
  summary: string,
  settings: Options,
  pick: (rates: Rates) => Score,
): Measure {
  return {
    name,
    summary: summary.replace('r hops', `${settings.r} hops`),
    unit: 'share',
    score: (example, trace, records) => {
      const found = rates(example, trace, records, settings);
      return found && pick(found);
    },
  };
}

export const hopPrecisionAt: Member<Measure> = hopMember(
  'HopPrecision@r',
  'Share of what was kept in the first r hops that is gold',
  found => found.precision,
);
export const hopRecallAt: Member<Measure> = hopMember(
  'HopRecall@r',
  'Share of gold that was kept in the first r hops',
  found => found.recall,
);

const F1 = 'F1 of what was kept in the first r hops';

export const hopF1At: Member<Measure> = member({
  name: 'HopF1@r',
  summary: F1,
  paper: PAPER,
  parameters: [cutOff, averaging, ...options],
  create: (settings, canonical) =>
    settings.averaging === 'macro'
      ? hopMeasure(canonical, F1, settings, found => harmonicMean(found.precision, found.recall))
      : {
          ...hopMeasure(canonical, F1, settings, ({ precision, recall }) => ({
            precision,
            recall,
          })),
          aggregate: {
            kind: 'sums',
            value: (sums, n) => harmonicMean(sums['precision']! / n, sums['recall']! / n),
          },
        },
});
