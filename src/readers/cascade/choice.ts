/** Chooses between the answers of a reader without a model and of a language model. */
import { defined } from '../../core/defined.ts';
import type { Answer } from '../../core/trace/trace.ts';
import { type CascadeModel, cascadeLogit } from '../../models/cascade/cascade-checkpoint.ts';
import { type Answered, alternativesOf, rounded } from '../draft.ts';
import { type CascadeCandidate, cascadeCandidates, isEligible } from './candidates.ts';

/** Returns the most probable candidate as the answer, the others as alternatives. */
export function chosenAnswer(rules: Answer, said: Answered, weights: CascadeModel): Answered {
  const candidates = cascadeCandidates(rules, said);
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
    ...answerOf(best, rules, said),
    probability: rounded(best.share),
    alternatives: alternativesOf(
      order.filter(each => each !== best),
      rounded,
    ),
  });
}

/**
 * Returns the answer of the language model, or that of the rules where it has none: what a model
 * says is right that no weights were fitted to is not known, so that no probability is stated.
 */
export const saidFirst = (rules: Answer, said: Answered): Answer =>
  said.kind === 'answered' || rules.kind === 'abstained' ? said : rules;

/** Returns the answer of the side that has it. */
function answerOf({ byModel, text }: CascadeCandidate, rules: Answer, said: Answered): Answered {
  if (byModel) return said;
  const { citations } = (rules.kind === 'abstained' ? rules.withheld : rules) ?? { citations: [] };
  return defined({
    kind: 'answered',
    text,
    citations,
    support: rules.support,
    unread: said.unread,
    cut: said.cut,
  });
}
