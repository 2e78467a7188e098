/** Determines the probability that the evidence holds an answer to an open question at all. */

import { wholeNames } from '../../language/english/names/canonical-names.ts';
import { findMentions } from '../../language/english/names/mentions.ts';
import { stemsOf } from '../../language/english/words/verb-forms.ts';
import { statingStems } from '../../language/english/words/verb-groups.ts';
import { probabilityOf } from '../../models/linear-model.ts';
import type { OpenModel } from '../../models/open-reader/open-checkpoint.ts';
import { FeatureList, type Features } from '../features.ts';
import type { OpenDecision } from './decide.ts';
import type { OpenReading } from './reading.ts';

/** The part that depends on question and evidence alone, for any number of drafts. */
export interface AnswerEvidence {
  readonly features: Features;
  /** By sentence: its share of the question alone, and that of its best chain. */
  readonly alone: readonly number[];
  readonly chained: readonly number[];
  /** By sentence: stems of the clause that asks. */
  readonly asking: readonly (readonly string[])[];
  /** Number of stems of that clause. */
  readonly asked: number;
}

export function answerEvidence(reading: OpenReading): AnswerEvidence {
  const { asked, joint, sentences, passages, unbound, asking, anchors } = reading;
  const features = new FeatureList();
  const alone = joint.joints.map(each => each.alone);
  const chained = joint.joints.map(each => Math.max(each.alone, ...each.byBridge.values()));
  features.add('chain:most', Math.max(0, ...chained));
  features.add('alone:most', Math.max(0, ...alone));
  const all = new Set([
    ...sentences.flatMap(({ stems }) => [...stems]),
    ...passages.flatMap(({ title }) => [...stemsOf(title)]),
  ]);
  const share = (stems: Iterable<string>): number => {
    const list = [...stems];
    return list.length === 0 ? 1 : list.filter(stem => all.has(stem)).length / list.length;
  };
  const names = wholeNames(findMentions(asked.text)).map(({ text }) => share(stemsOf(text)));
  features.add('names:least', Math.min(1, ...names));
  features.add(
    'names:mean',
    names.length === 0 ? 1 : names.reduce((sum, each) => sum + each, 0) / names.length,
  );
  features.add('words', share(unbound.keys()));
  features.add('asking', share(asking.keys()));
  features.add('anchored', anchors.length > 0);
  return {
    features: features.values,
    alone,
    chained,
    asked: asking.size,
    asking: sentences.map(({ stems }) => [...asking.keys()].filter(stem => stems.has(stem))),
  };
}

/** Returns features of the evidence, the question's names and the draft; none counts words. */
export function openAnswerable(evidence: AnswerEvidence, draft: OpenDecision): Features {
  const features = new FeatureList();
  for (const [name, value] of evidence.features) features.add(name, value);
  const { form } = draft;
  const most = (values: readonly number[]): number =>
    Math.max(0, ...draft.sentences.map(index => values[index]!));
  features.add(`form:${form}`, 1);
  features.add(`draft:${form}`, draft.share);
  features.add('chain:draft', most(evidence.chained));
  features.add('alone:draft', most(evidence.alone));
  features.add('type:match', draft.match > 0);
  features.add('type:mismatch', draft.match < 0);
  const answering = new Set(draft.sentences.flatMap(index => evidence.asking[index]!));
  features.add('asking:draft', evidence.asked === 0 ? 0 : answering.size / evidence.asked);
  return features.values;
}

/**
 * Returns the probability that the evidence holds the answer, from 0 to 1; 0 if the sentences of
 * the draft do not state what the question's verb asks: "Who owns ...?"
 */
export const supportOf = (reading: OpenReading, draft: OpenDecision, model: OpenModel): number =>
  statesVerb(reading, draft)
    ? probabilityOf(model.answerable, openAnswerable(answerEvidence(reading), draft))
    : 0;

/**
 * Returns false if the answer is a span, the question asks by a verb for who does something, and no
 * sentence of the answer holds that verb or a word that states the same. The answer to a nested
 * question rests on a chain of sentences, which may state it in other ways.
 */
export function statesVerb(
  { asked: { verb, nested }, sentences }: Pick<OpenReading, 'asked' | 'sentences'>,
  { form, sentences: cited }: Pick<OpenDecision, 'form' | 'sentences'>,
): boolean {
  if (form !== 'span' || verb === '' || nested) return true;
  const stating = statingStems(verb);
  return cited.some(index => !sentences[index]!.stems.isDisjointFrom(stating));
}
