/** `always-yes` and `all-cue-words`: give every question the same answer. */
import { type Member, member } from '../../core/naming/family.ts';
import type { AnswerControl } from './answer-control.ts';

const sameAnswer = (name: string, summary: string, text: string): Member<AnswerControl> =>
  member({
    name,
    summary: `${summary}; reads no document`,
    create: (_settings, canonical) => ({
      name: canonical,
      over: 'questions',
      treat: runs => runs.map(() => ({ kind: 'says', rule: 'same', text })),
    }),
  });

/** Most verdict questions of MultiHop-RAG have it as gold. */
export const alwaysYes: Member<AnswerControl> = sameAnswer(
  'always-yes',
  'yes to everything',
  'Yes',
);

/**
 * Every word that is a verdict somewhere in the benchmark, then the most common words of names.
 * `QaAccuracy(official)` asks for one shared word, so this is right on every question whose gold
 * answer has one of them: it shows what that measure is worth, and `QaAccuracy(strict)` gives it 0.
 */
export const allCueWords: Member<AnswerControl> = sameAnswer(
  'all-cue-words',
  'every word that is a verdict somewhere in the benchmark, and common words of names',
  'yes no true false consistent inconsistent agree agreement disagree similar different same before after insufficient information. the of and',
);
