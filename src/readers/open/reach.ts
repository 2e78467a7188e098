/** Links passages by the names that they share, and measures how far each is from the question. */
import { sameName } from '../../language/english/names/canonical-names.ts';
import type { OpenPassage, OpenSentence } from './open-sentence.ts';
import type { Link, OpenReading, Reach } from './reading.ts';

/** Finds the names of passages in the sentences of others. */
export function linksOf(
  passages: readonly OpenPassage[],
  sentences: readonly OpenSentence[],
): Link[] {
  const links: Link[] = [];
  for (const sentence of sentences)
    for (const [to, { bare }] of passages.entries()) {
      if (to === sentence.passage) continue;
      const mention = sentence.mentions.find(
        ({ kind, text }) => (kind === 'name' || kind === 'quote') && sameName(text, bare),
      );
      if (mention) links.push({ from: sentence.passage, to, sentence: sentence.index, mention });
    }
  return links;
}

/** Strengths of a link that states the next relation, that names it, and of any other. */
const LINK = { stated: 1, named: 0.6, other: 0.3, back: 0.2 };

/** Follows the links from the passages that the question names, at most three. */
export function reachOf({
  passages,
  anchors,
  links,
  steps,
  stated,
  sentences,
}: Pick<
  OpenReading,
  'passages' | 'anchors' | 'links' | 'steps' | 'stated' | 'sentences'
>): Reach[] {
  const reach: { distance: number; strength: number; used: number }[] = passages.map(() => ({
    distance: -1,
    strength: 0,
    used: 0,
  }));
  for (const { passage } of anchors) reach[passage] = { distance: 0, strength: 1, used: 0 };
  for (let round = 0; round < 3; round++) {
    const next = reach.map(each => ({ ...each }));
    for (const { from, to, sentence, mention } of links) {
      const relevant = (used: number): { kind: keyof typeof LINK; used: number } => {
        const states = stated[sentence]!.filter(
          each => each.mention.start < mention.end && mention.start < each.mention.end,
        );
        const at = steps.findIndex(
          (step, index) =>
            index >= used && states.some(({ relation }) => relation === step.relation.name),
        );
        if (at >= 0) return { kind: 'stated', used: at + 1 };
        const named = steps.findIndex(
          (step, index) => index >= used && step.relation.asks.test(sentences[sentence]!.text),
        );
        return named >= 0 ? { kind: 'named', used } : { kind: 'other', used };
      };
      if (reach[from]!.distance === round) {
        const { kind, used } = relevant(reach[from]!.used);
        better(next, to, {
          distance: round + 1,
          strength: reach[from]!.strength * LINK[kind],
          used,
        });
      }
      if (reach[to]!.distance === round)
        better(next, from, {
          distance: round + 1,
          strength: reach[to]!.strength * LINK.back,
          used: reach[to]!.used,
        });
    }
    for (const [index, each] of next.entries()) reach[index] = each;
  }
  return reach;
}

function better(
  reach: { distance: number; strength: number; used: number }[],
  at: number,
  reached: { distance: number; strength: number; used: number },
): void {
  if (reached.strength > reach[at]!.strength) reach[at] = reached;
}
