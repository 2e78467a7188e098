/** Tests `multihop init`, and what `multihop` alone proposes in a folder of documents. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { freshFolder, printed, refuses, run, succeeds } from './running-command.ts';

/** Answers as Ollama does. */
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (piece: Buffer) => (body += piece.toString()));
  request.on('end', () => {
    const capabilities = body.includes('tale') ? ['completion'] : ['embedding'];
    const models = [{ name: 'vectors' }, { name: 'tale:3b' }];
    response.end(JSON.stringify(request.url === '/api/tags' ? { models } : { capabilities }));
  });
});
const env: Record<string, string> = {};
before(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  env['OLLAMA_HOST'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => void server.close());

function documents(): string {
  const folder = freshFolder();
  mkdirSync(join(folder, 'notes'));
  writeFileSync(
    join(folder, 'notes', 'ferry.md'),
    '# Ferry\n\nThe ferry sails at noon from the old port.\n',
  );
  writeFileSync(
    join(folder, 'zug.txt'),
    'Der Zug fährt heute nicht, weil der Sturm die Strecke gesperrt hat und alle Reisenden warten.',
  );
  writeFileSync(join(folder, 'package.json'), '{ "version": 1 }');
  writeFileSync(join(folder, 'picture.png'), Buffer.from([1, 0, 2]));
  return folder;
}

describe('init', () => {
  test('counts files and languages, names what cannot be read, and writes settings that commands take', async () => {
    const folder = documents();
    const { unread, models, ...found } = await printed(['init', folder], { env });
    assert.deepEqual(found, {
      configuration: join(folder, 'multihop.config.json'),
      settings: {
        store: '.multihop/store',
        ask: { model: 'ollama:tale:3b' },
        chat: { model: 'ollama:tale:3b' },
      },
      files: { markdown: 1, text: 1, json: 1 },
      languages: { en: 1, de: 1 },
    });
    const written = readFileSync(join(folder, 'multihop.config.json'), 'utf8');
    assert.deepEqual(JSON.parse(written), found['settings']);
    assert.match(JSON.stringify(unread), /^\[\{"path":"[^"]*package\.json","reason":"no text/);
    assert.ok((models as string[]).includes('ollama:tale:3b'));
    await succeeds(['ingest', folder], { folder });
    const { store } = await printed(['documents'], { folder });
    assert.equal(store, join(folder, '.multihop', 'store'));
  });

  test('leaves settings that are there as they are, and refuses a folder without documents', async () => {
    const folder = documents();
    writeFileSync(join(folder, 'multihop.config.json'), '{}');
    await refuses(['init', folder], /exists already/);
    assert.equal(readFileSync(join(folder, 'multihop.config.json'), 'utf8'), '{}');
    await refuses(['init', freshFolder()], /No document in/);
    await refuses(['init', join(folder, 'nowhere')], /nowhere/);
  });

  test('without a model writes the place of the store alone', async () => {
    const { out } = await succeeds(['init', documents()], { env: { OLLAMA_HOST: '127.0.0.1:9' } });
    assert.match(out, /^Documents {2}3 files that can be read: 1 \w+, 1 \w+, 1 \w+$/m);
    assert.match(out, /^Languages {2}English 1, German 1$/m);
    assert.match(out, /^Written .*\{"store":"\.multihop\/store"\}$/m);
  });
});

describe('multihop alone', () => {
  test('proposes init in a folder of documents, else the demo', async () => {
    const folder = documents();
    const { out } = await run([], { folder });
    assert.match(out, /^Here are 3 files that can be read/m);
    assert.match(out, /^ {2}multihop init /m);
    const { out: empty } = await run([], { folder: freshFolder() });
    assert.doesNotMatch(empty, /Here are/);
    assert.match(empty, /^ {2}multihop demo /m);
  });
});
