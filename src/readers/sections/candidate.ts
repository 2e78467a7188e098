/** Declares candidates: texts of the evidence that may be the answer. */
import type { AskedValue } from '../../language/english/question/asked-form.ts';
import { defaultValues } from '../../language/english/values/default-values.ts';
import type { SectionFeatures } from '../../models/section-reader/section-checkpoint.ts';
import type { Section, SectionUnit } from './section-units.ts';

export interface Candidate {
  readonly text: string;
  readonly unit: number;
  /** Offset in its sentence. */
  readonly start: number;
  /** From 0 to 1: how clearly it has the form that is asked for. */
  readonly form: number;
  /** True if its sentence states it as a default. */
  readonly isDefault: boolean;
}
export type Found = Omit<Candidate, 'unit'>;

export interface ValueCandidate extends Candidate {
  readonly features: SectionFeatures;
}

/** Form clear by a unit, a label or a word beside it; likely by its place; possible. */
export const CLEAR = 1;
export const LIKELY = 0.7;
export const POSSIBLE = 0.4;

/** A sentence in which candidates are sought. */
export interface Place {
  readonly asked: AskedValue;
  readonly unit: SectionUnit;
  readonly section: Section;
  /** Stems of the question. */
  readonly known: ReadonlySet<string>;
}

export const plain = (text: string, start: number, form: number): Found => ({
  text,
  start,
  form,
  isDefault: false,
});

/** Returns the values that a sentence states as defaults; code states none. */
export const defaultsOf = ({ text, kind }: Pick<SectionUnit, 'text' | 'kind'>): Found[] =>
  kind === 'code'
    ? []
    : defaultValues(text).map(value => ({ ...value, form: CLEAR, isDefault: true }));
