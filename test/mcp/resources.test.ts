/** Tests documents and traces as resources, by the official client. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { verifyTrace } from '../../src/core/trace/index.ts';
import { sha256 } from '../../src/platform/sha256.ts';
import { type Connected, calledTool, connectStore, NEWEST, OLDER } from './client.ts';

/** An id that an address must encode, and a text that takes more than one reading. */
const ODD = 'a/b?c=d#e %2F 😀';
const LONG = `x${'😀'.repeat(150_000)}`;

for (const version of [OLDER, NEWEST])
  describe(`resources, revision ${version}`, () => {
    let connected: Connected;
    before(async () => {
      const many = Array.from({ length: 250 }, (_, index) => ({
        id: `d${String(index).padStart(3, '0')}`,
        title: index === 7 ? `Two\nlines ${'x'.repeat(500)}` : `Document ${index}`,
        text: `This is number ${index}.`,
      }));
      connected = await connectStore([...many, { id: ODD, text: LONG, source: 'Ledger' }], version);
    });
    after(() => connected[Symbol.asyncDispose]());

    test('are listed page by page, each document once', async () => {
      const names: string[] = [];
      const uris: string[] = [];
      let cursor: string | undefined;
      let pages = 0;
      do {
        // The method of the client gathers all pages.
        const params = cursor === undefined ? {} : { cursor };
        const page = await connected.client.request({ method: 'resources/list', params });
        names.push(...page.resources.map(({ name }) => name));
        uris.push(...page.resources.map(({ uri }) => uri));
        cursor = page.nextCursor;
        pages++;
        assert.ok(page.resources.length <= 120);
      } while (cursor !== undefined);
      const documents = uris.filter(uri => uri.startsWith('multihop://document/'));
      assert.equal(documents.length, 251);
      assert.equal(new Set(documents).size, 251);
      assert.equal(pages, 3);
      const odd = names.find(name => name.startsWith('Two'))!;
      assert.match(odd, /^Two lines x+…$/);
      assert.ok(odd.length <= 201);
    });

    test('a cursor that no page gave is an error with its code', async () => {
      const call = connected.client.listResources({ cursor: 'nonsense' });
      await assert.rejects(call, /bad-request: The cursor/);
    });

    test('documents are read part by part, to their end', async () => {
      const { resources } = await connected.client.listResources();
      const first = resources.find(({ uri }) => uri.startsWith('multihop://document/'))!;
      let uri: string | undefined = first.uri;
      assert.equal(decodeURIComponent(uri.slice('multihop://document/'.length)), ODD);
      let text = '';
      let parts = 0;
      while (uri !== undefined) {
        const { contents } = await connected.client.readResource({ uri });
        const [part, more] = contents as { uri: string; mimeType: string; text: string }[];
        assert.ok(part!.text.isWellFormed());
        assert.equal(part!.mimeType, 'text/plain');
        text += part!.text;
        uri = more?.uri;
        if (more) assert.match(more.text, /are left out: read multihop:\/\/document\//);
        parts++;
      }
      assert.equal(text, LONG);
      assert.equal(parts, 2);
    });

    test('the trace of a run is listed first, and its lines verify', async () => {
      const question = 'Which number is 17?';
      const { fields } = await calledTool(connected.client, 'ask', { question });
      const { resources } = await connected.client.listResources();
      const [trace] = resources;
      assert.equal(trace!.uri, `multihop://trace/${fields['id']}`);
      assert.equal(trace!.name, question);
      let lines = '';
      for (let uri: string | undefined = trace!.uri; uri !== undefined; ) {
        const { contents } = await connected.client.readResource({ uri });
        const [part, more] = contents as { uri: string; text: string }[];
        lines += part!.text;
        uri = more?.uri;
      }
      assert.equal(verifyTrace(lines, sha256).ok, true);
    });

    test('templates name their parameters, and a part is read by them', async () => {
      const { resourceTemplates } = await connected.client.listResourceTemplates();
      assert.deepEqual(
        resourceTemplates.map(({ uriTemplate }) => uriTemplate),
        ['multihop://document/{id}{?offset,limit}', 'multihop://trace/{id}{?offset,limit}'],
      );
      const uri = 'multihop://document/d017?offset=8&limit=9';
      const { contents } = await connected.client.readResource({ uri });
      assert.equal((contents[0] as { text: string }).text, 'number 17');
    });

    test('an address that is wrong or unknown is an error that names it', async () => {
      const { client } = connected;
      const wrong = [
        'file:///etc/hostname',
        'multihop://document/',
        'multihop://document/%zz',
        'multihop://document/d017/..',
        'multihop://folder/d017',
        'multihop://document/d017?offset=-1',
        'multihop://document/d017?limit=0',
        'multihop://document/d017?path=x',
      ];
      for (const uri of wrong)
        await assert.rejects(client.readResource({ uri }), /bad-request: The address/, uri);
      for (const uri of ['multihop://document/nothing', 'multihop://trace/nothing'])
        await assert.rejects(client.readResource({ uri }), /There is no/, uri);
    });
  });
