/** Lists the family of answer controls. */

import { type Family, family } from '../core/naming/family.ts';
import type { AnswerControl } from '../evaluation/answer-controls/answer-control.ts';
import { flippedEvidence } from '../evaluation/answer-controls/flipped-evidence.ts';
import { swappedEvidence } from '../evaluation/answer-controls/swapped-evidence.ts';
import { questionOnly } from './question-only/question-only.ts';

/** All answer controls by name. */
export const answerControls: Family<AnswerControl> = family('control', [
  questionOnly,
  swappedEvidence,
  flippedEvidence,
]);
