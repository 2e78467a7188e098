/**
 * Tests the tools by the inspector of the protocol's authors, which the project does not depend on:
 * in `node_modules` of the project, or by its command in MCP_INSPECTOR.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openServer, type StoreServer } from '../../src/server/open-server.ts';
import { freshFolder, PACKAGE } from '../running-command.ts';
import { shipStore, TOKEN } from '../server/served-store.ts';

const COMMAND =
  process.env['MCP_INSPECTOR'] ?? join(PACKAGE, 'node_modules', '.bin', 'mcp-inspector');
const BIN = join(PACKAGE, 'src', 'cli', 'main.ts');
const skip = existsSync(COMMAND) ? false : 'npm install --no-save @modelcontextprotocol/inspector';

describe('the inspector', { skip }, () => {
  let folder: string;
  let server: StoreServer;
  let targets: readonly (readonly string[])[];
  before(async () => {
    folder = await shipStore();
    server = await openServer(folder, { token: TOKEN });
    const url = await server.listen({ port: 0 });
    targets = [
      [process.execPath, '--disable-warning=ExperimentalWarning', BIN, 'mcp', '--store', folder],
      [`${url}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${TOKEN}`],
    ];
  });
  after(() => server.close());

  /** Runs it once over stdio and once over HTTP. */
  async function inspect(words: readonly string[]): Promise<{ out: string; err: string }[]> {
    const results = [];
    for (const [first, ...more] of targets) {
      // Options of the target's own command end before the first one of the inspector.
      const all = [COMMAND, '--cli', first!, ...more, ...words];
      results.push(await ran(all));
    }
    return results;
  }

  const ran = (words: readonly string[]): Promise<{ out: string; err: string }> =>
    new Promise((resolve, reject) => {
      const env = { PATH: process.env['PATH'] ?? '', HOME: freshFolder() };
      execFile(process.execPath, words, { env }, (error, out, err) =>
        error ? reject(new Error(`${error.message}\n${err}`)) : resolve({ out, err }),
      );
    });

  test('finds nothing wrong with the schemas of the tools', async () => {
    for (const { out, err } of await inspect(['--method', 'tools/list', '--strict'])) {
      const { tools } = JSON.parse(out) as { tools: { name: string }[] };
      assert.equal(tools.length, 5);
      assert.doesNotMatch(err, /warning|error/i);
    }
  });

  test('calls a tool', async () => {
    const search = ['--method', 'tools/call', '--tool-name', 'search'];
    const call = [...search, '--tool-arg', 'query=tug', 'k=1'];
    for (const { out } of await inspect(call)) {
      const { structuredContent } = JSON.parse(out) as {
        structuredContent: { hits: { id: string }[] };
      };
      assert.deepEqual(
        structuredContent.hits.map(({ id }) => id),
        ['corncrake'],
      );
    }
  });

  test('reads a resource', async () => {
    const uri = 'multihop://document/bay?limit=8';
    for (const { out } of await inspect(['--method', 'resources/read', '--uri', uri])) {
      const { contents } = JSON.parse(out) as { contents: { text: string }[] };
      assert.equal(contents[0]!.text, 'Cold Bay');
    }
  });
});
