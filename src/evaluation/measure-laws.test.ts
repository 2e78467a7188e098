import assert from 'node:assert/strict';
import test from 'node:test';
import { DEFAULT_MEASURES, RUN_FILE_MEASURES } from './default-measures.ts';
import type { Measure } from './example.ts';
import { dominanceLaw, type MeasureClaims, measureLaws } from './measure-laws.ts';
import { measure, measures } from './measures.ts';

const more = [
  'RetrievalConditionedF1(answerable)',
  'RetrievalConditionedF1(honest)',
  'PassageRecall@2',
  'PassageF1@10',
  'HopF1@1(macro, nulls=one, unit=fact)',
  'HopF1@4(of-means, nulls=zero, unit=fact)',
  'HopPrecision@2(unit=fact)',
  'HopRecall@2(unit=fact)',
  'AnswerEM(squad)',
  'AnswerF1(squad)',
  'AnswerEM(longbench)',
  'AnswerF1(longbench)',
  'SentenceRecall',
  'TitleRecall@5(micro)',
  'TitleRecall@5(macro)',
  'ParagraphRecall@5',
  'JudgeAccuracy(law)',
  'JudgeAccuracy(law, unparsed=wrong)',
  'JudgeUnparsed(law)',
  'JudgeAgreement(law, rule=clean)',
  'JudgeKappa(law, rule=strict)',
  'FilterAccuracy(exact)',
  'FilterAccuracy(keeps)',
  'FilterAccuracy(passes)',
  ...new Set(RUN_FILE_MEASURES.filter(name => !DEFAULT_MEASURES.includes(name))),
  'Recall@5(passage)',
  'AllRecall@5(passage)',
  'Recall@5(order=diagnostic)',
  'NDCG@3(order=diagnostic)',
  'Precision@1',
  'EvidenceRecall@4(order=ranking)',
];

/** Claims that differ from the defaults, each with its reason. */
const claims: Readonly<Record<string, MeasureClaims>> = {
  // Two gold documents do not fit into the first place, nor three into it: (1/2 + 1/2 + 1/2) / 3.
  'EvidenceRecall@1': { perfect: 0.5 },
  // Two gold documents fill two of five places.
  'Precision@5': { perfect: 2 / 5 },
  // The null threshold refuses a null question when nothing is found: one of the four questions is
  // right with an empty trace.
  'RetrievalConditionedEM(paper)': { empty: 0.25 },
  'RetrievalConditionedEM(honest)': { empty: 0.25 },
  'RetrievalConditionedF1(paper)': { empty: 0.25 },
  'RetrievalConditionedF1(honest)': { empty: 0.25 },
  Hops: { empty: 1 }, // the law's empty trace made one hop that found nothing
  // Null questions count as 1 whatever is found; by fact one is 1 of 4.
  'HopF1@1(macro, nulls=one, unit=fact)': { empty: 0.25 },
  // P and R of the null question are 0, those of the three others 1: 2 x .75 x .75 / 1.5.
  'HopF1@4(of-means, nulls=zero, unit=fact)': { perfect: 0.75 },
  // One fact per passage comes first: the inference question's two facts of d3 come at rank 2, (1 +
  // 2/2 )/3 under the script's formula.
  'MAP@10(official)': { perfect: ((1 + 0.5) / 2 + (1 + 2 / 2) / 3 + (1 + 0.5) / 2) / 3 },
};

const listed = [...DEFAULT_MEASURES, ...more];
/** `Recall@` of `Recall@5(passage)`, `Hops` of `Hops`. */
const stem = (name: string): string => /^[^@(]+@?/.exec(name)![0];
/** Measures of the family that the lists do not name, with their default settings. */
const others = measures.members
  .filter(({ name }) => !listed.some(known => stem(known) === stem(name)))
  .map(({ name, parameters = [] }) => {
    const [base, letter] = name.split('@');
    const cut = parameters.find(parameter => parameter.name === letter);
    return cut ? `${base}@${cut.default}` : name;
  });

for (const name of [...listed, ...others]) {
  for (const law of measureLaws(measure(name), claims[name] ?? {})) test(law.name, () => law.run());
}

const pairs: readonly [string, string][] = [
  ['AnswerEM(hotpot)', 'AnswerF1(hotpot)'],
  ['AnswerEM(squad)', 'AnswerF1(squad)'],
  ['AnswerEM(longbench)', 'AnswerF1(longbench)'],
  ['GroundedEM', 'GroundedRecall'],
  ['GroundedRecall', 'EvidenceRecall'],
  ['AllFacts', 'FactRecall'],
  ['RetrievalConditionedEM(honest)', 'RetrievalConditionedEM(paper)'],
  ['EvidenceRecall@1', 'EvidenceRecall@2'],
  ['AllRecall@5', 'Recall@5'],
  ['AllRecall@5(passage)', 'Recall@5(passage)'],
  ['Recall@5', 'Recall@10'],
  ['AllRecall@5', 'AllRecall@10'],
  ['Hits@4', 'Hits@10'],
  ['QaAccuracy(strict)', 'QaAccuracy(clean)'],
  ['FilterAccuracy(exact)', 'FilterAccuracy(keeps)'],
];
for (const [smaller, larger] of pairs) test(...lawOf(smaller, larger));

function lawOf(smaller: string, larger: string): [string, () => void] {
  const law = dominanceLaw(measure(smaller), measure(larger));
  return [law.name, () => law.run()];
}

test('the laws can fail', () => {
  const broken = (score: Measure['score']): Measure => ({ name: 'Broken', summary: '', score });
  const failing = (measure: Measure): number =>
    measureLaws(measure).filter(law => throws(law.run)).length;
  assert.equal(failing(measure('EvidenceRecall')), 0);
  assert.ok(failing(broken(() => Number.NaN)) >= 1);
  assert.ok(failing(broken(() => 2)) >= 2);
  assert.ok(failing(broken((_, trace) => Number(trace.evidence[0]?.documentId === 'd1'))) >= 2);
  assert.ok(throws(dominanceLaw(measure('EvidenceRecall'), measure('EvidenceRecall@1')).run));
});

function throws(run: () => void): boolean {
  try {
    run();
    return false;
  } catch {
    return true;
  }
}
