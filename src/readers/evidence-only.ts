/**
 * `evidence-only`: returns the ordered evidence without an answer, each document with the shown
 * sentence that best supports the question.
 */
import { type Member, member } from '../core/naming/family.ts';
import { sentenceSupport } from '../language/english/words/content-words.ts';
import type { Reader } from './reader.ts';
import { citationOf } from './shown-passages.ts';
import { type ShownSentence, shownSentences } from './shown-sentences.ts';

export const evidenceOnly: Member<Reader> = member({
  name: 'evidence-only',
  summary:
    'Shows the evidence, each document with its best supporting sentence; does not answer, so answer measures are undefined',
  cost: 'no model',
  create: (_settings, name) => ({
    name,
    async read(question, context, evidence, kit, call) {
      if (evidence.length === 0) return { kind: 'abstained', reason: 'There is no evidence' };
      const sentences = await shownSentences(context, kit.engine, call);
      const support = sentenceSupport(
        question.text,
        sentences.map(({ text }) => text),
      );
      const best = bestOfEachPart(sentences, support);
      const lines = context.parts.map((part, index) => {
        const title = evidence.find(item => item.id === part.id)?.title || part.documentId;
        const sentence = best.get(index);
        return sentence ? `${title}: ${sentence.text}` : title;
      });
      const citations = [...best.values()].flatMap(
        sentence => citationOf(sentence, evidence) ?? [],
      );
      return {
        kind: 'evidence',
        text: lines.join('\n'),
        citations,
        support: Math.max(0, ...support),
      };
    },
  }),
});

function bestOfEachPart(
  sentences: readonly ShownSentence[],
  support: readonly number[],
): Map<number, ShownSentence> {
  const best = new Map<number, { sentence: ShownSentence; support: number }>();
  for (const [index, sentence] of sentences.entries()) {
    const before = best.get(sentence.part);
    if (!before || support[index]! > before.support)
      best.set(sentence.part, { sentence, support: support[index]! });
  }
  return new Map(
    [...best].sort(([a], [b]) => a - b).map(([part, { sentence }]) => [part, sentence]),
  );
}
