/** Tests links that leave their folder: addresses, paths from a root, labels. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Document } from '../src/core/corpus/document.ts';
import { readDocuments } from '../src/documents/read-documents.ts';
import { linkedDocument } from '../src/search/links/document-links.ts';
import { addressOf, ownAddresses } from '../src/search/links/link-addresses.ts';
import { LinkTargets } from '../src/search/links/link-targets.ts';
import { readPage as read } from './format-blocks.ts';
import { freshFolder } from './fresh-folder.ts';

/** Returns the documents that a link of `from` to each target leads to. */
function resolver(documents: readonly Document[]) {
  const all = [...documents].sort((a, b) => (a.id < b.id ? -1 : 1));
  const links = new Map(
    all.flatMap(document => {
      const linked = linkedDocument(document);
      return linked ? [[document.id, linked] as const] : [];
    }),
  );
  const has = (id: string): boolean => all.some(document => document.id === id);
  const targets = new LinkTargets({ has, all: () => all, links });
  return (target: string, from: string) => targets.find(target, from);
}

const page = (id: string, metadata: Document['metadata'] = {}): Document => ({
  id,
  title: id,
  text: 'A text.',
  metadata,
});

describe('the readers keep', () => {
  const TARGETS: readonly (readonly [path: string, text: string, targets: readonly string[]])[] = [
    [
      'a/one.md',
      '[A](https://tern.dev/x?y#z) [b](/guide/#top) [c](//tern.dev) [d](mailto:a@b.c) [e](#f) [g](two.md)',
      ['https://tern.dev/x?y#z', '/guide/#top', 'https://tern.dev', 'a/two.md'],
    ],
    [
      'a/one.rst',
      '`Tern <https://tern.dev>`_, `Egret`_, heron_, :ref:`page size <page-size>`, :ref:`Cache`,\n' +
        ':doc:`/guide/start` and https://else.dev/a.\n\n.. _Egret: https://egret.dev\n.. _heron: /heron\n',
      [
        'https://tern.dev',
        'https://egret.dev',
        '/heron',
        'ref:page-size',
        'ref:cache',
        '/guide/start.rst',
        'https://else.dev/a',
      ],
    ],
    [
      'a/one.adoc',
      '= One\n\nSee https://tern.dev/x[Tern] and xref:/guide.adoc[it].\n',
      ['https://tern.dev/x', '/guide.adoc'],
    ],
    [
      'a/one.html',
      '<p><a href="https://tern.dev/">Tern</a> and <a href="/guide">it</a> and <a href="javascript:x">x</a></p>',
      ['https://tern.dev/', '/guide'],
    ],
  ];
  for (const [path, text, targets] of TARGETS)
    test(`addresses, paths from a root and labels, in ${path}`, async () => {
      const { outline } = await read(path, text);
      assert.deepEqual(
        outline!.flatMap(({ links = [] }) => links),
        targets,
      );
    });

  test('the links of badges, with the block below them', async () => {
    const { text, outline } = await read(
      'tern/README.md',
      '# Tern\n\n[![ci](https://x.dev/ci.svg)](https://github.com/heron/tern)\n\nTern is a bird.\n',
    );
    assert.equal(text, 'Tern is a bird.');
    assert.deepEqual(outline![0]!.links, ['https://github.com/heron/tern']);
  });

  test('the labels of reStructuredText, with the block below them', async () => {
    const { text, outline } = await read(
      'a/one.rst',
      '.. _Top of All:\n\nOne\n===\n\nWords.\n\n.. _page-size:\n.. _pages:\n\nPage size\n---------\n\n4096 bytes.\n',
    );
    const anchored = outline!.flatMap(({ start, anchors = [] }) =>
      anchors.map(name => [name, text.slice(start, start + 5)]),
    );
    assert.deepEqual(anchored, [
      ['top of all', 'Words'],
      ['page-size', 'Page '],
      ['pages', 'Page '],
    ]);
  });
});

