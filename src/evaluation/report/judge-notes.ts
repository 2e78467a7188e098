/** Says in a report who judged answers, and what to make of it. */

interface JudgeManifest {
  readonly id: string;
  readonly scripted?: boolean;
  readonly answersToo?: boolean;
  readonly verdicts: number;
  readonly missing: Readonly<Record<string, number>>;
}

export function judgeNotes(recorded: unknown): string[] {
  if (typeof recorded !== 'object' || recorded === null) return [];
  const { id, scripted, answersToo, verdicts, missing = {} } = recorded as JudgeManifest;
  const without = Object.entries(missing).map(([why, count]) => `${why} ${count}`);
  return [
    `Judge: ${id}, ${verdicts} answers.`,
    ...(scripted
      ? [
          'The judge is a script, QaAccuracy(clean) in the place of a model: what it says is no second opinion.',
        ]
      : []),
    ...(answersToo
      ? ['The judge is the model that answers: models favour their own answers.']
      : []),
    ...(without.length > 0
      ? [
          `Answers without a verdict, left out of JudgeAccuracy and counted by JudgeUnparsed: ${without.join(', ')}.`,
        ]
      : []),
    'JudgeKappa is Cohen’s kappa with the rule: 1 full agreement, 0 what chance gives; an en dash where both always say the same.',
  ];
}
