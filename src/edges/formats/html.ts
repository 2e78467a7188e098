/** HTML: the file is one document; scripts, navigation and other furniture are left out. */
import type { Metadata } from '../../corpus/document.ts';
import { BlockWriter } from './block-writer.ts';
import { readDocumentText } from './decode.ts';
import { type Format, fileDocument } from './format.ts';
import { TooDeep, writeBlocks } from './html-blocks.ts';
import { readHtml } from './html-text.ts';
import { isoTime } from './record.ts';

export const html: Format = {
  name: 'html',
  extensions: ['html', 'htm', 'xhtml'],
  summary:
    'a web page; title, author and time of publication from its head, the readable text of its main part',
  async *read(source, limits) {
    const text = await readDocumentText(source, limits);
    if (typeof text !== 'string') return yield { type: 'skipped', reason: text.skipped };
    try {
      const page = await readHtml(text);
      const writer = new BlockWriter(source.id);
      writeBlocks(writer, page.blocks, { line: 1, under: [] });
      if (writer.size === 0)
        return yield { type: 'skipped', reason: 'no readable text in the page' };
      yield fileDocument(source, writer.finish([page.title]), withIsoTimes(page.metadata));
    } catch (error) {
      if (!(error instanceof TooDeep)) throw error;
      yield { type: 'skipped', reason: error.message };
    }
  },
};

function withIsoTimes(metadata: Metadata): Metadata {
  const times = ['published_at', 'changed_at'].flatMap(field => {
    const time = metadata[field];
    return typeof time === 'string' ? [[field, isoTime(time)] as const] : [];
  });
  return { ...metadata, ...Object.fromEntries(times) };
}
