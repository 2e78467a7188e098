/**
 * Records the messages between the MCP client and `multihop mcp`, as a client logs them: the
 * question and the answer stand in a line of their own, since the protocol does not carry them.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../src/index.ts';
import { connected } from './logged-mcp.ts';
import { ANSWER, DOCUMENTS, QUERIES, QUESTION } from './scene.ts';

export async function recordMcp(): Promise<Record<string, string>> {
  const place = join(mkdtempSync(join(tmpdir(), 'multihop-traces-')), 'store');
  await using store = await openStore(place);
  // The agent must not find the last piece of evidence.
  await store.ingest(DOCUMENTS.filter(({ id }) => id !== 'trust'));
  const { client, log } = await connected(place);
  for (const query of QUERIES)
    await client.callTool({ name: 'search', arguments: { query, k: 2 } });
  await client.close();
  const asked = { question: QUESTION, answer: ANSWER };
  return { 'mcp.jsonl': [asked, ...log].map(line => JSON.stringify(line)).join('\n') };
}