test('an address is compared without what does not tell pages apart', () => {
  for (const [text, address] of [
    ['https://www.Tern.dev/Guide/?a=b', 'tern.dev/Guide'],
    ['http://tern.dev/guide/index.html#a', 'tern.dev/guide'],
    ['git+https://github.com/Heron/Tern.git', 'github.com/heron/tern'],
    ['git+ssh://git@github.com/heron/tern.git', 'github.com/heron/tern'],
    [
      'https://raw.githubusercontent.com/heron/tern/main/A.md',
      'github.com/heron/tern/blob/main/A.md',
    ],
    ['guide/start.md', undefined],
    ['https://', undefined],
  ] as const)
    assert.equal(addressOf(text), address, text);
});

describe('addresses of a project', () => {
  const readme = async (links: readonly string[], title = 'Tern'): Promise<readonly string[]> =>
    ownAddresses(
      await read(
        'birds/tern/README.md',
        `# ${title}\n\n${links.map(link => `<${link}>`).join(' ')}\n`,
      ),
    );

  test('are those of its front page that carry its name', async () => {
    assert.deepEqual(
      await readme([
        'https://github.com/heron/tern',
        'https://github.com/heron/tern/issues',
        'https://github.com/heron/egret',
        'https://www.npmjs.com/package/tern',
        'https://www.npmjs.com/package/egret',
        'https://tern.readthedocs.io/en/latest/',
        'https://docs.tern.org/x',
        'https://egret.readthedocs.io/',
        // A page of this name may be that of the thing that the package only serves.
        'https://tern.io/',
      ]),
      ['docs.tern.org', 'github.com/heron/tern', 'npmjs.com/package/tern', 'tern.readthedocs.io'],
    );
    assert.deepEqual(await readme(['https://github.com/heron/node-tern']), [
      'github.com/heron/node-tern',
    ]);
  });

  test('are none where another repository is linked as often, or more', async () => {
    const tern = 'https://github.com/heron/tern';
    const other = 'https://github.com/heron/tern-client';
    assert.deepEqual(await readme([tern, other]), []);
    assert.deepEqual(await readme([tern, other, other]), []);
  });

  test('are those that metadata records, on any page', () => {
    const metadata = { homepage: 'https://tern.io/', repository: 'git+https://github.com/a/b.git' };
    assert.deepEqual(ownAddresses(page('x.md', metadata)), ['github.com/a/b', 'tern.io']);
  });
});

describe('the manifest beside a front page', () => {
  const metadataBeside = async (name: string, manifest: string, file = 'README.md') => {
    const folder = freshFolder();
    writeFileSync(join(folder, name), manifest);
    writeFileSync(join(folder, file), '# Tern\n\nA bird.\n');
    for await (const event of readDocuments([join(folder, file)]))
      if (event.type === 'document') return event.document.metadata;
    return undefined;
  };
  const tern = { homepage: 'https://tern.io/', repository: 'https://github.com/heron/tern' };

  test('says which addresses are those of the project', async () => {
    const homepage = 'https://tern.io/';
    const repository = { url: 'git+https://github.com/heron/tern.git' };
    for (const [name, manifest] of [
      ['package.json', JSON.stringify({ homepage, repository })],
      ['package.json', JSON.stringify({ homepage, repository: 'heron/tern' })],
      [
        'pyproject.toml',
        `[project.urls]\nHomepage = "${homepage}"\n"Source Code" = "${tern.repository}"\n`,
      ],
      [
        'PKG-INFO',
        `Name: tern\nHome-page: ${homepage}\nProject-URL: Source, ${tern.repository}\n\nDocs: https://else.dev\n`,
      ],
    ] as const)
      assert.deepEqual(await metadataBeside(name, manifest), tern, manifest);
  });

  test('says nothing of other files, of one package of several, or if it is damaged', async () => {
    assert.deepEqual(await metadataBeside('package.json', JSON.stringify(tern), 'guide.md'), {});
    const several = { repository: { url: tern.repository, directory: 'packages/tern' } };
    assert.deepEqual(await metadataBeside('package.json', JSON.stringify(several)), {});
    for (const damaged of ['{', '[]', 'null', '{"homepage":"javascript:x"}', '{"repository":{}}'])
      assert.deepEqual(await metadataBeside('package.json', damaged), {}, damaged);
  });
});

