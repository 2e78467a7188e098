/** The tool `search`: one search, without a strategy. */
import {
  SEARCH_INPUT,
  SEARCH_OUTPUT,
  type SearchInput,
  type SearchReply,
} from '../session/requests/schemas.ts';
import { quotedPassages } from './quoted-passages.ts';
import {
  inputOf,
  type McpTool,
  NOTICE,
  type ToolReply,
  timed,
  toolOutput,
  UNTRUSTED,
} from './tool.ts';

export const searchTool: McpTool<SearchInput> = {
  name: 'search',
  title: 'Search documents',
  description: `Searches the documents once and returns the best hits, each with the sentence that fits best. For a question whose answer is spread over several documents use ask or retrieve. ${UNTRUSTED}`,
  input: inputOf(SEARCH_INPUT),
  output: toolOutput(SEARCH_OUTPUT),
  works: true,
  answer: async (input, call) =>
    searchReply(await call.store.search(timed(input, call), call.signal)),
};

const searchReply = (reply: SearchReply): ToolReply => ({
  fields: { ...reply, notice: NOTICE },
  cuts: [
    { path: ['hits'], readOn: 'search with a smaller k, or with a filter', least: 1 },
    { path: ['query'], readOn: 'it is the query of the call' },
    { path: ['absentPhrases'], readOn: 'they are phrases of the query', least: 0 },
  ],
  text: fields => wordsOf(fields as unknown as SearchReply, reply.hits.length),
});

function wordsOf(reply: SearchReply, found: number): string {
  const { retriever, unit, hits, absentPhrases = [] } = reply;
  const head = `${found} ${found === 1 ? 'hit' : 'hits'} (${unit}, ${retriever}), best first; offsets are where each stands in its document.`;
  const absent = absentPhrases.map(
    phrase => `\nNo ${unit} holds the phrase ${JSON.stringify(phrase)}.`,
  );
  if (hits.length === 0)
    return `No hits (${unit}, ${retriever}). Search for other words.${absent.join('')}`;
  const passages = hits.map(({ rank, start, end, quotes, others: _, ...about }) => ({
    ...about,
    ...quotes[0],
    number: rank,
    text: `${quotes[0]?.text ?? ''} (offsets ${start} to ${end})`,
  }));
  const more = hits.length < found ? `\n${found - hits.length} hits are left out for length.` : '';
  return `${head}${absent.join('')}${more}\n${quotedPassages(passages)}\nread_document reads a document by its id, from any offset.`;
}
