/** Lists the family of answer controls. */

import { type Family, family } from '../core/naming/family.ts';
import type { AnswerControl } from './answer-controls/answer-control.ts';
import { flippedEvidence } from './answer-controls/flipped-evidence.ts';
import { questionOnly } from './answer-controls/question-only.ts';
import { swappedEvidence } from './answer-controls/swapped-evidence.ts';

/** All answer controls by name. */
export const answerControls: Family<AnswerControl> = family('control', [
  questionOnly,
  swappedEvidence,
  flippedEvidence,
]);
