/**
 * `section-reader`: reads documentation, whose sentences mean little without the headings above
 * them: "Default: 10" below "maxsockets".
 *
 * The question tells the form of its answer: a number with its unit, a version, a setting, a
 * command, a definition, a name, a date, yes or no. Texts of that form are ranked by how far their
 * sentence, section and place hold the question's words. Yes and no follow from one sentence that
 * mentions all of the question, and from what it denies. How and why have no answer of a few
 * words. See docs/papers/section-reader.md.
 */
import { type Member, member } from '../core/naming/family.ts';
import type { Answer } from '../core/trace/trace.ts';
import { readQuestion } from '../planning/metadata/extractor.ts';
import { abstained, cited, supported, withProbability } from './draft.ts';
import { type Reader, type Reading, readerOf, type ShownEvidence } from './reader.ts';
import { answerQuestion, isCompared } from './sections/answer-parts.ts';
import { readSections, type Sections } from './sections/section-units.ts';
import { saidSentences } from './shown-sentences.ts';

export const sectionReader: Member<Reader> = member({
  name: 'section-reader',
  summary:
    'Documentation under headings: numbers with units, versions, settings, commands, definitions, names, yes or no; none to how and why',
  paper: 'ours; weights fitted on half of the questions of bench/documents',
  cost: 'no model',
  create: (_settings, name) => readerOf(name, readSectionAnswer),
});

/** Reason of an abstention from how and why; nothing here says if the evidence answers them. */
export const NO_SHORT_ANSWER = 'How and why have no answer of a few words; the evidence is shown';
/** Reason of an abstention from a comparison. */
export const UNCOMPARED =
  'The evidence is shown; it does not state values of both things that are compared';

async function readSectionAnswer(reading: Reading): Promise<Answer> {
  const { question, evidence, kit, call } = reading;
  if (evidence.length === 0) return abstained();
  const asked = await readQuestion(question.text, kit.engine, call);
  if (asked.values.some(({ form }) => form === 'manner')) return abstained(NO_SHORT_ANSWER);
  const sections = await shownSections(reading);
  const sentences = sections.units.map(({ sentence }) => sentence);
  // Loaded on first use: no other reader pays for the weights.
  const { shippedSections } = await import('../models/section-reader/shipped.ts');
  const draft = answerQuestion(asked, sections, shippedSections());
  if (!draft) return abstained(asked.values.some(isCompared) ? UNCOMPARED : undefined);
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