const tern = await read(
  'tern/README.md',
  '# Tern\n\n<https://github.com/heron/tern> and <https://tern.readthedocs.io/>\n',
);
const labelled = await read('egret/doc/a.rst', 'A\n=\n\n.. _pages:\n\nPages\n-----\n\nWords.\n');
const find = resolver([
  tern,
  labelled,
  ...['tern/docs/02-guide/01-start.md', 'tern/docs/api/index.md', 'tern/docs/b/twice.md'].map(id =>
    page(id),
  ),
  ...['tern/doc/b/twice.md', 'egret/doc/b.rst', 'docs/outer.md', 'index.md'].map(id => page(id)),
]);

describe('a target', () => {
  test('at an address is a page of the project whose own it is', () => {
    for (const [target, id] of [
      ['https://github.com/Heron/Tern', 'tern/README.md'],
      ['https://github.com/heron/tern#use', 'tern/README.md'],
      ['https://github.com/heron/tern/blob/main/docs/api/index.md#x', 'tern/docs/api/index.md'],
      ['https://github.com/heron/tern/tree/v1/docs/api', 'tern/docs/api/index.md'],
      ['https://github.com/heron/tern/issues/3', undefined],
      ['https://github.com/heron/tern/blob/main/docs/gone.md', undefined],
      ['https://github.com/heron/ternary', undefined],
      ['https://github.com/heron', undefined],
      ['https://tern.readthedocs.io/en/latest/guide/start.html', 'tern/docs/02-guide/01-start.md'],
      ['https://tern.readthedocs.io/en/1.2.x/', 'tern/README.md'],
      ['https://tern.readthedocs.io/en/latest/start.html', undefined],
      // Two pages have this path inside their site.
      ['https://tern.readthedocs.io/b/twice', undefined],
      ['https://docs.else.dev/guide/start', undefined],
    ] as const)
      assert.equal(find(target, 'egret/doc/b.rst')?.id, id, target);
    assert.equal(find('https://github.com/heron/tern#use', 'x')?.anchor, 'use');
  });

  test('from a root is below the outermost folder above the page that has it', () => {
    for (const [target, from, id] of [
      ['/docs/guide/start', 'tern/docs/api/index.md', 'tern/docs/02-guide/01-start.md'],
      ['/api', 'tern/docs/02-guide/01-start.md', 'tern/docs/api/index.md'],
      ['/outer', 'tern/docs/api/index.md', undefined],
      ['/docs/outer', 'tern/docs/api/index.md', 'docs/outer.md'],
      ['/tern/docs/api', 'index.md', 'tern/docs/api/index.md'],
      ['/', 'tern/docs/api/index.md', 'tern/README.md'],
      ['/gone', 'tern/docs/api/index.md', undefined],
    ] as const)
      assert.equal(find(target, from)?.id, id, `${target} from ${from}`);
  });

  test('of a label is its block, in the nearest folder or in the project that it names', () => {
    const start = labelled.text.indexOf('Pages');
    const place = { id: 'egret/doc/a.rst', anchor: '', start };
    assert.deepEqual(find('ref:pages', 'egret/doc/b.rst'), place);
    assert.deepEqual(find('ref:egret:pages', 'tern/README.md'), place);
    for (const [target, from] of [
      ['ref:pages', 'tern/README.md'],
      ['ref:heron:pages', 'tern/README.md'],
      ['ref:gone', 'egret/doc/b.rst'],
      ['ref:', 'egret/doc/b.rst'],
    ] as const)
      assert.equal(find(target, from), undefined, `${target} from ${from}`);
  });

  test('that two documents claim is none', () => {
    const manifest = { homepage: 'https://tern.io' };
    const other = resolver([
      page('a/README.md', manifest),
      page('b/README.md', manifest),
      labelled,
    ]);
    assert.equal(other('https://tern.io', 'a/README.md'), undefined);
    const twin = { ...labelled, id: 'egret/doc/c.rst' };
    assert.equal(resolver([labelled, twin])('ref:pages', 'egret/doc/b.rst'), undefined);
  });
});
