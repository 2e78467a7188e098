/** Lists the family of answer controls. */

import { type Family, family } from '../core/naming/family.ts';
import type { AnswerControl } from './answer-controls/answer-control.ts';
import { flippedEvidence } from './answer-controls/flipped-evidence.ts';
import { majority } from './answer-controls/majority.ts';
import { questionOnly } from './answer-controls/question-only.ts';
import { allCueWords, alwaysYes } from './answer-controls/same-answer.ts';
import { swappedEvidence } from './answer-controls/swapped-evidence.ts';

/** The controls that stand beside every reader at little cost: `multihop eval --controls`. */
export const USUAL_CONTROLS: readonly string[] = [
  'always-yes',
  'majority-by-predicted-type',
  'all-cue-words',
];

/** All answer controls by name. */
export const answerControls: Family<AnswerControl> = family('control', [
  alwaysYes,
  majority,
  allCueWords,
  questionOnly,
  swappedEvidence,
  flippedEvidence,
]);
