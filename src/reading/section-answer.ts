/** Answers a question as `section-reader` does, for readers that hand questions over. */
import type { SectionModel } from '../models/section-reader/section-checkpoint.ts';
import type { Answer, Citation } from '../trace/trace.ts';
import { stated } from './confidence.ts';
import type { Reading } from './fact-answer.ts';
import { INSUFFICIENT } from './reader.ts';
import { type Asked, askedForm, askedParts } from './sections/asked-form.ts';
import { decideValue, type ValueDecision, valueCandidates } from './sections/decide.ts';
import { passageOf } from './sections/passage.ts';
import { readSections, type Sections } from './sections/section-units.ts';
import { comparesThings, sectionVerdict } from './sections/section-verdict.ts';
import { citationOf } from './shown-passages.ts';
import { shownSentences } from './shown-sentences.ts';

/** Reason of an abstention from a question whose answer is a passage. */
export const PASSAGE_ANSWERS =
  'The passage that answers is shown: how and why have no answer of a few words.';
/** Reason of an abstention from a comparison. */
export const UNCOMPARED = 'The evidence is shown; no sentence of it compares the things.';

/** Answers as `section-reader` does. */
export async function readSectionAnswer(reading: Reading): Promise<Answer> {
  const { question, context, evidence, kit, call } = reading;
  if (evidence.length === 0) return unanswered(INSUFFICIENT);
  const shown = await shownSentences(context, kit.engine, call);
  const ids = [...new Set(shown.map(({ documentId }) => documentId))];
  const sections = readSections(shown, await kit.engine.read('document', ids, call), evidence);
  const cite = (units: readonly number[]): Citation[] =>
    units.flatMap(index => citationOf(sections.units[index]!.sentence, evidence) ?? []);
  const parts = askedParts(question.text).map(askedForm);
  const withPassage = (reason: string): Answer => {
    const citations = cite(passageOf(askedForm(question.text).subject, sections));
    return citations.length === 0
      ? unanswered(INSUFFICIENT)
      : { ...unanswered(reason), sides: [{ claim: question.text, citations }] };
  };
  if (parts.some(({ form }) => form === 'manner')) return withPassage(PASSAGE_ANSWERS);
  if (parts.some(part => isCompared(part))) return withPassage(UNCOMPARED);
  const answers = await Promise.all(parts.map(part => answerTo(part, sections)));
  const found = answers.filter(answer => answer !== undefined);
  if (found.length < parts.length) return unanswered(INSUFFICIENT);
  const share = found.reduce((product, answer) => product * answer.share, 1);
  const form = parts.length === 1 && parts[0]!.form === 'verdict' ? 'statement' : 'value';
  const others = found.length === 1 ? found[0]!.others : [];
  return {
    kind: 'answered',
    text: found.map(({ text }) => text).join('; '),
    citations: cite([...new Set(found.flatMap(({ units }) => units))]),
    support: share,
    ...(await stated(form, share, others)),
  };
}

const unanswered = (reason: string): Extract<Answer, { readonly kind: 'abstained' }> => ({
  ...{ kind: 'abstained', reason, support: 0 },
});

const isCompared = ({ form, subject }: Asked): boolean =>
  form === 'choice' || (form === 'verdict' && comparesThings(subject));

async function answerTo(asked: Asked, sections: Sections): Promise<ValueDecision | undefined> {
  if (asked.form !== 'verdict')
    return decideValue(valueCandidates(asked, sections), await shippedModel());
  const verdict = sectionVerdict(asked, sections);
  if (!verdict) return undefined;
  const { yes, unit, share } = verdict;
  return { text: yes ? 'Yes' : 'No', units: [unit], share, others: [] };
}

/** Loads the weights on first use: no other reader pays for them. */
const shippedModel = async (): Promise<SectionModel> =>
  (await import('../models/section-reader/shipped.ts')).shippedSections();
