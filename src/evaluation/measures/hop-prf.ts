/**
 * HopPrecision@r, HopRecall@r, HopF1@r: the evidence after r hops, against gold (the Group-8
 * comparison of multi-hop systems).
 */
import type { Span } from '../../core/corpus/document.ts';
import { squash } from '../../core/text/normalise.ts';
import { keptInOrder } from '../../core/trace/evidence-order.ts';
import type { EvidenceItem, Hop, Trace } from '../../core/trace/trace.ts';
import type { Aggregate, Example, Records } from '../example.ts';
import { distinctSquashedFacts, goldDocuments } from '../gold-evidence.ts';
import { type MeasureMember, measureMember, type UsualNames } from '../measure-member.ts';
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
 * By its spans, or by the hit that found it; the whole document if the trace left that hit out.
 */
function spansOf(item: EvidenceItem, hops: readonly Hop[], whole: string): readonly Span[] {
  if (item.spans) return item.spans;
  const { hop, search } = item.search;
  const found = hops[hop]?.searches[search];
  const hit = found?.hits.find(({ id }) => id === item.id);
  if (hit) return [[hit.start, hit.end]];
  return found?.found === undefined ? [] : [[0, whole.length]];
}

/** Returns one text for each item of the evidence after `hops`; a space joins several spans. */
function keptTexts(hops: readonly Hop[], records: Records): string[] {
  return keptInOrder(hops).map(item => {
    const whole = records.text(item.documentId);
    return spansOf(item, hops, whole)
      .map(([start, end]) => whole.slice(start, end))
      .join(' ');
  });
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

const PAPER = 'Group-8 comparison';
/** Hops after which an evaluation prints a measure. */
const PRINTED = [1, 2, 3];

const after = (base: string, forms: readonly string[] = ['']): UsualNames => ({
  answers: PRINTED.flatMap(r => forms.map(form => `${base}@${r}${form}`)),
});

function hopMember(base: string, summary: string, part: keyof Rates): MeasureMember {
  return measureMember({
    name: `${base}@r`,
    summary,
    paper: PAPER,
    parameters: [cutOff, ...options],
    printed: after(base),
    score: (example, trace, records, settings) => rates(example, trace, records, settings)?.[part],
  });
}

export const hopPrecisionAt: MeasureMember = hopMember(
  'HopPrecision',
  'Share of what was kept in the first r hops that is gold',
  'precision',
);
export const hopRecallAt: MeasureMember = hopMember(
  'HopRecall',
  'Share of gold that was kept in the first r hops',
  'recall',
);

export const hopF1At: MeasureMember = measureMember({
  name: 'HopF1@r',
  summary: 'F1 of what was kept in the first r hops',
  paper: PAPER,
  parameters: [
    cutOff,
    {
      name: 'averaging',
      type: 'text',
      default: 'macro',
      choices: ['macro', 'of-means'],
      positional: true,
      shown: true,
      summary: 'the mean of F1, or the F1 of mean precision and mean recall',
    },
    ...options,
  ],
  printed: after('HopF1', ['(macro)', '(of-means)']),
  by: ({ averaging }) => ({ aggregate: averaging === 'macro' ? undefined : OF_MEANS }),
  score(example, trace, records, settings) {
    const found = rates(example, trace, records, settings);
    if (!found || settings.averaging === 'of-means') return found && { ...found };
    return harmonicMean(found.precision, found.recall);
  },
});

const OF_MEANS: Aggregate = {
  kind: 'sums',
  value: (sums, n) => harmonicMean(sums['precision']! / n, sums['recall']! / n),
};
