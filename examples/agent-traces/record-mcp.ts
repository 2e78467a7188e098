/**
 * Records the messages between the MCP client and `multihop mcp`, as a client logs them: the
 * question and the answer stand in a line of their own, since the protocol does not carry them.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { openStore } from '../../src/index.ts';
import { ANSWER, DOCUMENTS, QUERIES, QUESTION } from './scene.ts';

const BIN = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts');

export async function recordMcp(): Promise<Record<string, string>> {
  const place = join(mkdtempSync(join(tmpdir(), 'multihop-traces-')), 'store');
  await using store = await openStore(place);
  // The agent must not find the last piece of evidence.
  await store.ingest(DOCUMENTS.filter(({ id }) => id !== 'trust'));
  const log: object[] = [{ question: QUESTION, answer: ANSWER }];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', BIN, 'mcp', '--store', place],
    stderr: 'ignore',
  });
  const client = new Client({ name: 'recorder', version: '1' });
  await client.connect(transport);
  const send = transport.send.bind(transport);
  const { onmessage } = transport;
  const note = (message: unknown): unknown =>
    log.push({ timestamp: new Date().toISOString(), message });
  transport.send = (message, ...rest) => {
    note(message);
    return send(message, ...rest);
  };
  transport.onmessage = (message, ...rest) => {
    note(message);
    onmessage?.(message, ...rest);
  };
  for (const query of QUERIES)
    await client.callTool({ name: 'search', arguments: { query, k: 2 } });
  await client.close();
  return { 'mcp.jsonl': log.map(line => JSON.stringify(line)).join('\n') };
}
