/**
 * `span`: an extractive question answering model finds the answer in the evidence; the sentences
 * that it stands in are cited.
 *
 * The model reads the whole context, in windows if it is longer than the model reads at once. No
 * span says yes or no: such questions are not answered.
 */

import { type Member, member } from '../core/naming/family.ts';
import { printName } from '../core/naming/name.ts';
import { required } from '../core/port.ts';
import { asksYesOrNo } from '../language/english/question/question-type.ts';
import { questionAnswerer } from '../models/ports.ts';
import { abstained, supported } from './draft.ts';
import { type Reader, readerOf } from './reader.ts';
import { shownPassages } from './shown-passages.ts';
import { spanDraft } from './span-answer.ts';

/** The model in the package `@multihop/span-minilm`. */
const SHIPPED = 'span-minilm';

export const span: Member<Reader> = member({
  name: 'span',
  summary:
    'An extractive question answering model finds the answer in the shown text and cites its sentences; no yes or no',
  paper:
    'Devlin et al., BERT: Pre-training of Deep Bidirectional Transformers, NAACL 2019, sections 4.2 and 4.3',
  cost: 'one call of a question answering model',
  parameters: [
    {
      name: 'model',
      type: 'member',
      default: { name: SHIPPED, args: [] },
      positional: true,
      shown: true,
      canonical: printName,
      port: 'question-answerer',
      summary:
        'a model in ONNX: a folder in MULTIHOP_MODELS, hub:ORG/NAME, or span-minilm, a package of its own',
    },
    {
      name: 'support',
      type: 'number',
      default: 0.5,
      min: 0,
      max: 1.01,
      summary: 'abstain below this probability of the answer against none (0: never)',
    },
  ],
  create({ model, support: least }, name) {
    const need = required(questionAnswerer, printName(model));
    return readerOf(
      name,
      async ({ question, context, evidence, kit, call }) => {
        if (asksYesOrNo(question.text)) return { kind: 'abstained', reason: NO_VERDICT };
        const passages = await shownPassages(context, kit.engine, call);
        const found = await kit.resource(need).answer(question.text, context.text, call);
        const draft = spanDraft(found, context, passages, evidence);
        return draft ? supported(draft, draft.support, least) : abstained();
      },
      { needs: [need] },
    );
  },
});

const NO_VERDICT = 'A span of the evidence cannot say yes or no';
