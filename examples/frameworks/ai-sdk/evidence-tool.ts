/** A tool of the AI SDK: the model asks a whole question and gets evidence of several documents. */
import { tool } from 'ai';
import type { Budget, DocumentStore } from 'multihop';
import { z } from 'zod';

const PER_CALL: Budget = { documents: 6, contextTokens: 1000, ms: 10_000 };

export const evidenceTool = (store: DocumentStore, budget: Budget = PER_CALL) =>
  tool({
    description:
      'Finds the passages that together answer a question, also where each holds only a part.',
    inputSchema: z.object({
      question: z.string().describe('The whole question, with every name and date that it has'),
    }),
    execute: async ({ question }, { abortSignal }) => {
      const { context, evidence, trace } = await store.retrieve(question, {
        budget,
        ...(abortSignal ? { signal: abortSignal } : {}),
      });
      const titles = new Map(evidence.map(({ documentId, title }) => [documentId, title]));
      return {
        // For the model: title and source of each document, then its sentences.
        evidence: context.text,
        sources: Array.from(titles, ([id, title]) => ({ id, title })),
        // A limit that ended the search early.
        ...(trace.stopped ? { stopped: trace.stopped } : {}),
      };
    },
  });
