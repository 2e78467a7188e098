/** Reads a sample once and keeps what every fit and figure needs of it. */
import { Asked } from '../../../src/language/asked.ts';
import { type AnswerEvidence, answerEvidence } from '../../../src/readers/open/answerable.ts';
import { candidatesOf, type ScoredCandidates } from '../../../src/readers/open/decide.ts';
import { readOpen } from '../../../src/readers/open/passages.ts';
import type { FeatureRow, FeatureTable } from './feature-table.ts';
import type { OpenSample } from './open-sample.ts';

export interface OpenRead {
  readonly candidates: ScoredCandidates;
  /** By span. */
  readonly rows: readonly FeatureRow[];
  readonly evidence: AnswerEvidence;
}

export function readSample(
  { question, titles, sentences }: Omit<OpenSample, 'answers' | 'set'>,
  table: FeatureTable,
): OpenRead {
  const reading = readOpen(new Asked(question), titles, sentences);
  const { spans, ...others } = candidatesOf(reading);
  return {
    candidates: {
      ...others,
      spans: spans.map(({ text, sentence, match }) => ({ text, sentence, match })),
    },
    rows: spans.map(({ features }) => table.row(features)),
    evidence: answerEvidence(reading),
  };
}
