/** Asks of two things that a question joins ("longer in A than in B") one after the other. */
import { headingLine } from '../../core/corpus/outline.ts';
import { joinedThings } from '../../language/english/question/compared-sides.ts';
import { type AskedTerm, holdsTerm, termsOf } from '../../language/english/words/terms.ts';
import type { Section } from './section-rank.ts';

/** The words that say what a section is about. */
interface Place {
  /** Words of the folders of its document. */
  readonly folders: ReadonlySet<string>;
  readonly heading: ReadonlySet<string>;
}

/**
 * Returns the question for each of the two things that it joins, without the name of the other;
 * undefined unless some of the sections, and not all, are of folders or headings of each name.
 */
export function askedOfEach(
  question: string,
  sections: readonly Section[],
): readonly [string, string] | undefined {
  const places = sections.map(({ document, passage }): Place => {
    const folders = document.id.split('/').slice(0, -1).join(' ');
    return { folders: termsOf(folders), heading: termsOf(headingLine(document, passage.start)) };
  });
  const someAre = (words: keyof Place) => (term: AskedTerm) => {
    const held = places.filter(place => holdsTerm(place[words], term)).length;
    return held > 0 && held < places.length;
  };
  const isHeading = someAre('heading');
  const things = joinedThings(question, {
    isProject: someAre('folders'),
    isSubject: term => term.isName && isHeading(term),
  });
  if (!things) return undefined;
  const [first, second] = things;
  return [question.replace(second, ' '), question.replace(first, ' ')];
}
