/**
 * `cascade`: the reader without a model answers what it is sure of; a language model reads the
 * rest, with the candidates of that reader in its prompt. For a model that weights are fitted to,
 * these choose between both and state how probable the choice is; the answer of any other model
 * stands, without a probability.
 *
 * A cascade of models (Viola and Jones, 2001; Chen et al., FrugalGPT, 2023): the cheap one answers
 * first, the dear one is asked about what is left.
 */
import { type Member, member } from '../core/naming/family.ts';
import { required } from '../core/port.ts';
import type { Answer } from '../core/trace/trace.ts';
import { languageModel } from '../models/ports.ts';
import { candidateTexts } from './cascade/candidates.ts';
import { chosenAnswer, saidAlone } from './cascade/choice.ts';
import { stands } from './cascade/sure-answer.ts';
import { GENERATIVE_PARAMETERS, generativeWith } from './generative-reading.ts';
import { type Reader, type Reading, readerOf } from './reader.ts';

const MODEL = required(languageModel);

/** The reader without a model. */
const RULES = 'combined-reader';

export const cascade: Member<Reader> = member({
  name: 'cascade',
  summary:
    'combined-reader answers what it is sure of; a language model reads the rest, and fitted weights choose between both',
  paper: 'ours, after Chen et al., FrugalGPT, 2023',
  cost: 'no model call where combined-reader is sure, else those of generative',
  parameters: [
    ...GENERATIVE_PARAMETERS,
    {
      name: 'sure',
      type: 'number',
      default: 0.7,
      min: 0,
      max: 1.01,
      summary:
        'probability from which an answer of combined-reader stands, unless a run asks for more (1.01: the model is always asked)',
    },
  ],
  create({ sure, ...settings }, name, readers) {
    const rules = readers.create(RULES);
    const { readWith, ...declared } = generativeWith(settings);
    const read = async (reading: Reading): Promise<Answer> => {
      const { question, context, evidence, kit, call } = reading;
      const found = await rules.read(question, context, evidence, kit, call);
      const least = Math.max(sure, kit.answerAt ?? 0);
      if (await stands(found, least, reading)) return { ...found, readBy: rules.name };
      const said = await readWith(reading, candidateTexts(found));
      // Loaded on first use: no other reader pays for the weights.
      const { cascadeFor } = await import('../models/cascade/shipped.ts');
      const weights = cascadeFor(kit.resource(MODEL).id);
      const sides = { rules: found, said, question: question.text, by: rules.name };
      return weights ? chosenAnswer(sides, weights) : saidAlone(sides);
    };
    return readerOf(name, read, declared);
  },
});
