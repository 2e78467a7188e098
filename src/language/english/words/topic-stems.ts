/** The stems of the words that describe the topic of a text. */

import { wordsIn } from '../../../core/text/matched-words.ts';
import { isContentWord } from './content-words.ts';
import { isDiscourseWord } from './discourse-words.ts';
import { stemOf } from './stems.ts';

/** Returns the stems of the content words but those by which questions refer to reports. */
export const topicStems = (text: string): Set<string> => new Set(topicStemsIn(text));

/** Returns the same in the order of the words, repeated as they are. */
export function topicStemsIn(text: string): string[] {
  const stems: string[] = [];
  for (const word of wordsIn(text.toLowerCase()))
    if (isContentWord(word) && !isDiscourseWord(word)) stems.push(stemOf(word));
  return stems;
}
