/**
 * Selects the answers that a judge is asked about, describes it in the manifest, and lists the
 * measures that compare it with an offline rule.
 */
import type { Manifest, Trace } from '../core/trace/trace.ts';
import type { Example, Measure, Verdict } from './example.ts';
import type { Judge } from './judge.ts';
import { measures } from './measures.ts';
import { judgedText } from './verdicts.ts';

/**
 * The answer that a judge has to be asked about; undefined where there is none, it is empty (the
 * run failed), or it is among `asked` already. It is afterwards.
 */
export function unjudged(example: Example, trace: Trace, asked: Set<string>): string | undefined {
  const answer = judgedText(example, trace);
  const key = JSON.stringify([example.id, answer]);
  if (answer === undefined || answer.trim() === '' || asked.has(key)) return undefined;
  asked.add(key);
  return answer;
}

/** The measures of a judge, beside the offline rules. */
export function judgeMeasures(judge: string): Measure[] {
  const args = [{ value: judge }];
  const names = [
    { name: 'JudgeAccuracy', args },
    { name: 'JudgeUnparsed', args },
    ...['strict', 'clean'].flatMap(rule =>
      ['JudgeAgreement', 'JudgeKappa'].map(name => ({
        name,
        args: [...args, { key: 'rule', value: rule }],
      })),
    ),
  ];
  return names.map(name => measures.create(name));
}

/**
 * Describes the judge: its id, the number of answers, and of those without a verdict, by reason.
 */
export function judgedManifest(judge: Judge | undefined, verdicts: readonly Verdict[]): Manifest {
  if (!judge) return {};
  const missing: Record<string, number> = {};
  for (const { missing: why } of verdicts)
    if (why !== undefined) missing[why] = (missing[why] ?? 0) + 1;
  return { judge: { id: judge.id, ...judge.about, verdicts: verdicts.length, missing } };
}
