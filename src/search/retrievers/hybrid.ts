/**
 * Defines `hybrid` and `hybrid(EMBEDDER)`: fuses lexical and, with an embedder, vector search by
 * the whole question and by its clauses, over items and over their sentences.
 */
import { type Member, member } from '../../core/naming/family.ts';
import { printName } from '../../core/naming/name.ts';
import type { Unit } from '../../core/ranking/ranking.ts';
import { needsOf, type UnboundRetriever } from '../retriever.ts';
import { NONE, SPACE_PARAMETER, UNIT_PARAMETER } from './engine-retriever.ts';

/** Leaves out function words, which would count again in every clause. */
const SCORER = 'bm25(stop=english)';

export const hybrid: Member<UnboundRetriever> = member({
  name: 'hybrid',
  summary:
    'BM25 by the whole question, by its clauses and by its clauses over sentences, and vectors by its clauses; equal weights',
  paper: 'CombSUM over min-max scores: Lee, SIGIR 1997; MaxP: Dai and Callan, SIGIR 2019',
  cost: 'some ten searches of the engine a question; counts as one retrieval',
  parameters: [
    { ...SPACE_PARAMETER, summary: 'the id of an embedder of the engine, or none: words alone' },
    { ...UNIT_PARAMETER, default: 'passage', choices: ['document', 'passage'] },
    {
      name: 'vectors',
      type: 'text',
      default: 'unit',
      choices: ['unit', 'sentence'],
      summary:
        'what has vectors: the unit, or its sentences, which finds more and needs some ten times as many',
    },
  ],
  create({ space, unit, vectors }, name, family) {
    const inside = family.create(compositionOf(printName(space), unit, vectors));
    const words = family.create(`lexical(${SCORER}, unit=${unit})`);
    const dense =
      printName(space) === NONE
        ? undefined
        : family.create(`dense(${printName(space)}, unit=${unit})`);
    return {
      name,
      ...needsOf(inside),
      bind(engine, resource) {
        // A strategy that weighs the parts cuts the question into clauses itself.
        const parts = [words, ...(dense ? [dense] : [])].map(part => part.bind(engine, resource));
        return { ...inside.bind(engine, resource), name, parts };
      },
    };
  },
});

/** Returns the name of the composition that `hybrid` abbreviates. */
export function compositionOf(
  space: string,
  unit: Unit,
  vectors: 'unit' | 'sentence' = 'unit',
): string {
  const dense =
    vectors === 'sentence'
      ? `max-p(dense(${space}), unit=${unit})`
      : `dense(${space}, unit=${unit})`;
  const words = `lexical(${SCORER}, unit=${unit})`;
  const parts = [
    words,
    `clauses(${words})`,
    `clauses(max-p(lexical(${SCORER}), unit=${unit}))`,
    ...(space === NONE ? [] : [`clauses(${dense})`]),
  ];
  return `fused(${parts.join(', ')}, method=weighted)`;
}
