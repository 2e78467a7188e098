/** `pdf-readers FOLDER --reader NAME`: words, rows of tables and time of a reader of PDF. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Command, CommandContext } from '../../src/cli/command.ts';
import { InputError } from '../../src/core/errors.ts';
import { type ComparedPdf, comparePdf, READERS } from '../words-kept/pdf-readers.ts';

export const command: Command = {
  positionals: [{ name: 'FOLDER', summary: 'holds files that end in .pdf' }],
  options: [
    { name: 'reader', value: 'NAME', summary: `one of ${Object.keys(READERS).join(', ')}` },
  ],
  notes: [
    'Needs the program pdftotext. A reader runs in this process, so that the memory at the end is its own.',
  ],
  examples: [
    { line: 'pdf-readers files --reader liteparse', says: 'how liteparse reads these files' },
  ],
  run: runPdfReaders,
};

async function runPdfReaders({ positionals, options, output }: CommandContext): Promise<number> {
  const name = options.text('reader') ?? 'multihop';
  const open = READERS[name];
  if (!open)
    throw new InputError('unknown-reader', `No reader of PDF is named ${JSON.stringify(name)}`, {
      expected: Object.keys(READERS).join(', '),
    });
  const read = await open();
  const files: ComparedPdf[] = [];
  const unread: string[] = [];
  const folder = positionals[0]!;
  for (const file of readdirSync(folder)
    .filter(each => each.endsWith('.pdf'))
    .sort()) {
    const found = await comparePdf(join(folder, file), read);
    if (found) files.push(found);
    else unread.push(file);
  }
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1024);
  if (output.json) output.object({ reader: name, files, unread, megabytes });
  else for (const line of table(name, files, unread, megabytes)) output.line(line);
  return 0;
}

function table(
  name: string,
  files: readonly ComparedPdf[],
  unread: readonly string[],
  megabytes: number,
): string[] {
  const sum = (key: keyof ComparedPdf): number => files.reduce((all, file) => all + file[key], 0);
  const share = (part: number, all: number): string => `${((part / all) * 100).toFixed(2)} %`;
  const words = sum('words');
  const cells = [
    name,
    files.length,
    unread.length,
    words,
    share(sum('lost'), words),
    share(sum('cut'), words),
    share(sum('outOfOrder'), words),
    `${sum('rowsKept')} of ${sum('rows')}`,
    `${(sum('ms') / 1000).toFixed(1)} s`,
    `${megabytes} MB`,
  ];
  return [
    '| reader | files | unread | words | lost | cut | out of order | rows kept | time | memory |',
    '|---|---|---|---|---|---|---|---|---|---|',
    `| ${cells.join(' | ')} |`,
  ];
}
