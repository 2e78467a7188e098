/**
 * `evidence-only`: returns the ordered evidence without an answer, each document with the shown
 * sentence that best supports the question.
 */
import { type Member, member } from '../core/naming/family.ts';
import type { Answer } from '../core/trace/trace.ts';
import { sentenceSupport } from '../language/english/words/content-words.ts';
import { cited } from './draft.ts';
import { type Reader, type Reading, readerOf } from './reader.ts';
import { bestOfEachPart, shownSentences } from './shown-sentences.ts';

export const evidenceOnly: Member<Reader> = member({
  name: 'evidence-only',
  summary:
    'Shows the evidence, each document with its best supporting sentence; does not answer, so answer measures are undefined',
  cost: 'no model',
  create: (_settings, name) => readerOf(name, showEvidence),
});

async function showEvidence({ question, context, evidence, kit, call }: Reading): Promise<Answer> {
  const sentences = await shownSentences(context, kit.engine, call);
  const support = sentenceSupport(
    question.text,
    sentences.map(({ text }) => text),
  );
  const best = bestOfEachPart(sentences, support);
  const lines = context.parts.map((part, index) => {
    const title = evidence.find(item => item.id === part.id)?.title || part.documentId;
    const sentence = best.get(index);
    return sentence === undefined ? title : `${title}: ${sentences[sentence]!.text}`;
  });
  return {
    kind: 'evidence',
    text: lines.join('\n'),
    citations: cited([...best.values()], sentences, evidence),
    support: Math.max(0, ...support),
  };
}
