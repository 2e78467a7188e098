/**
 * `cascade`: asks the reader without a model first; where it is not sure, a language model reads
 * the same evidence with its candidates, and fitted weights choose between both and state the
 * probability of the choice.
 *
 * A cascade of models (Viola and Jones, 2001; Chen et al., FrugalGPT, 2023): the cheap reader
 * answers what it is sure of, and the dear one is asked about the rest.
 */
import { defined } from '../../src/core/defined.ts';
import type { Answer } from '../../src/core/trace/trace.ts';
import { type Answered, abstained, orNone } from '../../src/readers/draft.ts';
import { type GenerativeSettings, generativeWith } from '../../src/readers/generative-reading.ts';
import { type Reader, readerOf } from '../../src/readers/reader.ts';
import { readers } from '../../src/readers/readers.ts';
import {
  type CascadeCandidate,
  candidateTexts,
  cascadeCandidates,
  isEligible,
} from '../learning/cascade/candidates.ts';
import { type CascadeModel, cascadeShares } from '../learning/cascade/cascade-weights.ts';

/** Answers whatever the thresholds of its readers. */
const RULES = 'combined-reader(support=0)';

const SETTINGS: GenerativeSettings = { form: 'short', prompt: 2000, uncited: 'mark' };

export interface CascadeOptions {
  readonly weights: CascadeModel;
  /** Probability from which an answer of the rules stands; above 1 the model is always asked. */
  readonly sure: number;
  /** Receives what both sides say where the model is asked. */
  onBoth?(rules: Answer, said: Answered): void;
}

export function cascadeReader(
  name: string,
  { weights, sure, onBoth = () => {} }: CascadeOptions,
): Reader {
  const rules = readers.create(RULES);
  const { needs, modelCalls, readWith } = generativeWith(SETTINGS);
  return readerOf(
    name,
    async reading => {
      const { question, context, evidence, kit, call } = reading;
      const found = await rules.read(question, context, evidence, kit, call);
      if (isSure(found, sure)) return found;
      const said = await readWith(reading, candidateTexts(found));
      onBoth(found, said);
      return chosenOf(found, said, weights);
    },
    { needs, modelCalls },
  );
}

const isSure = (answer: Answer, least: number): boolean =>
  answer.kind === 'answered' && answer.probability !== undefined && answer.probability >= least;

/** Candidates that an answer names beside its own text. */
const ALTERNATIVES = 3;

/** Returns the most probable candidate as the answer, the others as alternatives. */
function chosenOf(rules: Answer, said: Answered, weights: CascadeModel): Answer {
  const candidates = cascadeCandidates(rules, said);
  const shares = cascadeShares(
    weights,
    candidates.map(({ features }) => features),
  );
  const order = [...candidates.keys()].sort((a, b) => shares[b]! - shares[a]! || a - b);
  const best = order.find(at => isEligible(candidates[at]!));
  if (best === undefined) return said.kind === 'answered' ? said : abstained(said.reason);
  const others = order.filter(at => at !== best).slice(0, ALTERNATIVES);
  return defined({
    ...answerOf(candidates[best]!, rules, said),
    probability: rounded(shares[best]!),
    confidence: undefined,
    alternatives: orNone(
      others.map(at => ({ text: candidates[at]!.text, probability: rounded(shares[at]!) })),
    ),
  });
}

/** Returns the answer of the side that has it. */
function answerOf({ byModel, text }: CascadeCandidate, rules: Answer, said: Answered): Answered {
  if (byModel) return said;
  const citations =
    rules.kind === 'abstained' ? (rules.withheld?.citations ?? []) : rules.citations;
  return { kind: 'answered', text, citations, support: rules.support ?? 0 };
}

/** Three digits: more say nothing of a fitted probability, and traces stay small. */
const rounded = (value: number): number => Math.round(1000 * value) / 1000;
