/** Says in which language a question was read, and what is missing for it. */
import { statedLanguage } from '../core/corpus/document.ts';
import type { Trace } from '../core/trace/trace.ts';
import { hasEnglishWords, questionLanguage } from '../language/question-language.ts';
import { LANGUAGE_TABLES } from '../language/tables/tables.ts';

/** Returns the line of a question that is not in English. */
export function languageLine({
  question,
  evidence,
}: Pick<Trace, 'question' | 'evidence'>): string | undefined {
  const { code, name, table } = questionLanguage(question.text);
  if (table) return `The question was read as ${name}.`;
  if (code !== 'en') return withoutTable(name);
  // Nothing tells the language of the question: it is that of most of the evidence.
  if (hasEnglishWords(question.text)) return undefined;
  const stated = evidence.map(({ metadata }) => statedLanguage(metadata));
  const most = stated.find(
    each => each !== '' && 2 * stated.filter(other => other === each).length > stated.length,
  );
  if (most === undefined) return undefined;
  // A question of mere content, such as "Makro Schaltfläche", needs no table.
  return LANGUAGE_TABLES.some(each => each.code === most)
    ? undefined
    : withoutTable(languageName(most));
}

const withoutTable = (name: string): string =>
  `The question was read as ${name}, of which no table of words is there: every word counts.`;

/** Returns the English name of a code; what is no code is a name. */
export function languageName(stated: string): string {
  try {
    return new Intl.DisplayNames(['en'], { type: 'language' }).of(stated) ?? stated;
  } catch {
    return stated;
  }
}
