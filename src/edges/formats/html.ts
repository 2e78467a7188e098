/** HTML: the file is one document; scripts, styles, navigation and page furniture are left out. */
import { BlockWriter } from './block-writer.ts';
import { readDocumentText } from './decode.ts';
import { type Format, fileDocument } from './format.ts';
import { readHtml, TooDeep } from './html-text.ts';
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
      if (page.text === '')
        return yield { type: 'skipped', reason: 'no readable text in the page' };
      const published = page.metadata['published_at'];
      const metadata =
        typeof published === 'string'
          ? { ...page.metadata, published_at: isoTime(published) }
          : page.metadata;
      const writer = new BlockWriter(source.id);
      for (const part of page.text.split('\n\n')) writer.block(part);
      yield fileDocument(source, writer.finish([page.title]), metadata);
    } catch (error) {
      if (!(error instanceof TooDeep)) throw error;
      yield { type: 'skipped', reason: error.message };
    }
  },
};
