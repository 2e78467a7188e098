/** Connects a client to `multihop mcp` over a store, and logs the messages between them. */
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const BIN = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts');

export async function connected(
  place: string,
  ...options: readonly string[]
): Promise<{ client: Client; log: object[] }> {
  const log: object[] = [];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', BIN, 'mcp', '--store', place, ...options],
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
  return { client, log };
}
