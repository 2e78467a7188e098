/** Words a hop in one line, for progress. */
import type { Hop } from '../core/trace/trace.ts';
import { quotedText } from './quoted-text.ts';

const MOST_TEXT = 120;

export function hopMessage({ searches, kept }: Hop, index: number): string {
  const texts = [...new Set(searches.flatMap(({ text }) => (text ? [text] : [])))];
  const searched = texts.length > 0 ? ` searched ${quotedText(short(texts.join('; ')))},` : '';
  return `Hop ${index + 1}:${searched} kept ${kept.length}`;
}

const short = (text: string): string =>
  text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text;
