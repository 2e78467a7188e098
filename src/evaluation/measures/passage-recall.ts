/**
 * PassageRecall@k and PassageF1@k: gold facts found in the first k passages, and passages that hold
 * one.
 */
import { type MeasureMember, measureMember } from '../measure-member.ts';
import { harmonicMean } from '../proportions.ts';
import { cutOffParameter } from '../ranked-gold.ts';
import { type RankedFacts, rankedFacts } from '../ranked-passages.ts';

const recall = (ranked: RankedFacts): number =>
  new Set(ranked.passages.flatMap(passage => passage.facts)).size / ranked.facts.length;

/** Over distinct passage texts, as the Multi-Meta-RAG fork counts them. */
function precision(ranked: RankedFacts): number {
  const texts = new Set(ranked.passages.map(passage => passage.text));
  const relevant = new Set(
    ranked.passages.filter(passage => passage.facts.length > 0).map(passage => passage.text),
  );
  return texts.size === 0 ? 0 : relevant.size / texts.size;
}

function passageMember(
  name: string,
  k: number,
  summary: string,
  value: (ranked: RankedFacts) => number,
): MeasureMember {
  return measureMember({
    name,
    summary,
    parameters: [cutOffParameter(k, 'passages')],
    score(example, trace, records, settings) {
      const ranked = rankedFacts(example, trace, records, settings.k);
      return ranked && value(ranked);
    },
  });
}

export const passageRecallAt: MeasureMember = passageMember(
  'PassageRecall@k',
  4,
  'Share of distinct gold facts that stand in one of the first k passages',
  recall,
);

/**
 * Unlike the fork's own F1@10, whose recall counts passages and can exceed 1 when overlapping
 * passages repeat a fact.
 */
export const passageF1At: MeasureMember = passageMember(
  'PassageF1@k',
  10,
  'Harmonic mean of the share of the first k passages with a gold fact and the share of gold facts found in them',
  ranked => harmonicMean(precision(ranked), recall(ranked)),
);
