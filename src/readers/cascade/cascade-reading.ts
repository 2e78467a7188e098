/** Reads a question without a language model, and with one where that leaves it unsure. */
import { required } from '../../core/port.ts';
import type { Answer } from '../../core/trace/trace.ts';
import type { CascadeModel } from '../../models/cascade/cascade-checkpoint.ts';
import { languageModel } from '../../models/ports.ts';
import type { Answered } from '../draft.ts';
import type { Generative } from '../generative-reading.ts';
import { type Reader, type Reading, readerOf } from '../reader.ts';
import { candidateTexts } from './candidates.ts';
import { chosenAnswer, saidFirst } from './choice.ts';

const MODEL = required(languageModel);

/** Both sides of a cascade. */
export interface CascadeSides {
  readonly rules: Reader;
  readonly model: Generative;
  /** Probability from which an answer of the rules stands. */
  readonly sure: number;
  /** Returns the weights that were fitted to a language model; undefined without such weights. */
  weightsFor(model: string): Promise<CascadeModel | undefined>;
  /** Receives what both sides say where the model is asked. */
  onBoth?(rules: Answer, said: Answered): void;
}

export function cascadeReading(name: string, sides: CascadeSides): Reader {
  const { rules, model, sure, weightsFor, onBoth } = sides;
  const { needs, modelCalls } = model;
  const read = async (reading: Reading): Promise<Answer> => {
    const { question, context, evidence, kit, call } = reading;
    const found = await rules.read(question, context, evidence, kit, call);
    if (isSure(found, Math.max(sure, kit.answerAt ?? 0))) return found;
    const said = await model.readWith(reading, candidateTexts(found));
    onBoth?.(found, said);
    const weights = await weightsFor(kit.resource(MODEL).id);
    return weights ? chosenAnswer(found, said, weights) : saidFirst(found, said);
  };
  return readerOf(name, read, { needs, modelCalls });
}

/** Tells whether an answer of the rules stands. */
export const isSure = (answer: Answer, least: number): boolean =>
  answer.kind === 'answered' && answer.probability !== undefined && answer.probability >= least;
