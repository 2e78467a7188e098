/** The stems of the words that describe the topic of a text. */
import { isDiscourseWord } from '../../text/discourse-words.ts';
import { contentWords } from '../../text/sentence-support.ts';
import { stemOf } from '../../text/stems.ts';

/** Returns the stems of the content words but those by which questions refer to reports. */
export function topicStems(text: string): Set<string> {
  const stems = new Set<string>();
  for (const word of contentWords(text)) if (!isDiscourseWord(word)) stems.add(stemOf(word));
  return stems;
}
