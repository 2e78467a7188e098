/**
 * MAP@k: average precision over ranked passages, as the evaluation script of MultiHop-RAG (arXiv
 * 2401.15391) computes it and in the standard form.
 */
import { type MeasureMember, measureMember } from '../measure-member.ts';
import { cutOffParameter } from '../ranked-gold.ts';
import { type RankedFacts, rankedFacts } from '../ranked-passages.ts';

/** For each rank, how many facts it shows for the first time. */
function newFacts(ranked: RankedFacts): number[] {
  const seen = new Set<string>();
  return ranked.passages.map(({ facts }) => {
    const before = seen.size;
    for (const fact of facts) seen.add(fact);
    return seen.size - before;
  });
}

/**
 * The script's own: new facts / rank, summed, over min(gold facts listed, k). A fact listed twice
 * is found once, so that 1 is then out of reach.
 */
function official(ranked: RankedFacts, k: number): number {
  const sum = newFacts(ranked).reduce((total, fresh, index) => total + fresh / (index + 1), 0);
  return sum / Math.min(ranked.listed, k);
}

/** New facts x (ranks so far that brought one / rank), summed, over the distinct gold facts. */
function standard(ranked: RankedFacts): number {
  let bringing = 0;
  let sum = 0;
  for (const [index, fresh] of newFacts(ranked).entries()) {
    if (fresh > 0) bringing++;
    sum += (fresh * bringing) / (index + 1);
  }
  return sum / ranked.facts.length;
}

export const meanAveragePrecisionAt: MeasureMember = measureMember({
  name: 'MAP@k',
  summary:
    "Average precision of the first k passages: official is MultiHop-RAG's script (new facts / rank), standard the usual one",
  paper: 'MultiHop-RAG',
  parameters: [
    cutOffParameter(10, 'passages'),
    {
      name: 'form',
      type: 'text',
      default: 'standard',
      choices: ['official', 'standard'],
      positional: true,
      shown: true,
      summary: 'whose formula',
    },
  ],
  printed: { answers: ['MAP@10(official)', 'MAP@10(standard)'] },
  score(example, trace, records, { k, form }) {
    const ranked = rankedFacts(example, trace, records, k);
    return ranked && (form === 'official' ? official(ranked, k) : standard(ranked));
  },
});
