/** Computes all inputs of the fact reader's models, for reading and for learning alike. */

import { analysisOf } from '../../core/corpus/analysis-cache.ts';
import type { Document } from '../../core/corpus/document.ts';
import type { Call } from '../../core/trace/call.ts';
import type { ContextText, Evidence } from '../../core/trace/trace.ts';
import { Asked, askedOver } from '../../language/asked.ts';
import type { MetadataCatalogue } from '../../language/catalogue.ts';
import { entityNames } from '../../language/english/names/entity-names.ts';
import { writtenInFull } from '../../language/english/names/full-names.ts';
import { withNamesOf } from '../../language/english/names/recognised-names.ts';
import type { SearchEngine } from '../../search/engine.ts';
import { shownSentences } from '../shown-sentences.ts';
import { answerableFeatures } from './answerable-features.ts';
import { type Candidate, entityCandidates, requestedEntity } from './entity-features.ts';
import { articlesOf } from './evidence-articles.ts';
import type { Features } from './features.ts';
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
  /** Candidates of a question that asks for an entity. */
  readonly candidates: readonly Candidate[];
  /**
   * Returns the full name of a candidate's last name, if its documents contain it; answers name
   * persons in full. Computed when asked, since few candidates are answers.
   */
  readonly full: Pick<ReadonlyMap<string, string>, 'get'>;
}

export async function prepare(
  asked: string,
  context: ContextText,
  evidence: readonly Evidence[],
  engine: SearchEngine,
  catalogue: MetadataCatalogue,
  call: Call,
): Promise<Prepared> {
  const shown = await shownSentences(context, engine, call);
  const texts = [...evidence.map(({ title }) => title), ...shown.map(({ text }) => text)];
  const analysis = analysisOf(engine);
  const plain = askedOver(asked, catalogue, analysis).text;
  const question = new Asked(withNamesOf(plain, texts, catalogue), catalogue);
  const reading = readFacts(question, context, evidence, shown, catalogue);
  const form = formOf(question);
  const type = questionFeatures(reading.masked);
  const candidates =
    form === 'verdict'
      ? []
      : entityCandidates(reading, entityNames(reading.parts, reading.sentences, analysis));
  const ids = [...new Set(reading.parts.map(({ documentId }) => documentId))];
  const documents = await engine.read('document', ids, call);
  const articles = articlesOf(reading, documents, analysis);
  const answerable = answerableFeatures(reading, context, evidence, articles, candidates);
  return {
    ...{ reading, form, type, candidates, answerable },
    byForm: new Map([...type, ...answerable]),
    full:
      requestedEntity(question.text).kind === 'person'
        ? fullNamesOf(candidates, documents)
        : new Map(),
  };
}

function formOf({ sought: { kind } }: Asked): AnswerForm {
  return kind === 'time' ? 'date' : kind === 'verdict' ? 'verdict' : 'entity';
}

function fullNamesOf(
  candidates: readonly Candidate[],
  documents: readonly Document[],
): Prepared['full'] {
  const single = new Set(
    candidates
      .filter(({ name }) => !name.common && !/\s/.test(name.text))
      .map(({ name }) => name.text),
  );
  const texts = documents.map(({ text }) => text);
  return {
    get: last => (single.has(last) ? writtenInFull(new Set([last]), texts).get(last) : undefined),
  };
}
