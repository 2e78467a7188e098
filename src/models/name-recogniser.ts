/** Recognises entities by spelling alone: capitalised names of each sentence. Needs no model. */
import { findNames, type NameSpan } from '../language/english/names/names.ts';
import type {
  EntityRecogniser,
  RecognisedEntities,
  SentencesOfDocument,
} from './entity-recogniser.ts';

/**
 * Every sentence opens with a capital, so that a single word there is a name only if the document
 * has it as a word of a name elsewhere: within a sentence, or in the title.
 */
export const nameRecogniser: EntityRecogniser = {
  id: 'names',
  recognise: async documents => documents.map(namesOf),
};

function namesOf({ title, sentences }: SentencesOfDocument): RecognisedEntities {
  const found = sentences.map(text => findNames(text));
  const known = new Set(findNames(title).flatMap(wordsOf));
  for (const [at, names] of found.entries())
    for (const name of names)
      if (!isOpening(sentences[at]!, name)) for (const word of wordsOf(name)) known.add(word);
  return {
    sentences: found.map((names, at) =>
      names
        .filter(name => known.has(name.text) || !isOpening(sentences[at]!, name))
        .map(({ text }) => text),
    ),
  };
}

const wordsOf = ({ text }: NameSpan): string[] => text.split(/\s+/);

/** Returns true for a single word that opens a sentence, behind any marks. */
const isOpening = (sentence: string, { text, start }: NameSpan): boolean =>
  !/\s/.test(text) && !/[\p{L}\p{N}]/u.test(sentence.slice(0, start));
