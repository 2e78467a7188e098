/**
 * Declares the parameters of IR-CoT and the limits of its profiles.
 */
import type { SettingsOf } from '../../core/naming/family.ts';
import type { ParagraphRules } from './paragraphs.ts';
import { IR_COT_PROFILES } from './reply.ts';

export const IR_COT_PARAMETERS = [
  {
    name: 'profile',
    type: 'text',
    default: 'original',
    choices: IR_COT_PROFILES as typeof IR_COT_PROFILES,
    shown: true,
    summary: 'the loop of the paper’s code, or of the text or the code of the Group-8 comparison',
  },
  {
    name: 'k',
    type: 'integer',
    summary: 'hits of a search (comparison-code: of the first; then 1)',
  },
  {
    name: 'steps',
    type: 'integer',
    default: 0,
    min: 0,
    max: 100,
    summary: 'sentences at most; 0: 8, in comparison-code 10',
  },
  {
    name: 'paragraphs',
    type: 'integer',
    default: 0,
    min: 0,
    max: 1e6,
    summary: 'paragraphs at most; 0: 15, in comparison-code no limit',
  },
  { name: 'words', type: 'integer', summary: 'words of a paragraph that a prompt shows' },
  {
    name: 'longest',
    type: 'integer',
    default: 600,
    min: 1,
    max: 1e6,
    summary: 'words of the longest paragraph; longer ones are rejected',
  },
  {
    name: 'alike',
    type: 'number',
    default: 90,
    min: 0,
    max: 100,
    summary: 'edit ratio from which two titles and two texts count as equal',
  },
  { name: 'demonstrations', type: 'integer' },
  { name: 'prompt', type: 'integer' },
  { name: 'answer', type: 'text', choices: ['own', 'reader'] },
  { name: 'thoughts', type: 'text', choices: ['any', 'model', 'extracted'] },
] as const;

export type IrCotSettings = SettingsOf<typeof IR_COT_PARAMETERS>;

export interface IrCotLimits extends ParagraphRules {
  readonly steps: number;
  /** Number of retrievals in a row without a new paragraph that ends the run. */
  readonly empty: number;
}

export function limitsOf({
  profile,
  steps,
  paragraphs,
  longest,
  alike,
}: IrCotSettings): IrCotLimits {
  const code = profile === 'comparison-code';
  return {
    steps: steps || (code ? 10 : 8),
    cap: paragraphs || (code ? Number.POSITIVE_INFINITY : 15),
    longest,
    alike,
    byTitle: code,
    // The comparison's code continues to its last step, whatever it finds.
    empty: code ? Number.POSITIVE_INFINITY : 2,
  };
}
