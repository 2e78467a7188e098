/**
 * Reads the shown passages: which the question names, and which passages name one another, so that
 * every passage has a distance from the question.
 */
import { ENGLISH_STOP_WORDS } from '../../text/stop-words.ts';
import { askingStems } from './asked-clause.ts';
import { isNameLike } from './canonical-names.ts';
import { type JointEvidence, jointEvidence } from './joint-evidence.ts';
import { findMentions, type Mention } from './mentions.ts';
import { type NameKind, nameKinds } from './name-kinds.ts';
import type { RelationStep } from './question.ts';
import { type AskedQuestion, askedQuestion, relationSteps } from './question.ts';
import { type Stated, statements } from './statements.ts';
import { verbStems } from './verb-forms.ts';

/** A sentence to read: its text and the index of its passage. */
export interface GivenSentence {
  readonly part: number;
  readonly text: string;
}

export interface OpenSentence {
  /** Index among all sentences. */
  readonly index: number;
  readonly passage: number;
  /** Place in its passage as shown, from 0. */
  readonly place: number;
  readonly text: string;
  readonly mentions: readonly Mention[];
  readonly stems: ReadonlySet<string>;
}

/** A name in the question that a passage's title bears. */
export interface Anchor {
  readonly passage: number;
  readonly start: number;
  readonly end: number;
}

export interface OpenPassage {
  readonly title: string;
  /** The title without a part in parentheses. */
  readonly bare: string;
  readonly sentences: readonly OpenSentence[];
}

/** A mention in one passage of the title of another. */
export interface Link {
  readonly from: number;
  readonly to: number;
  readonly sentence: number;
  readonly mention: Mention;
}

/** The way by which a passage is reached from the question. */
export interface Reach {
  /** Links from a passage that the question names; -1 if not reached. */
  readonly distance: number;
  /** From 0 to 1: how well the links state relations that the question asks for, in order. */
  readonly strength: number;
  /** Relations of the chain that the links used. */
  readonly used: number;
}

export interface OpenReading {
  readonly asked: AskedQuestion;
  readonly anchors: readonly Anchor[];
  readonly steps: readonly RelationStep[];
  readonly passages: readonly OpenPassage[];
  readonly sentences: readonly OpenSentence[];
  readonly links: readonly Link[];
  readonly reach: readonly Reach[];
  /** By sentence, what its mentions state, by relation name. */
  readonly stated: readonly (readonly Stated[])[];
  /** Stems of the question's words that no anchor binds, with their weights by rarity. */
  readonly unbound: ReadonlyMap<string, number>;
  /** Chains of sentences by the names that they share. */
  readonly joint: JointEvidence;
  /** Stems of the clause that asks, with weights from 0 to 1. */
  readonly asking: ReadonlyMap<string, number>;
  /** By the key of a name, what the sentences call it. */
  readonly kinds: ReadonlyMap<string, NameKind>;
}

