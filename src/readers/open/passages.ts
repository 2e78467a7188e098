/**
 * Reads the shown passages: which the question names, and which passages name one another, so that
 * every passage has a distance from the question.
 */

import { blanked } from '../../core/text/replace-spans.ts';
import type { Asked } from '../../language/asked.ts';
import { aligned, isNameLike, wordsAt } from '../../language/english/names/canonical-names.ts';
import { nameKinds } from '../../language/english/names/name-kinds.ts';
import { askingStems } from '../../language/english/question/asked-clause.ts';
import { relationSteps } from '../../language/english/relations/relation-steps.ts';
import { statements } from '../../language/english/relations/statements.ts';
import { stemsOf } from '../../language/english/words/verb-forms.ts';
import { Said } from '../../language/said.ts';
import { jointEvidence } from './joint-evidence.ts';
import type { GivenSentence, OpenPassage, OpenSentence } from './open-sentence.ts';
import { linksOf, reachOf } from './reach.ts';
import type { Anchor, OpenReading } from './reading.ts';

const bareTitle = (title: string): string =>
  title.replace(/\s*\([^()]*\)\s*$/u, '').trim() || title;

/** Returns the name that opens a passage without a title, which it is about; '' without one. */
function leadName(first: OpenSentence | undefined): string {
  if (!first) return '';
  const [name] = first.mentions
    .filter(
      mention =>
        isNameLike(mention) &&
        /^(?:(?:The|A|An) )?["“]?$/u.test(first.text.slice(0, mention.start)),
    )
    .sort((a, b) => a.start - b.start || b.end - a.end);
  return name?.text ?? '';
}

export function readOpen(
  { text: question, sought: asked }: Asked,
  titles: readonly string[],
  shown: readonly GivenSentence[],
  saidOf = (text: string): Said => new Said(text),
): OpenReading {
  const places = new Map<number, number>();
  const sentences = shown.map(({ part, text }, index): OpenSentence => {
    const place = places.get(part) ?? 0;
    places.set(part, place + 1);
    const { mentions, stems } = saidOf(text);
    return { index, passage: part, place, text, mentions, stems };
  });
  const passages = titles.map((title, index) => {
    const ofPassage = sentences.filter(({ passage }) => passage === index);
    const name = title === '' ? leadName(ofPassage[0]) : title;
    return { title: name, bare: bareTitle(name), sentences: ofPassage };
  });
  const anchors = anchorsOf(question, passages);
  const steps = relationSteps(asked, anchors);
  const links = linksOf(passages, sentences);
  const relations = [...new Set(steps.map(({ relation }) => relation))];
  const stated = sentences.map(sentence => statements(sentence, relations));
  const unbound = weights(stemsOf(blanked(question, anchors)), sentences);
  const reach = reachOf({ passages, anchors, links, steps, stated, sentences });
  const joint = jointEvidence(question, weights(stemsOf(question), sentences), passages, sentences);
  const asking = askingStems(question, asked.at);
  const kinds = nameKinds(sentences, joint.names);
  return {
    asked,
    anchors,
    steps,
    passages,
    sentences,
    links,
    reach,
    stated,
    unbound,
    joint,
    asking,
    kinds,
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
    .sort((a, b) => a.start - b.start);
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
