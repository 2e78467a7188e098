/** Tools (c): multihop, by the entry for the AI SDK. */
import { aiSdkTools } from '../../src/agents/ai-sdk/index.ts';
import { openStore } from '../../src/index.ts';
import { MOST_CHARACTERS, type ToolSet } from './tool-set.ts';

/** Tokens of the default strategy, so that most results fit into what the agent sees of a call. */
const STRATEGY = 'fact-lanes(tokens=350)';
const BEFORE = 300;
/** Units of a part, whose head fits into what the agent sees too. */
const PART = MOST_CHARACTERS - 400;

interface Evidence {
  readonly documentId: string;
  readonly spans: readonly (readonly [number, number])[];
}

export async function multihopTools(place: string): Promise<ToolSet> {
  const store = await openStore(place);
  const { retrieve, read_document } = aiSdkTools(store, {
    strategy: STRATEGY,
    // No run is cut on a busy machine: its text would differ from the recorded one.
    budget: { ms: 600_000 },
  });
  return {
    label: 'multihop',
    search: {
      name: 'retrieve',
      description: retrieve.description,
      properties: { question: { type: 'string', maxLength: 200 } },
      async run(input) {
        const { modelText, evidence } = await retrieve.execute(input, {});
        const hits = (evidence as readonly Evidence[]).map(({ documentId: id, spans }) => ({
          id,
          offset: Math.max(0, (spans[0]?.[0] ?? 0) - BEFORE),
        }));
        return { text: modelText, hits };
      },
    },
    read: {
      name: 'read_document',
      description: read_document.description,
      properties: { id: { type: 'string', maxLength: 160 }, offset: { type: 'integer' } },
      optional: ['offset'],
      async run(input) {
        const { modelText } = await read_document.execute({ ...input, limit: PART }, {});
        return { text: modelText, hits: [] };
      },
    },
    inputsOf: async question => [{ question }],
    close: () => store[Symbol.asyncDispose]() as Promise<void>,
  };
}
