import type { MetadataCatalogue } from '../../language/catalogue.ts';
import { maskedQuestion } from '../../language/english/question/masked-question.ts';
import type { Features } from '../features.ts';

/** Returns features of the masked question: its distinct words and pairs of adjacent words. */
export function questionFeatures(question: string, catalogue: MetadataCatalogue): Features {
  const framed = ['^', ...maskedQuestion(question, catalogue), '$'];
  const features = new Map<string, number>();
  for (const [index, word] of framed.entries()) {
    if (index > 0 && index < framed.length - 1) features.set(word, 1);
    if (index > 0) features.set(`${framed[index - 1]} ${word}`, 1);
  }
  return features;
}
