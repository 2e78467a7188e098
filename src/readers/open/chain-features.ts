/** Computes features of a span by the relations that it states and the chains that lead to it. */
import { isNameLike } from '../../language/english/names/canonical-names.ts';
import type { Mention } from '../../language/english/names/mentions.ts';
import type { AddFeature } from '../features.ts';
import type { OpenSentence } from './open-sentence.ts';
import type { OpenReading } from './reading.ts';

/** Adds the relations that the question asks for and the span stands in. */
export function relationFeatures(
  { steps, stated, reach, asked }: OpenReading,
  sentence: OpenSentence,
  mention: Mention,
  add: AddFeature,
): void {
  const states = stated[sentence.index]!.filter(each => each.mention === mention);
  if (steps.length === 0) return;
  const final = steps.at(-1)!.relation;
  const { used, distance, strength } = reach[sentence.passage]!;
  const isFinal = states.find(({ relation }) => relation === final.name);
  add('final', isFinal !== undefined);
  add(`final:${asked.kind}`, isFinal !== undefined);
  add('final:lead', isFinal?.lead === true);
  add(`final:${final.name}`, isFinal !== undefined);
  add('final:reach', isFinal ? strength : 0);
  add(`final:distance:${distance}`, isFinal !== undefined);
  add('final:complete', isFinal !== undefined && used === steps.length - 1);
  const next = steps[Math.min(used, steps.length - 1)]!.relation.name;
  const isNext = states.some(({ relation }) => relation === next);
  add('next', isNext);
  add('next:reach', isNext ? strength : 0);
  add('stated', states.length > 0);
  add('other', states.length > 0 && !isFinal);
  add('cue', final.asks.test(sentence.text));
}

/** Adds how well chains support the span as an end, and as a bridge between their sentences. */
export function bridgeFeatures(
  { joint, asked }: OpenReading,
  sentence: OpenSentence,
  mention: Mention,
  add: AddFeature,
): void {
  const { alone, byBridge } = joint.joints[sentence.index]!;
  const key = isNameLike(mention) ? joint.names.key(mention.text) : '';
  const others = [...byBridge].filter(([name]) => name !== key).map(([, value]) => value);
  const end = Math.max(alone, ...others);
  add('joint:end', end);
  add('joint:gain', end - alone);
  const bridge = joint.bridges.get(key) ?? 0;
  add('joint:bridge', bridge);
  // A bridge answers a question for the thing that two facts are about, never one for what a thing
  // that is only described leads to.
  const form = asked.nested ? 'nested' : 'plain';
  add(`joint:bridge:${form}`, bridge);
  add(`joint:gain:${form}`, end - alone);
  add(`joint:bridge more:${form}`, Math.max(0, bridge - end));
  add('joint:bridges', bridge > 0);
  add('joint:bridge more', Math.max(0, bridge - end));
  add('joint:end more', bridge > 0 ? Math.max(0, end - bridge) : 0);
}
