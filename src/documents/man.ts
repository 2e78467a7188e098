/** Manual pages in roff: the file is one document, named by its page and described by it. */
import { readDocumentText } from './decode.ts';
import { type Format, fileDocument } from './format.ts';
import { frontMetadata } from './front-matter.ts';
import { ManBlocks } from './man-blocks.ts';
import { roffLines } from './roff-lines.ts';

export const man: Format = {
  name: 'man',
  extensions: ['man', 'mdoc', '1', '2', '3', '4', '5', '6', '7', '8', '9'],
  summary: 'a manual page in the macros of man or mdoc; titled by its name and description',
  accepts: isManual,
  async *read(source, limits) {
    const text = await readDocumentText(source, limits);
    if (typeof text !== 'string') return yield { type: 'skipped', reason: text.skipped };
    const target = /^\s*\.so +(\S+)\s*$/.exec(text)?.[1];
    if (target !== undefined)
      return yield { type: 'skipped', reason: `stands for the manual page ${target}` };
    const page = new ManBlocks(source.id);
    for (const { number, cells, text: line } of roffLines(text))
      if (cells === undefined) page.add(number, line);
      else page.row(cells, number);
    const writer = page.finish();
    const { name, description, date } = page;
    const title =
      description !== '' && description.length <= 100 ? `${name} - ${description}` : name;
    const metadata = frontMetadata(date === '' ? {} : { date });
    yield fileDocument(source, writer.finish([name === '' ? undefined : title]), metadata);
  },
};

/** Tells whether a file begins as manual pages do: by a comment or a macro of roff. */
export function isManual(head: string): boolean {
  return /^(?:\s*\n)?(?:[.']\\"|\.(?:TH|Dd|so|SH|ig|if|de|nr|ds|do|mso|\\")\b)/.test(head);
}
