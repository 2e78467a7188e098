/** Tests `multihop mcp` as a process: its streams, its end and its errors. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { freshFolder } from '../fresh-folder.ts';
import { type Running, start } from '../running-command.ts';
import { shipStore } from '../server/served-store.ts';
import { OLDER, withoutSdk } from './client.ts';

let folder: string;
before(async () => {
  folder = await shipStore();
});

describe('multihop mcp as a process', () => {
  const hello = `${JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: OLDER, capabilities: {}, clientInfo: { name: 't', version: '1' } },
  })}\n`;

  /** Starts it and waits for its first answer. */
  async function greeted(
    words: readonly string[] = [],
    env: Record<string, string> = {},
  ): Promise<Running> {
    const running = start(['mcp', '--store', folder, ...words], { stdin: null, env });
    running.child.stdin!.write(hello);
    while (!running.soFar().out.includes('\n')) {
      assert.equal(running.child.exitCode, null, running.soFar().err);
      await new Promise(resolve => setTimeout(resolve, 20));
    }
    return running;
  }

  test('ends with code 0 when its client closes stdin', async () => {
    const { child, result } = await greeted();
    child.stdin!.end();
    assert.equal((await result).code, 0);
  });

  test('ends with code 0 at SIGTERM', async () => {
    const { child, result } = await greeted();
    child.kill('SIGTERM');
    assert.equal((await result).code, 0);
  });

  test('keeps stdout for the protocol, whatever a library prints', async () => {
    const noise = `if (process.stdin.listenerCount('data') > 0) {
      console.log('noise of a library');
      process.stdout.write('more noise\\n');
    }`;
    const url = `data:text/javascript,setInterval(() => { ${encodeURIComponent(noise)} }, 20).unref()`;
    const { child, result, soFar } = await greeted(['--verbose'], {
      NODE_OPTIONS: `--import=${url.replaceAll(' ', '%20')}`,
    });
    while (!soFar().err.includes('more noise'))
      await new Promise(resolve => setTimeout(resolve, 20));
    child.stdin!.write('this is no JSON\n{"jsonrpc":"2.0"}\n');
    child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })}\n`);
    while (soFar().out.split('\n').length < 3)
      await new Promise(resolve => setTimeout(resolve, 20));
    child.stdin!.end();
    const { out, err, code } = await result;
    assert.equal(code, 0);
    const lines = out.trim().split('\n');
    const ids = lines.map(line => (JSON.parse(line) as { id: number }).id);
    assert.deepEqual(ids, [1, 2]);
    assert.match(err, /noise of a library/);
  });

  test('answers each message of a batch, and escapes what terminals act on', async () => {
    const { child, result, soFar } = await greeted();
    const query = 'tug \u202e\u0085\u2028';
    const search = { name: 'search', arguments: { query, k: '1', filter: null } };
    const batch = [
      { jsonrpc: '2.0', id: 2, method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 3, method: 'tools/call', params: search },
    ];
    const bytes = Buffer.from(`[]\n[3, \n${JSON.stringify(batch)}\n`);
    // Cut within a character and within a line.
    child.stdin!.write(bytes.subarray(0, bytes.indexOf(0x80)));
    child.stdin!.write(bytes.subarray(bytes.indexOf(0x80)));
    while (soFar().out.split('\n').length < 4)
      await new Promise(resolve => setTimeout(resolve, 20));
    child.stdin!.end();
    const { out, code } = await result;
    assert.equal(code, 0);
    assert.doesNotMatch(out, /[\u0080-\u009f\u2028\u202e]/);
    const replies = new Map(
      out
        .trim()
        .split('\n')
        .map(line => [JSON.parse(line).id, JSON.parse(line)]),
    );
    assert.deepEqual([...replies.keys()].sort(), [1, 2, 3]);
    const { k, hits, query: searched } = replies.get(3).result.structuredContent;
    assert.deepEqual([k, hits.length, searched], [1, 1, query]);
  });

  test('ends where a line never ends', async () => {
    const { child, result } = await greeted();
    child.stdin!.on('error', () => {});
    for (let megabytes = 0; megabytes < 12; megabytes++)
      child.stdin!.write(`[${' '.repeat(1024 * 1024)}`);
    assert.equal((await result).code, 0);
  });

  test('says what to install where the SDK is missing', async () => {
    const { code, out, err } = await start(['mcp', '--store', folder], withoutSdk()).result;
    assert.equal(code, 1);
    assert.equal(out, '');
    assert.match(err, /MCP servers require the package @modelcontextprotocol\/server/);
    assert.match(err, /npm install @modelcontextprotocol\/server/);
  });

  test('a folder that is no store is an error on stderr', async () => {
    const { code, out, err } = await start(['mcp', '--store', freshFolder()]).result;
    assert.equal(code, 4);
    assert.equal(out, '');
    assert.match(err, /multihop ingest/);
  });
});
