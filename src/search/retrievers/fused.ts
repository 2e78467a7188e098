/** Defines `fused(lexical, clauses(lexical))`: fuses the rankings of several retrievers. */
import { InputError } from '../../core/errors.ts';
import { type Member, member } from '../../core/naming/family.ts';
import type { Name } from '../../core/naming/name.ts';
import { reciprocalRankFusion, weightedFusion } from '../../core/ranking/fusion.ts';
import type { Ranking } from '../../core/ranking/ranking.ts';
import { needsOf, type UnboundRetriever } from '../retriever.ts';

const NONE: Name = { name: 'none', args: [] };
/** Largest number of parts: a name takes a fixed list of parameters. */
const PARTS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'] as const;

const part = (name: (typeof PARTS)[number], index: number) => ({
  name,
  type: 'member' as const,
  default:
    [
      { name: 'lexical', args: [] },
      { name: 'clauses', args: [{ value: { name: 'lexical', args: [] } }] },
    ][index] ?? NONE,
  positional: true,
  shown: index < 2,
  own: true,
  summary: index < 2 ? 'a retriever' : 'one more retriever',
});

export const fused: Member<UnboundRetriever> = member({
  name: 'fused',
  summary:
    'One ranking from two to six retrievers, by their ranks (rrf) or by their scores between worst and best (weighted)',
  paper:
    'Cormack, Clarke and Büttcher, Reciprocal Rank Fusion, SIGIR 2009; min-max: Lee, SIGIR 1997',
  cost: 'one search a query for each part; counts as one retrieval',
  parameters: [
    ...PARTS.map(part),
    {
      name: 'method',
      type: 'text',
      default: 'rrf',
      choices: ['rrf', 'weighted'],
      summary: 'reciprocal ranks, or weighted scores',
    },
    {
      name: 'k',
      type: 'number',
      default: 60,
      min: 0,
      max: 1e6,
      summary: 'rrf: how slowly a rank loses weight',
    },
    {
      name: 'weights',
      type: 'text',
      default: 'equal',
      canonicalText: (text: string) => (text === 'equal' ? text : readWeights(text).join(':')),
      summary: 'one a part, as 2:1; only their ratios count',
    },
    {
      name: 'depth',
      type: 'integer',
      default: 100,
      min: 1,
      max: 1e6,
      summary:
        'depth of each part’s search, or the requested depth if that is greater; smaller requests change no rank',
    },
  ],
  create(settings, name, family) {
    const parts = PARTS.map(key => settings[key]).filter(({ name: of }) => of !== NONE.name);
    const retrievers = parts.map(part => family.create(part));
    const fuse = fusionOf(settings, retrievers.length);
    const depth = settings.depth;
    return {
      name,
      ...needsOf(...retrievers),
      bind(engine, resource) {
        const bound = retrievers.map(retriever => retriever.bind(engine, resource));
        const { unit } = bound[0]!;
        const other = bound.find(retriever => retriever.unit !== unit);
        if (other)
          throw new InputError('mixed-units', `The parts of "${name}" return different units`, {
            expected: unit,
            received: other.unit,
            hint: 'Give each the same one, as in lexical(unit=passage).',
          });
        return {
          name,
          unit,
          parts: bound,
          async retrieve(queries, k, call, within) {
            const lists = await Promise.all(
              bound.map(retriever => retriever.retrieve(queries, Math.max(k, depth), call, within)),
            );
            return queries.map((_, query) => fuse(lists.map(list => list[query]!)).slice(0, k));
          },
        };
      },
    };
  },
});

interface Fusion {
  readonly method: 'rrf' | 'weighted';
  readonly k: number;
  readonly weights: string;
}

function fusionOf(settings: Fusion, parts: number): (rankings: readonly Ranking[]) => Ranking {
  const weights =
    settings.weights === 'equal'
      ? Array.from({ length: parts }, () => 1)
      : readWeights(settings.weights);
  if (weights.length !== parts)
    throw new InputError('bad-parameter', 'Invalid parameter "weights" of the retriever "fused"', {
      expected: `${parts} weights, one a part`,
      received: `${weights.length}`,
    });
  return settings.method === 'rrf'
    ? rankings => reciprocalRankFusion(rankings, settings.k, weights)
    : rankings => weightedFusion(rankings, weights);
}

function readWeights(text: string): number[] {
  const weights = text
    .split(':')
    .map(part => (/^\s*(?:\d+\.?\d*|\.\d+)\s*$/.test(part) ? Number(part) : Number.NaN));
  if (
    weights.length < 2 ||
    weights.some(weight => !Number.isFinite(weight)) ||
    !weights.some(weight => weight > 0)
  )
    throw new InputError('bad-parameter', 'Invalid parameter "weights" of the retriever "fused"', {
      expected: 'equal, or one number of at least 0 a part, as 2:1',
      received: text,
    });
  return weights;
}
