/**
 * Manual pages in roff: the file is one document, titled by the name and description of its page.
 */

import { frontMetadata } from '../../blocks/front-matter.ts';
import type { Format } from '../../format.ts';
import { textFormat } from '../../whole-file.ts';
import { ManBlocks } from './blocks.ts';
import { readRoff } from './macros.ts';
import { roffLines } from './roff-lines.ts';

export const man: Format = textFormat({
  name: 'man',
  extensions: ['man', 'mdoc', '1', '2', '3', '4', '5', '6', '7', '8', '9'],
  summary: 'a manual page in the macros of man or mdoc; titled by its name and description',
  accepts: isManual,
  write(text, { writer }) {
    const target = /^\s*\.so +(\S+)\s*$/.exec(text)?.[1];
    if (target !== undefined) return `stands for the manual page ${target}`;
    const page = new ManBlocks(writer);
    for (const { number, table, defined, text: line } of roffLines(text))
      if (table !== undefined) page.table(table);
      else if (defined !== undefined) page.defined.add(defined);
      else readRoff(page, number, line);
    page.flush();
    const { name, description, date } = page;
    const title =
      description !== '' && description.length <= 100 ? `${name} - ${description}` : name;
    return {
      titles: [name === '' ? undefined : title],
      metadata: frontMetadata(date === '' ? {} : { date }),
    };
  },
});

/**
 * Tells whether a file begins as manual pages do: by a comment or a macro of roff, or by any
 * request (go-md2man writes `.nh`) above a macro of a manual page.
 */
export function isManual(head: string): boolean {
  if (/^(?:\s*\n)?(?:[.']\\"|\.(?:TH|Dd|so|SH|ig|if|de|nr|ds|do|mso|\\")\b)/.test(head))
    return true;
  return /^\s*[.'][ \t]*[A-Za-z]/.test(head) && /^\.[ \t]*(?:TH|Dd|SH|Sh)\b/m.test(head);
}
