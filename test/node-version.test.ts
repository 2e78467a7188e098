/** Tests that an old Node is refused when the package is imported. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { InputError } from '../src/core/errors.ts';
import { checkNode } from '../src/platform/node-version.ts';

const file = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

test('an old Node is refused with what is needed, what there is and what to do', () => {
  for (const node of ['20.20.2', '22.12.0', '18.0.0'])
    assert.throws(
      () => checkNode({ node }),
      (error: unknown) =>
        InputError.is(error) &&
        error.code === 'old-node' &&
        error.expected === 'Node 22.13 or newer' &&
        error.received === `Node ${node}` &&
        /Install a newer one/.test(String(error.hint)),
    );
  for (const node of ['22.13.0', '22.20.1', '24.0.0', '100.1.0']) checkNode({ node });
});

test('Bun and Deno are not measured by the Node that they name', () => {
  checkNode({ node: '20.11.1', deno: '2.0.0' });
  checkNode({ node: '20.0.0', bun: '1.2.0' });
  checkNode({});
});

test('library and command need the Node of package.json, and every entry of Node asks for it', () => {
  const { engines } = JSON.parse(file('package.json')) as { engines: { node: string } };
  for (const path of ['src/platform/node-version.ts', 'src/cli/main.ts'])
    assert.equal(/NEEDED = '([\d.]+)'/.exec(file(path))?.[1], engines.node.replace('>=', ''));
  for (const entry of [
    'src/index.ts',
    ...['documents', 'providers', 'stores/disk', 'providers/tree-hop'].map(
      room => `src/${room}/index.ts`,
    ),
  ])
    assert.match(file(entry), /^checkNode\(\);$/m, entry);
});