export const stemsOf = (text: string): Set<string> =>
  new Set(
    (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
      .filter(word => !ENGLISH_STOP_WORDS.has(word))
      .flatMap(verbStems),
  );

const bareTitle = (title: string): string =>
  title.replace(/\s*\([^()]*\)\s*$/u, '').trim() || title;

/** Returns the name that opens a passage without a title, which it is about; '' without one. */
function leadName(first: OpenSentence | undefined): string {
  if (!first || first.place > 0) return '';
  const [name] = first.mentions
    .filter(
      mention =>
        isNameLike(mention) &&
        /^(?:(?:The|A|An) )?["“]?$/u.test(first.text.slice(0, mention.start)),
    )
    .sort((a, b) => a.start - b.start || b.end - a.end);
  return name?.text ?? '';
}

/** Folds a text for comparison, one character for one, so that offsets stay. */
export const aligned = (text: string): string =>
  [...text]
    .map(letter => (letter.toLowerCase().length === letter.length ? letter.toLowerCase() : letter))
    .join('');

export function readOpen(
  question: string,
  titles: readonly string[],
  given: readonly GivenSentence[],
): OpenReading {
  const places = new Map<number, number>();
  const sentences = given.map(({ part, text }, index): OpenSentence => {
    const place = places.get(part) ?? 0;
    places.set(part, place + 1);
    return {
      index,
      passage: part,
      place,
      text,
      mentions: findMentions(text),
      stems: stemsOf(text),
    };
  });
  const passages = titles.map((title, index) => {
    const own = sentences.filter(({ passage }) => passage === index);
    const named = title === '' ? leadName(own[0]) : title;
    return { title: named, bare: bareTitle(named), sentences: own };
  });
  const asked = askedQuestion(question);
  const anchors = anchorsOf(question, passages);
  const steps = relationSteps(
    asked,
    anchors.map(({ start, end }) => [start, end]),
  );
  const links = linksOf(passages, sentences);
  const relations = [...new Set(steps.map(({ relation }) => relation))];
  const stated = sentences.map(sentence => statements(sentence, relations));
  const unbound = weights(unboundStems(question, anchors), sentences);
  const reach = reachOf({ passages, anchors, links, steps, stated, sentences });
  const joint = jointEvidence(question, weights(stemsOf(question), sentences), passages, sentences);
  const asking = askingStems(question, asked.at);
  const kinds = nameKinds(sentences, joint.names);
  return {
    ...{ asked, anchors, steps, passages, sentences, links, reach, stated, unbound },
    ...{ joint, asking, kinds },
  };
}

/** Returns the spans of titles in the question; a span inside a longer one does not count. */
function anchorsOf(question: string, passages: readonly OpenPassage[]): Anchor[] {
  const text = aligned(question);
  const found: Anchor[] = [];
  for (const [passage, { title, bare }] of passages.entries())
    for (const name of new Set([title, bare])) {
      const at = wordsAt(text, aligned(name));
      if (at >= 0 && name.length >= 3) {
        found.push({ passage, start: at, end: at + name.length });
        break;
      }
    }
  return found
    .filter(
      ({ start, end }) =>
        !found.some(
          other =>
            other.start <= start && end <= other.end && other.end - other.start > end - start,
        ),
    )
    .sort((a, b) => a.start - b.start || a.end - b.end);
}

/** Returns the offset of a name in a text as whole words; -1 if it does not occur. */
export function wordsAt(text: string, name: string): number {
  if (name === '') return -1;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text[at + name.length] ?? ' ';
    if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) return at;
  }
  return -1;
}

function unboundStems(question: string, anchors: readonly Anchor[]): Set<string> {
  let rest = question;
  for (const { start, end } of anchors)
    rest = rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end);
  return stemsOf(rest);
}

function weights(
  stems: ReadonlySet<string>,
  sentences: readonly OpenSentence[],
): Map<string, number> {
  return new Map(
    [...stems].map(stem => {
      const holding = sentences.filter(sentence => sentence.stems.has(stem)).length;
      return [stem, Math.log(1 + sentences.length / (1 + holding))];
    }),
  );
}

const nameWords = (name: string): string[] =>
  (name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter(word => !ENGLISH_STOP_WORDS.has(word));

/** Returns true if all words of one name, two or more, are in the other, or if both are equal. */
export function sameName(a: string, b: string): boolean {
  const [left, right] = [nameWords(a), nameWords(b)];
  const [few, many] = left.length <= right.length ? [left, right] : [right, left];
  if (few.length === 0) return false;
  if (few.length === many.length) return few.every((word, index) => word === many[index]);
  return few.length >= 2 && few.at(-1)!.length > 1 && few.every(word => many.includes(word));
}

function linksOf(passages: readonly OpenPassage[], sentences: readonly OpenSentence[]): Link[] {
  const links: Link[] = [];
  for (const sentence of sentences)
    for (const [to, { bare }] of passages.entries()) {
      if (to === sentence.passage || bare === '') continue;
      const mention = sentence.mentions.find(
        ({ kind, text }) => (kind === 'name' || kind === 'quote') && sameName(text, bare),
      );
      if (mention) links.push({ from: sentence.passage, to, sentence: sentence.index, mention });
    }
  return links;
}

/** Strengths of a link that states the next relation, that names it, and of any other. */
const LINK = { stated: 1, named: 0.6, other: 0.3, back: 0.2 };

function reachOf({
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
  given: { distance: number; strength: number; used: number },
): void {
  const before = reach[at]!;
  if (before.distance === 0) return;
  if (given.strength > before.strength) reach[at] = given;
}
