/**
 * `generative`: a language model answers from the context and names the passages that it used; its
 * output is checked.
 *
 * Makes one call a question; the short form, JSON, may take a second one to repair it. Passages are
 * shown as numbered data; a citation of a number that was not shown is dropped, and an answer
 * without a valid citation is withheld. Parts of the answer that the cited passages do not contain
 * are marked `unsupported`. In free form each sentence cites for itself, by the numbers of the
 * documents of the evidence.
 */

import { type Member, member } from '../core/naming/family.ts';
import { GENERATIVE_PARAMETERS, generativeWith } from './generative-reading.ts';
import { type Reader, readerOf } from './reader.ts';

export const generative: Member<Reader> = member({
  name: 'generative',
  summary:
    'A language model answers from the passages and cites them sentence by sentence; citations are checked, and unsupported parts are marked',
  paper:
    'after the final answer of Hieu et al., Multi-Hop Retrieval-Augmented Generation for Question Answering, 2025, with citations',
  cost: '1 model call; in short form 2 if its JSON is repaired',
  parameters: GENERATIVE_PARAMETERS,
  create(settings, name) {
    const { readWith, ...declared } = generativeWith(settings);
    return readerOf(name, reading => readWith(reading), declared);
  },
});
