/** Words a hop in one line, for progress. */
import type { Hop } from '../../trace/trace.ts';

const MOST_TEXT = 120;

export function hopMessage({ searches, kept }: Hop, index: number): string {
  const texts = [...new Set(searches.flatMap(({ text }) => (text ? [text] : [])))];
  const searched = texts.length > 0 ? ` searched ${quoted(texts.join('; '))},` : '';
  return `Hop ${index + 1}:${searched} kept ${kept.length}`;
}

/** Texts of searches may come from documents: they stay on one line. */
function quoted(text: string): string {
  const visible = text.toWellFormed().replace(/[^\P{C}\s]/gu, '');
  const plain = visible.replace(/\s+/g, ' ').trim();
  return JSON.stringify(plain.length > MOST_TEXT ? `${plain.slice(0, MOST_TEXT)}…` : plain);
}
