/**
 * Joins sentences of different passages by the names that they share and the question leaves open,
 * so that a chain of sentences supports a question that no sentence supports alone.
 *
 * The names that join are bridges: "the ship of the winner" needs the winner's name and the ship's,
 * and neither is the answer. It reads names, not titles, because headlines name no entity.
 */
import {
  CanonicalNames,
  nameKey,
  wholeNames,
} from '../../language/english/names/canonical-names.ts';
import { findMentions, type Mention } from '../../language/english/names/mentions.ts';
import type { OpenPassage, OpenSentence } from './open-sentence.ts';

/** Support of a sentence, alone and as the end of a chain. */
export interface Joint {
  /** Share of the question's weighted stems that the sentence holds. */
  readonly alone: number;
  /** The greatest share of a chain that starts from it, by its first bridge; '' for no chain. */
  readonly byBridge: ReadonlyMap<string, number>;
}

export interface JointEvidence {
  readonly names: CanonicalNames;
  /** By sentence. */
  readonly joints: readonly Joint[];
  /** By name, the greatest share of a chain that it joins. */
  readonly bridges: ReadonlyMap<string, number>;
}

/** Names of a sentence that the question leaves open, each with its certainty. */
type Named = ReadonlyMap<string, number>;

/** Certainty of a name that only the title or another sentence of the passage has. */
const OF_PASSAGE = 0.6;
/** Share of a further sentence's support that is counted, so that short chains win. */
const STEP = 0.9;
/** Sentences that a chain goes through next: those that add most. */
const MAX_STARTS = 12;
const ROUNDS = 2;

export function jointEvidence(
  question: string,
  weights: ReadonlyMap<string, number>,
  passages: readonly OpenPassage[],
  sentences: readonly OpenSentence[],
): JointEvidence {
  const titles = passages.map(({ title }) => wholeNames(findMentions(title)));
  const names = new CanonicalNames([
    ...sentences.flatMap(({ mentions }) => namesIn(mentions)),
    ...passages.map(({ bare }) => bare),
  ]);
  const asked = ` ${nameKey(question)} `;
  const open = (text: string): string | undefined => {
    const key = names.key(text);
    return key.length < 3 || asked.includes(` ${key} `) ? undefined : key;
  };
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0) || 1;
  const stems = sentences.map(({ stems: held }) =>
    [...weights.keys()].filter(each => held.has(each)),
  );
  const mentioned = namesOf(passages, sentences, titles, open);
  const share = (held: Iterable<string>): number => {
    let sum = 0;
    for (const stem of held) sum += weights.get(stem)!;
    return sum / total;
  };
  return { names, ...chains({ sentences, stems, mentioned, share }) };
}

/** Returns whole names, and what they place: "Old Customs House in Marrowick" is two names more. */
const namesIn = (mentions: readonly Mention[]): string[] =>
  wholeNames(mentions).flatMap(({ text }) => [...new Set([text, ...text.split(PLACING)])]);

const PLACING = / (?:in|on|at|with|to) /u;

function namesOf(
  passages: readonly OpenPassage[],
  sentences: readonly OpenSentence[],
  titles: readonly (readonly { readonly text: string }[])[],
  open: (text: string) => string | undefined,
): Named[] {
  const ofPassage = passages.map(({ bare, sentences: ofTitle }, index) => {
    const counts = new Map<string, number>();
    for (const text of [bare, ...titles[index]!.map(each => each.text)]) {
      const key = open(text);
      if (key !== undefined) counts.set(key, OF_PASSAGE);
    }
    for (const { mentions } of ofTitle.slice(0, 1))
      for (const { text } of wholeNames(mentions)) {
        const key = open(text);
        if (key !== undefined) counts.set(key, OF_PASSAGE);
      }
    return counts;
  });
  return sentences.map(({ passage, mentions }) => {
    const nearby = new Map(ofPassage[passage]);
    for (const text of namesIn(mentions)) {
      const key = open(text);
      if (key !== undefined) nearby.set(key, 1);
    }
    return nearby;
  });
}

interface Chaining {
  readonly sentences: readonly OpenSentence[];
  readonly stems: readonly (readonly string[])[];
  readonly mentioned: readonly Named[];
  readonly share: (held: Iterable<string>) => number;
}

interface Chain {
  readonly held: ReadonlySet<string>;
  readonly passages: readonly number[];
  readonly value: number;
  readonly certainty: number;
}

/** Grows chains from every sentence by the sentence that adds most, for each bridge. */
function chains({ sentences, stems, mentioned, share }: Chaining): Omit<JointEvidence, 'names'> {
  const bridges = new Map<string, number>();
  const order = [...sentences.keys()]
    .filter(index => stems[index]!.length > 0)
    .sort((a, b) => share(stems[b]!) - share(stems[a]!))
    .slice(0, MAX_STARTS * 2);
  const grow = (
    from: number,
    chain: Chain,
    round: number,
    taken: readonly string[],
  ): Map<string, number> => {
    const byBridge = new Map<string, number>();
    for (const [name, certain] of mentioned[from]!) {
      if (taken.includes(name)) continue;
      let best = 0;
      for (const to of order) {
        const other = mentioned[to]!.get(name);
        if (other === undefined || chain.passages.includes(sentences[to]!.passage)) continue;
        if (certain < 1 && other < 1) continue;
        const held = new Set([...chain.held, ...stems[to]!]);
        const certainty = chain.certainty * certain * other;
        const value = chain.value + STEP * certainty * (share(held) - share(chain.held));
        const next: Chain = {
          held,
          certainty: certainty * STEP,
          value,
          passages: [...chain.passages, sentences[to]!.passage],
        };
        const further =
          round < ROUNDS ? Math.max(0, ...grow(to, next, round + 1, [...taken, name]).values()) : 0;
        best = Math.max(best, value, further);
      }
      if (best > chain.value) {
        byBridge.set(name, best);
        bridges.set(name, Math.max(bridges.get(name) ?? 0, best));
      }
    }
    return byBridge;
  };
  const joints = sentences.map((sentence, index): Joint => {
    const alone = share(stems[index]!);
    const byBridge = grow(
      index,
      { held: new Set(stems[index]), passages: [sentence.passage], value: alone, certainty: 1 },
      1,
      [],
    );
    return { alone, byBridge };
  });
  return { joints, bridges };
}
