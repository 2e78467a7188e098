/**
 * `section-reader`: reads documentation, whose sentences mean little without the headings above
 * them: "Default: 10" below "maxsockets".
 *
 * The question tells the form of its answer: a number with its unit, a version, a setting, a
 * command, a definition, a name, a date, yes or no. Texts of that form are ranked by how far their
 * sentence, section and place hold the question's words. Yes and no follow from one sentence that
 * mentions all of the question, and from what it denies. How and why are answered by a passage,
 * which is shown without a pretended answer. See docs/papers/section-reader.md.
 */
import { type Member, member } from '../core/naming/family.ts';
import type { Answer } from '../core/trace/trace.ts';
import { readQuestion } from '../planning/metadata/extractor.ts';
import { abstained, cited, supported, withProbability } from './draft.ts';
import { type Reader, type Reading, readerOf, type ShownEvidence } from './reader.ts';
import { answerQuestion, isCompared } from './sections/answer-parts.ts';
import { passageOf } from './sections/passage.ts';
import { readSections, type Sections } from './sections/section-units.ts';
import { saidSentences } from './shown-sentences.ts';

export const sectionReader: Member<Reader> = member({
  name: 'section-reader',
  summary:
    'Documentation under headings: numbers with units, versions, settings, commands, definitions, names, yes or no; shows the passage of how and why',
  paper: 'ours; weights fitted on half of the questions of bench/documents',
  cost: 'no model',
  create: (_settings, name) => readerOf(name, readSectionAnswer),
});

/** Reason of an abstention from a question whose answer is a passage. */
export const PASSAGE_ANSWERS =
  'The passage that answers is shown: how and why have no answer of a few words.';
/** Reason of an abstention from a comparison. */
export const UNCOMPARED =
  'The evidence is shown; it does not state values of both things that compare.';

async function readSectionAnswer(reading: Reading): Promise<Answer> {
  const { question, evidence, kit, call } = reading;
  const asked = await readQuestion(question.text, kit.engine, call);
  const sections = await shownSections(reading);
  const sentences = sections.units.map(({ sentence }) => sentence);
  const withPassage = (reason: string): Answer => {
    const passage = passageOf(asked.value.subject, sections);
    const citations = cited(passage, sentences, evidence);
    return citations.length === 0
      ? abstained()
      : { ...abstained(reason), sides: [{ claim: question.text, citations }] };
  };
  if (asked.values.some(({ form }) => form === 'manner')) return withPassage(PASSAGE_ANSWERS);
  // Loaded on first use: no other reader pays for the weights.
  const { shippedSections } = await import('../models/section-reader/shipped.ts');
  const draft = answerQuestion(asked, sections, shippedSections());
  if (!draft) return asked.values.some(isCompared) ? withPassage(UNCOMPARED) : abstained();
  const citations = cited(draft.sentences, sentences, evidence);
  return withProbability(supported({ text: draft.text, citations }, draft.share, 0), draft);
}

/** Reads the sentences that a context shows, with the sections that they stand in. */
export async function shownSections({
  context,
  evidence,
  kit: { engine },
  call,
}: Omit<ShownEvidence, 'question'>): Promise<Sections> {
  const shown = await saidSentences(context, engine, call);
  const ids = [...new Set(shown.map(({ documentId }) => documentId))];
  const documents = await engine.read('document', ids, call);
  return readSections(shown, documents, evidence);
}
