/** Finds the things that a question compares, and the passages about them. */
import { sameName, wholeNames } from '../../language/english/names/canonical-names.ts';
import { findMentions } from '../../language/english/names/mentions.ts';
import { statements } from '../../language/english/relations/statements.ts';
import type { OpenReading } from './reading.ts';

/** A thing that the question compares. */
export interface Compared {
  readonly text: string;
  /** Passages about it. */
  readonly passages: readonly number[];
}

/** Relations from a work to a person whose values are compared. */
const VIA: readonly string[] = [
  'director',
  'performer',
  'composer',
  'author',
  'producer',
  'founder',
  'father',
  'mother',
  'spouse',
];
const DIFFERENT = /\bdifferent\b|\bunlike\b/iu;
const SAME = /\b(?:same|share|shared|both|similar|in common)\b/iu;

export const asksDifferent = (text: string): boolean => DIFFERENT.test(text);
export const asksSame = (text: string): boolean => SAME.test(text);

/** Returns the things that "A or B" or "A and B" in a question names; fewer than two if unclear. */
export function comparedThings(reading: OpenReading, joiner: 'or' | 'and'): Compared[] {
  const { text } = reading.asked;
  const joined = new RegExp(
    String.raw`^["”’')\]]*,?(?: or| and)? *(?:the )?(?:film |movie |song |director )*(?:of )?(?:the )?(?:film |movie |song )?["“‘']?$|^[^.?]{0,40}\b${joiner}\b[^.?]{0,40}$`,
    'iu',
  );
  const spans = distinctSpans(reading);
  for (let first = 0; first + 1 < spans.length; first++) {
    const run = [spans[first]!];
    for (const next of spans.slice(first + 1)) {
      if (!joined.test(text.slice(run.at(-1)!.end, next.start))) break;
      run.push(next);
    }
    const between = text.slice(run[0]!.end, run.at(-1)!.start);
    if (run.length >= 2 && new RegExp(String.raw`\b${joiner}\b`, 'iu').test(between)) return run;
  }
  if (joiner === 'and' && spans.length === 2) return spans;
  return textualThings(reading, joiner);
}

/** A thing with its place in the question, in UTF-16 units. */
export interface Spanned extends Compared {
  readonly start: number;
  readonly end: number;
}

/** Returns the things that a question names, each once, with their places in it. */
export function distinctSpans({ anchors, asked }: OpenReading): Spanned[] {
  const spans = Map.groupBy(anchors, ({ start, end }) => `${start} ${end}`);
  return [...spans.values()].map(group => ({
    start: group[0]!.start,
    end: group[0]!.end,
    text: asked.text.slice(group[0]!.start, group[0]!.end),
    passages: group.map(({ passage }) => passage),
  }));
}

/** Finds the names on both sides of the joiner. */
function textualThings(reading: OpenReading, joiner: 'or' | 'and'): Compared[] {
  const { text } = reading.asked;
  const at = text.search(new RegExp(String.raw`\s${joiner}\s`, 'u'));
  if (at < 0) return [];
  const names = findMentions(text).filter(({ kind }) => kind === 'name' || kind === 'quote');
  const end = at + joiner.length + 2;
  const left = names
    .filter(name => at - name.end >= 0 && at - name.end <= 3)
    .sort((a, b) => a.start - b.start);
  const right = names
    .filter(name => name.start >= end && name.start - end <= 6)
    .sort((a, b) => b.end - a.end);
  return [left[0], right[0]].flatMap(name =>
    name ? [{ text: name.text, passages: passagesNamed(reading, name.text) }] : [],
  );
}

/** Returns the passages with the name as their title, else those whose sentences have it. */
function passagesNamed({ passages, joint }: OpenReading, name: string): number[] {
  const titled = [...passages.keys()].filter(index => sameName(passages[index]!.bare, name));
  if (titled.length > 0) return titled;
  const key = joint.names.key(name);
  return [...passages.keys()].filter(index =>
    passages[index]!.sentences.some(({ mentions }) =>
      wholeNames(mentions).some(({ text }) => joint.names.key(text) === key),
    ),
  );
}

/** Returns the passages of the persons that the question goes through, or the thing's own. */
export function throughPassages(reading: OpenReading, thing: Compared): readonly number[] {
  const { steps, passages, links } = reading;
  const via = steps
    .filter(({ relation }) => VIA.includes(relation.name))
    .map(({ relation }) => relation);
  if (via.length === 0) return thing.passages;
  const targets = thing.passages.flatMap(passage =>
    passages[passage]!.sentences.flatMap(sentence => {
      const states = statements(sentence, via);
      return links
        .filter(
          ({ sentence: index, mention }) =>
            index === sentence.index &&
            states.some(
              each => each.mention.start < mention.end && mention.start < each.mention.end,
            ),
        )
        .map(({ to }) => to);
    }),
  );
  if (targets.length > 0) return [...new Set(targets)];
  const isVia = (name: string): boolean =>
    thing.passages.some(passage =>
      passages[passage]!.sentences.some(sentence =>
        statements(sentence, via).some(each => each.mention.text === name),
      ),
    );
  const holding = [...passages.keys()].filter(
    index => !thing.passages.includes(index) && isVia(passages[index]!.bare),
  );
  return holding.length > 0 ? holding : thing.passages;
}
