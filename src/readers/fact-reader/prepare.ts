/** Computes all inputs of the fact reader's models, for reading and for learning alike. */

import { analysisOf } from '../../core/corpus/analysis-cache.ts';
import type { Evidence } from '../../core/trace/trace.ts';
import { Asked, askedOver } from '../../language/asked.ts';
import type { MetadataCatalogue } from '../../language/catalogue.ts';
import { entityNames } from '../../language/english/names/entity-names.ts';
import { writtenInFull } from '../../language/english/names/full-names.ts';
import { withNamesOf } from '../../language/english/names/recognised-names.ts';
import { sentenceSupport } from '../../language/english/words/content-words.ts';
import { dateAnswer } from '../date-answer.ts';
import type { Features } from '../features.ts';
import type { ShownEvidence } from '../reader.ts';
import { saidSentences } from '../shown-sentences.ts';
import { answerableFeatures } from './answerable-features.ts';
import { type Candidate, entityCandidates, requestedEntity } from './entity-features.ts';
import { articlesOf } from './evidence-articles.ts';
import { questionFeatures } from './question-features.ts';
import { type FactReading, readFacts } from './reading.ts';

export type AnswerForm = 'verdict' | 'date' | 'entity';

export interface Prepared {
  readonly reading: FactReading;
  readonly form: AnswerForm;
  readonly type: Features;
  readonly answerable: Features;
  /** The same, with the masked words of the question. */
  readonly byForm: Features;
  /** The date that answers a question for one, with its sentence. */
  readonly date: ReturnType<typeof dateAnswer>;
  /** Candidates of a question that asks for an entity. */
  readonly candidates: readonly Candidate[];
  /**
   * Returns a candidate's name in full if it is a person's last name and a document contains the
   * full one. Computed when asked, since few candidates are answers.
   */
  fullName(candidate: Candidate): string;
}

export async function prepare(
  { question: { text: asked }, context, evidence, kit: { engine }, call }: ShownEvidence,
  catalogue: MetadataCatalogue,
): Promise<Prepared> {
  const shown = await saidSentences(context, engine, call);
  const texts = [...evidence.map(({ title }) => title), ...shown.map(({ text }) => text)];
  const analysis = analysisOf(engine);
  const plain = askedOver(asked, catalogue, analysis).text;
  const question = new Asked(withNamesOf(plain, texts, catalogue), catalogue);
  const reading = readFacts(question, context, evidence, shown, catalogue);
  const form = formOf(question);
  const type = questionFeatures(question.text, catalogue);
  const candidates =
    form === 'verdict'
      ? []
      : entityCandidates(reading, entityNames(reading.parts, reading.sentences));
  const ids = [...new Set(reading.parts.map(({ documentId }) => documentId))];
  const documents = await engine.read('document', ids, call);
  const articles = articlesOf(reading, documents, analysis);
  const answerable = answerableFeatures(reading, context, evidence, articles, candidates);
  const isPerson = requestedEntity(question.sought).kind === 'person';
  const whole = documents.map(({ text }) => text);
  return {
    reading,
    form,
    type,
    answerable,
    byForm: new Map([...type, ...answerable]),
    date: form === 'date' ? dateOf(reading, evidence) : undefined,
    candidates,
    fullName: ({ name: { text, common } }) =>
      (isPerson && !common && !/\s/.test(text) && writtenInFull(text, whole)) || text,
  };
}

function formOf({ sought: { kind } }: Asked): AnswerForm {
  return kind === 'time' ? 'date' : kind === 'verdict' ? 'verdict' : 'entity';
}

function dateOf(
  { asked: { text: question }, sentences }: FactReading,
  evidence: readonly Evidence[],
): Prepared['date'] {
  const texts = sentences.map(({ text }) => text);
  return dateAnswer(question, evidence, sentences, sentenceSupport(question, texts));
}
