/** HTML: the file is one document; scripts, navigation and other furniture are left out. */
import type { Metadata } from '../../../core/corpus/document.ts';
import { BlockWriter } from '../../blocks/block-writer.ts';
import { readText } from '../../files/decode.ts';
import type { Source } from '../../files/source.ts';
import { type DetectedFormat, type Format, fileDocument } from '../../format.ts';
import { isoTime } from '../../records/record.ts';
import { writeBlocks } from './html-block.ts';
import { type ReadablePage, readHtml } from './text.ts';

export const html: Format = {
  name: 'html',
  extensions: ['html', 'htm', 'xhtml'],
  summary:
    'a web page; title, author and time of publication from its head, the readable text of its main part',
  async *read(source, limits) {
    const text = await readText(source, limits.documentBytes);
    yield typeof text === 'string'
      ? pageDocument(source, await readHtml(text))
      : { type: 'skipped', reason: text.skipped };
  },
};

const WHOLE = 'the page is kept whole, because what the rules leave holds no prose';

/** Makes the document of a page. */
function pageDocument(source: Pick<Source, 'id'>, page: ReadablePage): DetectedFormat {
  const writer = new BlockWriter(source.id, html.extensions);
  writeBlocks(writer, page.blocks, { line: 1, under: [] });
  if (writer.size === 0) return { type: 'skipped', reason: 'no readable text in the page' };
  return fileDocument(source, writer.finish([page.title]), withIsoTimes(page.metadata), {
    visibleText: page.visibleText,
    notes: page.isWhole ? [WHOLE] : undefined,
  });
}

function withIsoTimes(metadata: Metadata): Metadata {
  const times = ['published_at', 'changed_at'].flatMap(field => {
    const time = metadata[field];
    return typeof time === 'string' ? [[field, isoTime(time)] as const] : [];
  });
  return { ...metadata, ...Object.fromEntries(times) };
}
