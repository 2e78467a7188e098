/**
 * Computes features of answerability: names in the question that the corpus has, and the support of
 * its clauses by the evidence.
 */

import type { ContextText, Evidence } from '../../core/trace/trace.ts';
import { contentWords } from '../../language/english/words/content-words.ts';
import { FeatureList, type Features } from '../features.ts';
import { questionSupport } from '../question-support.ts';
import { clauseSupport } from './clause-support.ts';
import type { Candidate } from './entity-features.ts';
import type { Articles } from './evidence-articles.ts';
import type { FactReading } from './reading.ts';

export function answerableFeatures(
  reading: FactReading,
  context: ContextText,
  evidence: readonly Evidence[],
  articles: Articles,
  candidates: readonly Candidate[],
): Features {
  const features = new FeatureList();
  const { asked, catalogue, sentences, parts } = reading;
  const filter = asked.cited;
  const known = filter.sources.length;
  if (catalogue.sources.length > 0) {
    const unknown = filter.unknown.length;
    // A quoted person is cited like an outlet, and occurs in the evidence.
    const unheld = filter.unknown.filter(
      name => !context.text.includes(name.replace(/^The /, '')),
    ).length;
    features.add('sources.unknown', unknown > 0 ? unknown / (known + unknown) : 0);
    features.add('sources.unheld', unheld > 0 ? unheld / (known + unheld) : 0);
    features.add('sources.someUnknown', unknown > 0);
    features.add('sources.someUnheld', unheld > 0);
    features.add('sources.onlyUnknown', unknown > 0 && known === 0);
    features.add('sources.noneKnown', known === 0);
  }
  const support = questionSupport(asked.text, context, evidence, [
    ...catalogue.sources,
    ...(catalogue.sources.length > 0 ? [] : filter.unknown),
  ]);
  for (const name of ['names', 'namesTogether', 'words', 'wordsTogether', 'support'] as const) {
    features.add(`support.${name}`, support[name] ?? 0);
    features.add(`support.${name}.missing`, support[name] === undefined);
  }
  features.add('names.none', (support.names ?? 1) === 0);
  features.add('names.all', (support.names ?? 0) === 1);
  const titles = new Set(parts.flatMap(({ title }) => [...contentWords(title)]));
  const questionWords = [...contentWords(asked.text)];
  features.add(
    'titles',
    questionWords.filter(word => titles.has(word)).length / Math.max(1, questionWords.length),
  );
  features.add('sentences.none', sentences.length === 0);
  return new Map([...features.values, ...clauseSupport(reading, articles, candidates)]);
}
