/**
 * Tests links of documents: what their readers state and their targets resolve to, their index, and
 * fuzzed targets.
 */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Document } from '../src/core/corpus/document.ts';
import { freeCall } from '../src/core/trace/call.ts';
import { readDocuments } from '../src/documents/read-documents.ts';
import { EmbeddedEngine } from '../src/search/embedded-engine.ts';
import { DOCUMENT_LINKS, linkedDocument } from '../src/search/links/document-links.ts';
import { anchorStart, LinkTargets } from '../src/search/links/link-targets.ts';
import { type Edge, NEIGHBOURS } from '../src/search/ports/neighbours-port.ts';
import type { Snapshot } from '../src/search/snapshot.ts';
import { LINKED_DOCUMENTS } from '../src/testing/linked-documents.ts';
import { freshFolder } from './fresh-folder.ts';

const call = freeCall();

/** Reads files as documents; ids are paths below one folder. */
async function read(files: Readonly<Record<string, string>>): Promise<Document[]> {
  const folder = freshFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const documents: Document[] = [];
  for await (const event of readDocuments([folder]))
    if (event.type !== 'skipped') documents.push(event.document);
  return documents;
}

const edgesOf = async (snapshot: Snapshot, unit: 'document' | 'passage', id: string) =>
  (await snapshot.port(NEIGHBOURS)!.neighbours({ unit, ids: [id] }, call))[0]!;

const plainDocument = (id: string, metadata: Document['metadata'] = {}): Document => ({
  id,
  title: id,
  text: 'A text.',
  metadata,
});

const targetsOf = (...documents: readonly Document[]): LinkTargets => {
  const sorted = [...documents].sort((a, b) => (a.id < b.id ? -1 : 1));
  return new LinkTargets({
    has: id => sorted.some(document => document.id === id),
    all: () => sorted,
    links: new Map(),
  });
};

describe('links that a file states', () => {
  /** By format: a file that links to the section "Page size" of `b/two.FORMAT` and to nothing. */
  const FILES: Readonly<Record<string, { readonly from: string; readonly to: string }>> = {
    md: {
      from: '# One\n\nSee [its pages](../b/two.md#page-size) and [nothing](gone.md).\n',
      to: '# Two\n\nFirst words.\n\n## Page size\n\nA page has 4096 bytes.\n',
    },
    html: {
      from: '<h1>One</h1><p>See <a href="../b/two.html#page-size">pages</a> or <a href="x.html">x</a>.</p>',
      to: '<h1>Two</h1><p>First words.</p><h2 id="page-size">Page size</h2><p>4096 bytes.</p>',
    },
    rst: {
      from: 'One\n===\n\nSee `its pages <../b/two.rst#page-size>`_ and :doc:`gone`.\n',
      to: 'Two\n===\n\nFirst words.\n\nPage size\n---------\n\nA page has 4096 bytes.\n',
    },
    adoc: {
      from: '= One\n\nSee xref:../b/two.adoc#page-size[its pages] and xref:gone.adoc[nothing].\n',
      to: '= Two\n\nFirst words.\n\n== Page size\n\nA page has 4096 bytes.\n',
    },
  };
  for (const [format, { from, to }] of Object.entries(FILES))
    test(`are edges to a section, in ${format}`, async () => {
      const ids = [`a/one.${format}`, `b/two.${format}`] as const;
      const documents = await read({ [ids[0]]: from, [ids[1]]: to });
      const snapshot = new EmbeddedEngine({ documents, chunker: 'tokens(size=6, overlap=0)' })
        .current;
      const link: Edge = { to: ids[1], label: 'link', direction: 'out', weight: 1 };
      assert.deepEqual(await edgesOf(snapshot, 'document', ids[0]), [link]);
      assert.deepEqual(await edgesOf(snapshot, 'document', ids[1]), [
        { ...link, to: ids[0], direction: 'in' },
      ]);
      const parts = (await snapshot.parts('passage', [ids[0]]))[0]!;
      const edges = (
        await Promise.all(parts.map(({ id }) => edgesOf(snapshot, 'passage', id)))
      ).flat();
      assert.equal(edges.length, 1);
      const [passage] = await snapshot.read('passage', [edges[0]!.to]);
      assert.match(passage!.text, /4096 bytes/);
    });

  test('name another document of reStructuredText by a role', async () => {
    const documents = await read({
      'a/one.rst': 'One\n===\n\nSee :doc:`more/two` and :doc:`the second <more/two>`.\n',
      'a/more/two.rst': 'Two\n===\n\nWords.\n',
    });
    const { current } = new EmbeddedEngine({ documents });
    assert.deepEqual(await edgesOf(current, 'document', 'a/one.rst'), [
      { to: 'a/more/two.rst', label: 'link', direction: 'out', weight: 1 },
    ]);
  });
});

