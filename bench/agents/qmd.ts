/** Tools (b): the MCP server of QMD in its mode by words, since its models cannot be had here. */
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { rareWords } from './grep.ts';
import type { ToolSet } from './tool-set.ts';

/** The program itself: `bin/qmd` starts it as another process. */
export const QMD: string = fileURLToPath(
  new URL('node_modules/@tobilu/qmd/dist/cli/qmd.js', import.meta.url),
);
const HITS = 5;
const READ_LINES = 60;

/** Variables that place the index and the configuration of QMD. */
export const qmdPlaces = (folder: string): Record<string, string> => ({
  INDEX_PATH: `${folder}/index.sqlite`,
  QMD_CONFIG_DIR: folder,
  XDG_CACHE_HOME: folder,
});

interface Hit {
  readonly file: string;
  readonly title: string;
  readonly line: number;
  readonly snippet: string;
}

interface Reply {
  readonly isError?: boolean;
  readonly structuredContent?: { readonly results: readonly Hit[] };
  readonly content: readonly {
    readonly text?: string;
    readonly resource?: { readonly text: string };
  }[];
}

export async function qmdTools(folder: string, corpus: string): Promise<ToolSet> {
  const env = { ...(process.env as Record<string, string>), ...qmdPlaces(folder) };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [QMD, 'mcp'],
    env,
    stderr: 'ignore',
  });
  const client = new Client({ name: 'bench', version: '0' });
  await client.connect(transport);
  const call = async (name: string, given: object): Promise<Reply> => {
    const reply = (await client.callTool({ name, arguments: { ...given } })) as unknown as Reply;
    if (reply.isError) throw new Error(reply.content[0]?.text);
    return reply;
  };
  return {
    label: 'QMD, by words',
    search: {
      name: 'query',
      description:
        'Searches the knowledge base by keywords (BM25): a document must have all of them; "exact phrase" and -term are understood. Each result has the line of the best match: call get with that line to read more.',
      properties: { query: { type: 'string', maxLength: 120 } },
      async run({ query }) {
        const searches = [{ type: 'lex', query }];
        const { structuredContent } = await call('query', { searches, limit: HITS, rerank: false });
        const found = structuredContent?.results ?? [];
        const text = found.map(
          ({ file, title, line, snippet }) => `${file}:${line} ${title}\n${snippet}`,
        );
        const hits = found.map(({ file, line }) => ({ file, fromLine: Math.max(1, line - 10) }));
        return { text: text.join('\n\n') || 'No results found.', hits };
      },
    },
    read: {
      name: 'get',
      description: `Reads ${READ_LINES} lines of a document by its file path, from a line on.`,
      properties: { file: { type: 'string', maxLength: 160 }, fromLine: { type: 'integer' } },
      optional: ['fromLine'],
      async run(input) {
        const { content } = await call('get', {
          maxLines: READ_LINES,
          lineNumbers: false,
          ...input,
        });
        return {
          text: content.map(({ text, resource }) => resource?.text ?? text).join('\n'),
          hits: [],
        };
      },
    },
    // A document must have each word: the rare ones first, then without the most frequent.
    async inputsOf(question) {
      const words = await rareWords(corpus, question);
      return words.map((_, left) => ({ query: words.slice(0, words.length - left).join(' ') }));
    },
    server: transport.pid ?? undefined,
    close: () => client.close(),
  };
}
