/** Computes features of the masked question: its distinct words and pairs of adjacent words. */
import { FeatureList, type Features } from './features.ts';

export function questionFeatures(masked: readonly string[]): Features {
  const features = new FeatureList();
  const framed = ['^', ...masked, '$'];
  const seen = new Set<string>();
  for (const [index, word] of framed.entries()) {
    if (index > 0 && index < framed.length - 1) seen.add(word);
    if (index > 0) seen.add(`${framed[index - 1]} ${word}`);
  }
  for (const name of seen) features.add(name, 1);
  return features.values;
}
