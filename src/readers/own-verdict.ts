/** Gives yes and no in the language of the question: prompts ask models for the English words. */
import type { Answer } from '../core/trace/trace.ts';
import { questionLanguage } from '../language/question-language.ts';

/** Returns an answer that is a bare yes or no in the words of the question's language. */
export function ownVerdict(answer: Answer, question: string): Answer {
  if (answer.kind !== 'answered' || answer.sentences) return answer;
  const [, said] = /^(yes|no)[.!]?$/i.exec(answer.text.trim()) ?? [];
  const verdicts = said && questionLanguage(question).table?.verdicts;
  if (!verdicts) return answer;
  const text = verdicts[said.toLowerCase() === 'yes' ? 0 : 1];
  const unsupported = answer.unsupported?.map(part => (part === answer.text ? text : part));
  return unsupported ? { ...answer, text, unsupported } : { ...answer, text };
}
