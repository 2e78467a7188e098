/**
 * Holds a plan of `fact-lanes`: lines to search for that a language model writes once, or that are
 * replayed. Where a later line needs the answer of an earlier one (`#1`), it is read from the best
 * sections of that one; an answer that none of them has is not put into it.
 */
import { subjectAt } from '../../core/corpus/outline.ts';
import type { Need } from '../../core/port.ts';
import type { ModelOutput } from '../../core/trace/trace.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import type { PlannedCalls } from '../../models/planned-calls.ts';
import { repairable } from '../../models/repairable-calls.ts';
import { degraded, ModelInUse } from '../../planning/model-in-use.ts';
import { LONG_QUESTION, longParagraphs } from '../../planning/passages-answer.ts';
import { boundQuery } from '../../planning/sub-questions/bind.ts';
import { modelSubAnswer, subAnswerPrompt } from '../../planning/sub-questions/model-sub-answer.ts';
import { decomposePrompt, splitByModel } from '../../planning/sub-questions/model-sub-questions.ts';
import { type ReadAnswer, UNKNOWN } from '../../planning/sub-questions/read-answer.ts';
import { citationsOf, type ReadPassage } from '../../planning/sub-questions/read-passage.ts';
import { replayedSubQuestions } from '../../planning/sub-questions/recorded-sub-questions.ts';
import { referencesIn } from '../../planning/sub-questions/references.ts';
import { relatedSubAnswer } from '../../planning/sub-questions/related-sub-answer.ts';
import type { StrategyQuery } from '../../search/retriever.ts';
import { modelNeed } from '../usual-settings.ts';
import type { LanesRun } from './run.ts';
import type { Section } from './section-rank.ts';
import type { FactLanesSettings } from './settings.ts';
import { THOUGHT_CALL } from './thought.ts';
import type { LanesView } from './view.ts';

export const SPLIT = { parts: 3, chained: true, searched: true } as const;

/** Sections from which the answer of a line is read, and the tokens of that prompt, at most. */
const READ_SECTIONS = 8;
const READ_TOKENS = 2000;

/** Returns the need of the model that plans; a replayed plan is read by rules without one. */
export const planNeed = ({ plan }: FactLanesSettings): Need<LanguageModel> | undefined =>
  plan === 'none' ? undefined : modelNeed(plan === 'model' ? 'model' : 'any');

/** Plans the calls of one question: the plan, and the answers that later lines need. */
export function planCalls({ plan }: FactLanesSettings): PlannedCalls[] {
  if (plan === 'none') return [];
  const passages = longParagraphs(READ_SECTIONS, READ_TOKENS);
  const prompt = subAnswerPrompt(LONG_QUESTION, passages);
  const reading = repairable(prompt, SPLIT.parts - 1, READ_TOKENS);
  if (plan === 'replayed') return [reading];
  return [repairable(decomposePrompt(LONG_QUESTION, SPLIT), 1), reading, THOUGHT_CALL];
}

export class Planned {
  /** In order; none if there is no plan. */
  lines: readonly string[] = [];
  private recorded: readonly (string | undefined)[] = [];
  private readonly read: ReadAnswer[] = [];
  private readonly sections: (readonly Section[])[] = [];
  private outputs: ModelOutput[] = [];
  private readonly run: LanesRun;
  private readonly model: ModelInUse;

  constructor(run: LanesRun) {
    this.run = run;
    const need = planNeed(run.settings);
    this.model = new ModelInUse(need && run.kit.resource(need));
  }

  /** Throws `InputError('no-sub-questions')` if recorded ones are required and none were given. */
  async make(question: string): Promise<void> {
    const { settings, learning, call } = this.run;
    if (settings.plan === 'none') return;
    if (settings.plan === 'replayed') {
      const from = { strategy: 'fact-lanes', instead: 'plan=model' };
      const list = replayedSubQuestions(learning.recorded, question, SPLIT.parts, from);
      this.lines = list.map(({ question: line }) => line);
      this.recorded = list.map(({ answer }) => answer);
      if (list.length === 0) this.outputs.push(degraded('No recorded plan for this question'));
    } else {
      const otherwise = 'the question is searched as it is';
      const split = await splitByModel(this.model, question, SPLIT, otherwise, call);
      this.lines = split?.questions ?? [];
      this.outputs.push(...(split?.outputs ?? []));
    }
    const text = JSON.stringify({ by: settings.plan, subQuestions: this.lines });
    this.outputs.push({ role: 'plan', text, parsed: true });
  }

  /** Returns the query of a line, with the answers that it needs, and the section that has them. */
  query(line: string, { lanes, found }: LanesView): StrategyQuery & { readonly text: string } {
    const settings = { mustOccur: true, fallback: lanes[0]! };
    const { text, from } = boundQuery(line, this.read, settings);
    const sections = (from && this.sections[from.hop]) ?? [];
    const section = sections.find(({ passage }) => passage.id === from?.id) ?? sections[0];
    // The best sentence decides that sections are searched.
    const { hit, search } = section ?? found[0]!;
    return { text, from: { ...search, id: hit.id } };
  }

  /** Reads the answer of the next line from its sections, best first, if a later one needs it. */
  async answer(text: string, sections: readonly Section[]): Promise<void> {
    const at = this.read.length;
    this.sections.push(sections);
    const isNeeded = this.lines.slice(at + 1).some(line => referencesIn(line).includes(at + 1));
    const passages = sections.slice(0, READ_SECTIONS).map(asPassage);
    const answer = isNeeded ? await this.readFrom(text, passages, this.recorded[at]) : UNKNOWN;
    this.outputs.push(...answer.outputs);
    this.read.push(answer);
  }

  private async readFrom(
    text: string,
    passages: readonly ReadPassage[],
    recorded: string | undefined,
  ): Promise<ReadAnswer> {
    if (recorded !== undefined) {
      const occurrences = citationsOf(recorded, passages);
      return { ...UNKNOWN, answer: recorded, occurrences };
    }
    const { call } = this.run;
    if (!this.model.present) return relatedSubAnswer(text, passages);
    const read = await this.model.ask(language =>
      modelSubAnswer(language, text, passages, call, READ_TOKENS),
    );
    return read ?? UNKNOWN;
  }

  /** Returns and clears the outputs since the last call. */
  takeOutputs(): ModelOutput[] {
    const taken = [...this.outputs, ...this.model.takeNotes()];
    this.outputs = [];
    return taken;
  }

  /** Throws the failure of the model, if there was one. */
  end(): void {
    this.model.end();
  }
}

const asPassage = ({ document, passage }: Section): ReadPassage => ({
  id: passage.id,
  documentId: document.id,
  about: '',
  start: passage.start,
  title: subjectAt(document, passage.start),
  text: passage.text,
});
