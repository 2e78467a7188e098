/** Formats that are recognised and not read yet. */
import type { Format } from './format.ts';

function later(name: string, extensions: readonly string[], what: string): Format {
  return {
    name,
    extensions,
    summary: `${what}; not read yet: files are skipped with a reason`,
    async *read() {
      yield {
        type: 'skipped',
        reason: `${what} comes later: convert it to text, Markdown or HTML first`,
      };
    },
  };
}

export const pdf: Format = later('pdf', ['pdf'], 'PDF');
export const docx: Format = later('docx', ['docx', 'doc', 'odt'], 'DOCX');