describe('a target', () => {
  test('is the document of this id, without extension, of a folder, or at an address', () => {
    const targets = targetsOf(
      plainDocument('guide/start.md', { url: 'https://www.tern.dev/start/' }),
      plainDocument('guide/more/index.rst'),
      plainDocument('README.md'),
      plainDocument('odd#name.md'),
    );
    const idOf = (target: string): string | undefined => targets.find(target, 'a.md')?.id;
    assert.equal(idOf('guide/start.md'), 'guide/start.md');
    assert.deepEqual(targets.find('guide/start.md#a#b', 'a.md'), {
      id: 'guide/start.md',
      anchor: 'a#b',
    });
    assert.equal(idOf('guide/start'), 'guide/start.md');
    assert.equal(idOf('guide/start.html'), 'guide/start.md');
    assert.equal(idOf('guide/more/'), 'guide/more/index.rst');
    assert.equal(idOf('guide/more/README.md'), 'guide/more/index.rst');
    assert.equal(idOf('odd#name.md'), 'odd#name.md');
    assert.deepEqual(targets.find('http://tern.dev/start#top', 'a.md'), {
      id: 'guide/start.md',
      anchor: 'top',
    });
    for (const target of ['guide', 'gone.md', '', '#top', 'https://tern.dev', 'https://x', '.md'])
      assert.equal(idOf(target), undefined, target);
  });

  test('of any text is a document of the store or none', () => {
    const id = fc.array(fc.constantFrom('a', 'b.md', 'index', '/', '#', '.', ' ', 'é'), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(fc.array(id, { maxLength: 5 }), id, fc.string(), (ids, near, far) => {
        const known = [...new Set(ids.map(parts => parts.join('')))].filter(
          address => address !== '',
        );
        const targets = targetsOf(
          ...known.map(address => plainDocument(address, { url: `http://${address}` })),
        );
        for (const target of [
          near.join(''),
          far,
          ...known,
          ...known.map(address => `http://${address}`),
        ]) {
          const found = targets.find(target, 'a');
          assert.ok(found === undefined || known.includes(found.id), target);
          if (known.includes(target)) assert.deepEqual(found, { id: target, anchor: '' });
        }
      }),
    );
  });

  test('stands at the heading that its anchor names, else at the start', () => {
    const [guide, egret] = LINKED_DOCUMENTS;
    assert.equal(anchorStart(egret!, 'page-size'), egret!.text.indexOf('Page size'));
    assert.equal(anchorStart(egret!, 'Page%20Size'), egret!.text.indexOf('Page size'));
    for (const anchor of ['', '%', 'storage', '-']) assert.equal(anchorStart(egret!, anchor), 0);
    assert.equal(anchorStart({}, 'storage'), 0);
    assert.equal(anchorStart(guide!, 'storage'), guide!.text.indexOf('Storage'));
  });
});

describe('the index of links', () => {
  const rows = (documents: readonly Document[]): unknown =>
    documents
      .map(document => [document.id, linkedDocument(document)] as const)
      .filter(([, linked]) => linked !== undefined)
      .sort();

  test('of any order of writes equals building at once, to the byte', async () => {
    const action = fc.record({ at: fc.nat(LINKED_DOCUMENTS.length - 1), put: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 12 }), async actions => {
        const engine = new EmbeddedEngine();
        const there = new Map<string, Document>();
        for (const { at, put } of actions) {
          const document = LINKED_DOCUMENTS[at]!;
          if (put) await engine.put([document], call);
          else if (there.has(document.id)) await engine.remove([document.id], call);
          if (put) there.set(document.id, document);
          else there.delete(document.id);
          await engine.current.openDerived(DOCUMENT_LINKS, call);
        }
        const { index } = await engine.current.openDerived(DOCUMENT_LINKS, call);
        const source = engine.current.derivedSource;
        const built = await DOCUMENT_LINKS.add(
          DOCUMENT_LINKS.empty(),
          source.documents,
          source,
          call,
        );
        assert.deepEqual(DOCUMENT_LINKS.pack(index), DOCUMENT_LINKS.pack(built));
        assert.deepEqual(
          [...DOCUMENT_LINKS.unpack(DOCUMENT_LINKS.pack(index))],
          rows([...there.values()]),
        );
      }),
      { numRuns: 30 },
    );
  });

  test('is refused with arrays that do not fit together', async () => {
    const { current } = new EmbeddedEngine({ documents: LINKED_DOCUMENTS });
    const packed = DOCUMENT_LINKS.pack((await current.openDerived(DOCUMENT_LINKS, call)).index);
    const { links, anchors } = packed.arrays;
    const others = [
      { ...packed, header: { format: 'other' } },
      { ...packed, arrays: { ...packed.arrays, links: links!.slice(1) } },
      { ...packed, arrays: { ...packed.arrays, links: links!.map(() => 99) } },
      { ...packed, arrays: { ...packed.arrays, anchors: anchors!.map(() => 99) } },
      { ...packed, arrays: { ...packed.arrays, addresses: new Uint32Array(1) } },
      { ...packed, arrays: { ...packed.arrays, ids: new TextEncoder().encode('[1]') } },
    ];
    for (const other of others)
      assert.throws(() => DOCUMENT_LINKS.unpack(other), /Not a stored derived index/);
  });
});
