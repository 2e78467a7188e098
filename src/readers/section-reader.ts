/**
 * `section-reader`: reads documentation, whose sentences mean little without the headings above
 * them: "Default: 10" below "maxsockets".
 *
 * The question tells the form of its answer: a number with its unit, a version, a setting, a
 * command, a name, a date, yes or no. Texts of that form are ranked by how far their sentence,
 * section and place hold the question's words; yes and no rest on one sentence and what it denies.
 * How, why and comparisons have no answer of a few words. See docs/papers/section-reader.md.
 */
import { type Member, member } from '../core/naming/family.ts';
import type { Answer } from '../core/trace/trace.ts';
import { isCompared } from '../language/english/question/compared-sides.ts';
import { readQuestion } from '../planning/metadata/extractor.ts';
import { abstained, cited, supported, withProbability } from './draft.ts';
import { type Reader, type Reading, readerOf, type ShownEvidence } from './reader.ts';
import { candidatesOf, decideValue } from './sections/decide.ts';
import { readSections, type Sections } from './sections/section-units.ts';
import { saidSentences } from './shown-sentences.ts';

export const sectionReader: Member<Reader> = member({
  name: 'section-reader',
  summary:
    'Documentation under headings: numbers with units, versions, settings, commands, persons, words, yes or no; none to how, why and comparisons',
  paper: 'ours; weights fitted on half of the questions of bench/documents',
  cost: 'no model',
  create: (_settings, name) => readerOf(name, readSectionAnswer),
});

/** Reason of an abstention from how and why; nothing here says if the evidence answers them. */
export const NO_SHORT_ANSWER = 'How and why have no answer of a few words; the evidence is shown';
/** Reason of an abstention from a comparison. */
export const UNCOMPARED = 'A comparison follows from no single sentence; the evidence is shown';
/** Reason of an abstention from a question that asks several things. */
export const SEVERAL = 'The question asks several things; the evidence is shown';

async function readSectionAnswer(reading: Reading): Promise<Answer> {
  const { question, evidence, kit, call } = reading;
  if (evidence.length === 0) return abstained();
  const { values } = await readQuestion(question.text, kit.engine, call);
  if (values.some(({ form }) => form === 'manner')) return abstained(NO_SHORT_ANSWER);
  if (values.some(isCompared)) return abstained(UNCOMPARED);
  if (values.length > 1) return abstained(SEVERAL);
  const sections = await shownSections(reading);
  const sentences = sections.units.map(({ sentence }) => sentence);
  // Loaded on first use: no other reader pays for the weights.
  const { shippedSections } = await import('../models/section-reader/shipped.ts');
  const draft = decideValue(candidatesOf(values[0]!, sections), shippedSections());
  if (!draft) return abstained();
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
