/**
 * Records the family of measures; `EvidenceRecall@4` is the member `EvidenceRecall@k` with k = 4.
 */
import { InputError } from '../core/errors.ts';
import { type Family, family, type Member } from '../core/naming/family.ts';
import { type Name, parseName, printName } from '../core/naming/name.ts';
import { didYouMean } from '../core/naming/nearest.ts';
import type { SomeSpec } from '../core/naming/spec.ts';
import type { Measure } from './example.ts';
import type { MeasureMember } from './measure-member.ts';
import type { MeasureName } from './measure-names.ts';
import { abstainedNull, refusedAnswerable } from './measures/abstention.ts';
import { allRecallAt } from './measures/all-recall.ts';
import { answerEM, answerF1 } from './measures/answer-match.ts';
import { answeredAt, rightAt } from './measures/answers-at.ts';
import {
  contextTokens,
  documents,
  hops,
  modelCalls,
  modelTokens,
  passages,
  rerankedPairs,
  retrievals,
  usd,
} from './measures/cost.ts';
import { emPer100Tokens } from './measures/em-per-100-tokens.ts';
import { evidenceRecall } from './measures/evidence-recall.ts';
import { allFacts, factRecall } from './measures/fact-recall.ts';
import { filterAccuracy } from './measures/filter-accuracy.ts';
import { groundedEM, groundedRecall } from './measures/grounded.ts';
import { hitsAt } from './measures/hits.ts';
import { hopF1At, hopPrecisionAt, hopRecallAt } from './measures/hop-prf.ts';
import { judgeAccuracy, judgeAgreement, judgeKappa, judgeUnparsed } from './measures/judge.ts';
import { meanAveragePrecisionAt } from './measures/mean-average-precision.ts';
import { meanReciprocalRankAt } from './measures/mean-reciprocal-rank.ts';
import { milliseconds } from './measures/milliseconds.ts';
import { ndcgAt } from './measures/ndcg.ts';
import { paragraphRecallAt } from './measures/paragraph-recall.ts';
import { passageF1At, passageRecallAt } from './measures/passage-recall.ts';
import { precisionAt } from './measures/precision.ts';
import { qaAccuracy } from './measures/qa-accuracy.ts';
import { evidenceRecallAt, recallAt } from './measures/recall.ts';
import { reciprocalRank } from './measures/reciprocal-rank.ts';
import {
  retrievalConditionedEM,
  retrievalConditionedF1,
} from './measures/retrieval-conditioned.ts';
import { sentenceRecall } from './measures/sentence-recall.ts';
import { subQuestionRecallAt } from './measures/sub-question-recall.ts';
import { titleRecallAt } from './measures/title-recall.ts';
import { typeF1 } from './measures/type-f1.ts';
import { unsupportedAnswers } from './measures/unsupported-answers.ts';

/** In the order in which an evaluation prints them. */
export const measureMembers: readonly MeasureMember[] = [
  factRecall,
  allFacts,
  groundedEM,
  groundedRecall,
  retrievalConditionedEM,
  retrievalConditionedF1,
  evidenceRecall,
  evidenceRecallAt,
  recallAt,
  allRecallAt,
  ndcgAt,
  precisionAt,
  reciprocalRank,
  hops,
  retrievals,
  rerankedPairs,
  documents,
  passages,
  contextTokens,
  emPer100Tokens,
  modelCalls,
  modelTokens,
  usd,
  milliseconds,
  hitsAt,
  meanAveragePrecisionAt,
  meanReciprocalRankAt,
  passageRecallAt,
  passageF1At,
  hopPrecisionAt,
  hopRecallAt,
  hopF1At,
  qaAccuracy,
  answerEM,
  answerF1,
  abstainedNull,
  refusedAnswerable,
  answeredAt,
  rightAt,
  unsupportedAnswers,
  judgeAccuracy,
  judgeUnparsed,
  judgeAgreement,
  judgeKappa,
  typeF1,
  sentenceRecall,
  titleRecallAt,
  paragraphRecallAt,
  subQuestionRecallAt,
  filterAccuracy,
];

/** `MAP@k(k=10, official)` as it is written: `MAP@10(official)`. */
function publicName(canonical: string): string {
  const { name, args } = parseName(canonical);
  const [base, letter] = name.split('@');
  if (letter === undefined) return canonical;
  const cut = args.find(arg => arg.key === letter);
  return printName({ name: `${base}@${cut?.value}`, args: args.filter(arg => arg !== cut) });
}

/** `MAP@10(official)` as the family reads it: `MAP@k(k=10, official)`. */
function memberName(written: Name, names: readonly string[]): Name {
  const parts = /^([^@]+)@(\d+)$/.exec(written.name);
  if (!parts) return rejectBareCut(written, names);
  const [, base, cut] = parts as unknown as [string, string, string];
  const member = names.find(name => name.startsWith(`${base}@`));
  if (!member) {
    const spelled = names
      .filter(name => name.includes('@'))
      .map(name => `${name.split('@')[0]}@${cut}`);
    const hint = names.includes(base)
      ? `"${base}" takes no cut-off.`
      : didYouMean(written.name, spelled);
    throw new InputError('unknown-measure', `There is no measure "${written.name}"`, { hint });
  }
  return {
    name: member,
    args: [{ key: member.split('@')[1]!, value: Number(cut) }, ...written.args],
  };
}

/** A member that needs a cut-off was named bare. */
function rejectBareCut(written: Name, names: readonly string[]): Name {
  if (names.includes(written.name) && !written.name.includes('@')) return written;
  const member = names.find(name => name === written.name || name.startsWith(`${written.name}@`));
  if (!member) return written;
  throw new InputError('bad-measure', `The measure "${written.name}" needs a cut-off`, {
    expected: `a number, as in ${member.split('@')[0]}@4`,
  });
}

function measureFamily(all: readonly Member<Measure>[]): Family<Measure> {
  const inner = family('measure', all);
  const names = all.map(member => member.name);
  const read = (name: string | Name): Name =>
    memberName(typeof name === 'string' ? parseName(name) : name, names);
  return {
    kind: 'measure',
    members: all,
    create: name => {
      const resolved = read(name);
      const made = inner.create(resolved);
      return { ...made, name: publicName(inner.canonical(resolved)) };
    },
    canonical: name => publicName(inner.canonical(read(name))),
    with: (...more) => measureFamily([...all, ...more]),
  };
}

/** A measure with its cut-off in place of the letter: `'MAP@10'`. */
export type CutMeasure = Cut<MeasureName>;

type Cut<N extends string> = N extends `${infer Base}@${string}` ? `${Base}@${number}` : N;

/**
 * All measures. Names: `FactRecall`, `EvidenceRecall@4`, `MAP@10(official)`, `HopF1@2(of-means,
 * nulls=zero)`.
 */
export const measures: Family<Measure, CutMeasure> = measureFamily(measureMembers);

/**
 * The measure of a name. Throws `InputError` that names the nearest.
 *
 * @example
 * ```ts
 * import { measure } from 'multihop/evaluation';
 *
 * const recall = measure('Recall@5');
 * console.log(recall.name, recall.summary);
 * ```
 */
export const measure = (name: SomeSpec<CutMeasure>): Measure => measures.create(name);
