/** Defines short invented documents that link to each other, and the links between them. */
import type { Block, Document } from '../core/corpus/document.ts';
import { defined } from '../core/defined.ts';

type Part = readonly [text: string, links?: readonly string[], anchors?: readonly string[]];

/** Makes a document of blocks; a block that begins with "#" is a heading. */
function page(id: string, ...parts: readonly Part[]): Document {
  const outline: Block[] = [];
  const texts: string[] = [];
  let start = 0;
  let heading: readonly string[] = [];
  for (const [written, links, anchors] of parts) {
    const isHeading = written.startsWith('# ');
    const text = isHeading ? written.slice(2) : written;
    if (isHeading) heading = [text];
    outline.push(
      defined({
        start,
        heading,
        kind: isHeading ? ('heading' as const) : undefined,
        links: links || undefined,
        anchors: anchors || undefined,
      }),
    );
    texts.push(text);
    start += text.length + 2;
  }
  return { id, title: id, text: texts.join('\n\n'), metadata: {}, outline };
}

/** Documents in no order of id; one link leads nowhere, one to its own document. */
export const LINKED_DOCUMENTS: readonly Document[] = [
  page(
    'tern/guide.md',
    ['Tern writes its rows by another program.'],
    ['# Storage'],
    ['Rows go to Egret, which has limits of its own.', ['egret/index.md#page-size']],
    ['See the settings twice.', ['tern/settings.md', 'tern/settings.md#cache']],
    ['Nothing is there.', ['tern/gone.md', 'tern/guide.md#storage', 'https://else.dev/']],
  ),
  page(
    'egret/index.md',
    ['Egret keeps pages on the disk.', ['/settings', 'ref:cache-rows']],
    ['# Page size'],
    ['A page has 4096 bytes by default.'],
  ),
  page('tern/settings.md', ['Settings of Tern.'], ['# Cache'], ['The cache holds 10 rows.']),
  page('tern/alone.md', ['It leads nowhere and nothing leads to it.']),
  page(
    'egret/readme.md',
    [
      'The project of Egret.',
      ['https://github.com/heron/egret', 'https://github.com/heron/egret#x'],
    ],
    ['It has two limits.', ['ref:cache-rows'], ['limits']],
  ),
  page(
    'egret/limits.md',
    ['Limits are those of Tern.', ['https://github.com/heron/egret', 'ref:limits']],
    ['Rows of the cache.', [], ['cache-rows']],
  ),
];

/** The links between them: from, to and their number. */
export const LINKS_BETWEEN: readonly (readonly [from: string, to: string, links: number])[] = [
  ['tern/guide.md', 'tern/settings.md', 2],
  ['tern/guide.md', 'egret/index.md', 1],
  ['egret/index.md', 'egret/limits.md', 1],
  ['egret/readme.md', 'egret/limits.md', 1],
  ['egret/limits.md', 'egret/readme.md', 2],
];
