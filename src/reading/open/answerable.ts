/** Computes features by which the evidence holds an answer to an open question at all. */
import { FeatureList, type Features } from '../fact-reader/features.ts';
import { wholeNames } from './canonical-names.ts';
import type { OpenDecision } from './decide.ts';
import { findMentions } from './mentions.ts';
import { type OpenReading, stemsOf } from './passages.ts';

/** Returns features of the evidence, the question's names and the draft; none counts words. */
export function openAnswerable(reading: OpenReading, draft: OpenDecision): Features {
  const { asked, joint, sentences, passages, unbound, asking, anchors } = reading;
  const features = new FeatureList();
  const { form } = draft;
  features.add(`form:${form}`, 1);
  features.add(`draft:${form}`, draft.support);
  const chained = joint.joints.map(({ alone, byBridge }) => Math.max(alone, ...byBridge.values()));
  const cited = draft.sentences.map(index => chained[index]!);
  features.add('chain:most', Math.max(0, ...chained));
  features.add('chain:draft', Math.max(0, ...cited));
  features.add('alone:most', Math.max(0, ...joint.joints.map(({ alone }) => alone)));
  features.add('alone:draft', Math.max(0, ...draft.sentences.map(at => joint.joints[at]!.alone)));
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
  const answering = new Set(draft.sentences.flatMap(index => [...sentences[index]!.stems]));
  const wanted = [...asking.keys()];
  features.add(
    'asking:draft',
    wanted.length === 0 ? 0 : wanted.filter(stem => answering.has(stem)).length / wanted.length,
  );
  return features.values;
}
