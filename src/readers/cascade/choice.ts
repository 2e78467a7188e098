/** Chooses between the answers of a reader without a model and of a language model. */
import { defined } from '../../core/defined.ts';
import type { Answer } from '../../core/trace/trace.ts';
import { type CascadeModel, cascadeLogit } from '../../models/cascade/cascade-checkpoint.ts';
import { type Answered, alternativesOf, rounded } from '../draft.ts';
import { type CascadeCandidate, cascadeCandidates, foundBy, isEligible } from './candidates.ts';

/** Both sides of a cascade over one question. */
export interface Sides {
  readonly rules: Answer;
  readonly said: Answered;
  /** Text of the question. */
  readonly question: string;
  /** Name of the reader without a model. */
  readonly by: string;
}

/** Returns the most probable candidate as the answer, the others as alternatives. */
export function chosenAnswer(
  { rules, said, question, by }: Sides,
  weights: CascadeModel,
): Answered {
  const candidates = cascadeCandidates(rules, said, question);
  const shares = cascadeLogit.shares(
    weights,
    candidates.map(({ features }) => features),
  );
  const order = candidates
    .map((candidate, at) => ({ ...candidate, share: shares[at]! }))
    .sort((a, b) => b.share - a.share);
  const best = order.find(isEligible);
  if (!best) return said;
  return defined({
    ...answerOf(best, { rules, said, by }),
    probability: rounded(best.share),
    alternatives: alternativesOf(
      order.filter(each => each !== best),
      rounded,
      rounded(best.share),
    ),
  });
}

/**
 * Returns the answer of a language model that no weights were fitted to: how often it is right is
 * not known, so that no probability is stated. The candidates of the rules stand beside it.
 */
export const saidAlone = ({ rules, said }: Pick<Sides, 'rules' | 'said'>): Answered =>
  defined({ ...said, alternatives: alternativesOf(foundBy(rules), probability => probability) });

/** Returns the answer of the side that has it. */
function answerOf(
  { byModel, text }: CascadeCandidate,
  { rules, said, by }: Omit<Sides, 'question'>,
): Answered {
  if (byModel) return said;
  const { citations } = (rules.kind === 'abstained' ? rules.withheld : rules) ?? { citations: [] };
  return defined({
    kind: 'answered',
    text,
    citations,
    support: rules.support,
    unread: said.unread,
    cut: said.cut,
    readBy: by,
  });
}
