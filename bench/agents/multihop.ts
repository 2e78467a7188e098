/** Tools (c): multihop, by the entry for the AI SDK. */
import { aiSdkTools } from '../../src/agents/ai-sdk/index.ts';
import { openStore } from '../../src/index.ts';
import { MOST_CHARACTERS, type ToolSet } from './tool-set.ts';

const BEFORE = 300;

interface Sizes {
  readonly label: string;
  /** Tokens of the evidence of a call. */
  readonly tokens: number;
  /** Units of a part of a document. */
  readonly part: number;
}
/** The agent sees so much of a call, heads of results included. */
export const FULL: Sizes = { label: 'multihop', tokens: 350, part: MOST_CHARACTERS - 400 };
/** For an agent that is to read no more than with the other tools. */
export const SHORT: Sizes = { label: 'multihop, short results', tokens: 80, part: 800 };

interface Evidence {
  readonly documentId: string;
  readonly spans: readonly (readonly [number, number])[];
}

export async function multihopTools(
  place: string,
  { label, tokens, part }: Sizes,
): Promise<ToolSet> {
  const store = await openStore(place);
  const { retrieve, read_document } = aiSdkTools(store, {
    strategy: `fact-lanes(tokens=${tokens})`,
    // No run is cut on a busy machine: its text would differ from the recorded one.
    budget: { ms: 600_000 },
  });
  return {
    label,
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
        const { modelText } = await read_document.execute({ ...input, limit: part }, {});
        return { text: modelText, hits: [] };
      },
    },
    inputsOf: async question => [{ question }],
    close: () => store[Symbol.asyncDispose]() as Promise<void>,
  };
}
