/** Plain text: the file is one document, its title the file's name. */
import { readDocumentText } from './decode.ts';
import { type Format, fileDocument } from './format.ts';

export const plainText: Format = {
  name: 'text',
  extensions: ['txt', 'text', 'log', 'rst', 'org', 'adoc', 'tex'],
  summary: 'plain text; one document a file, titled by the name of the file',
  async *read(source, limits) {
    const text = await readDocumentText(source, limits);
    if (typeof text === 'string') yield fileDocument(source, '', text.replace(/\r\n?/g, '\n'));
    else yield { type: 'skipped', reason: text.skipped };
  },
};
