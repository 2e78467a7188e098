/**
 * Answers questions without a model: of the lines and sentences of the text that share most words
 * with the question, the words that the question lacks. Enough to test code that uses question
 * answerers.
 */
import type { AnswerSpan, QuestionAnswerer } from '../models/question-answerer.ts';

const BEST = 20;

/** `none`: the score of no answer; spans have 0 to 10. */
export function overlapAnswerer(id = 'overlap', none = 1): QuestionAnswerer {
  return {
    id,
    async answer(question, text, call) {
      call.signal.throwIfAborted();
      const asked = new Set(question.toLowerCase().match(WORD));
      const spans: AnswerSpan[] = [];
      for (const { 0: sentence, index } of text.matchAll(/[^.\n]+/gu)) {
        const words = [...sentence.matchAll(WORD)];
        const shared = words.filter(({ 0: word }) => asked.has(word.toLowerCase())).length;
        for (const { 0: word, index: at } of words)
          if (!asked.has(word.toLowerCase()))
            spans.push({
              start: index + at,
              end: index + at + word.length,
              score: (10 * shared) / words.length,
            });
      }
      spans.sort((a, b) => b.score - a.score || a.start - b.start);
      return { spans: spans.slice(0, BEST), none };
    },
  };
}

const WORD = /[\p{L}\p{N}]+/gu;
