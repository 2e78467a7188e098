/**
 * TitleRecall@k: gold titles among the first k of the ranking, pooled over questions (micro) or
 * averaged (macro) (Recall@K of TreeHop, arXiv 2504.20114).
 */
import type { Trace } from '../../core/trace/trace.ts';
import type { Example, Records } from '../example.ts';
import { type MeasureMember, measureMember } from '../measure-member.ts';
import { cutOffParameter } from '../ranked-gold.ts';

/**
 * A title, raw and case-sensitive, as TreeHop compares them; a document without one is known by its
 * id alone, so that two of those are not one.
 */
const nameOf = (title: string, documentId: string): string =>
  title === '' ? `\0${documentId}` : title;

function rankedNames(example: Example, trace: Trace, records: Records, k: number): Set<string> {
  const known = new Map(
    [...example.gold, ...trace.evidence].map(item => [item.documentId, item.title]),
  );
  return new Set(
    trace.ranking.slice(0, k).map(id => nameOf(records.title?.(id) ?? known.get(id) ?? '', id)),
  );
}

export const titleRecallAt: MeasureMember = measureMember({
  name: 'TitleRecall@k',
  summary:
    'Share of distinct gold titles among the titles of the first k of the ranking; any paragraph with a gold title counts',
  paper: 'TreeHop',
  parameters: [
    cutOffParameter(5),
    {
      name: 'averaging',
      type: 'text',
      default: 'macro',
      choices: ['micro', 'macro'],
      positional: true,
      shown: true,
      summary: 'over all gold titles at once, or question by question',
    },
  ],
  score(example, trace, records, { k, averaging }) {
    const gold = new Set(example.gold.map(({ title, documentId }) => nameOf(title, documentId)));
    if (gold.size === 0) return undefined;
    const found = rankedNames(example, trace, records, k);
    const numerator = [...gold].filter(name => found.has(name)).length;
    return averaging === 'micro' ? { numerator, denominator: gold.size } : numerator / gold.size;
  },
});
