/**
 * `multihop report DIR`: the results of an evaluation as text, Markdown or a self-contained HTML
 * page, beside the published numbers.
 */
import { writeFileSync } from 'node:fs';
import { InputError, PortError } from '../../../errors.ts';
import { htmlReport } from '../../../evaluation/report/html-report.ts';
import { markdownReport } from '../../../evaluation/report/markdown-report.ts';
import { picture } from '../../../evaluation/report/picture.ts';
import { textReport } from '../../../evaluation/report/text-report.ts';
import { readResults } from '../../runs/results-folder.ts';
import type { Command } from '../command.ts';

const FORMATS = {
  text: textReport,
  markdown: markdownReport,
  html: htmlReport,
  svg: picture,
} as const;

export const command: Command = {
  positionals: [{ name: 'DIR', summary: 'a folder written by multihop eval --out' }],
  options: [
    {
      name: 'format',
      value: 'NAME',
      default: 'text',
      summary: 'text, markdown, html, or svg (one picture)',
    },
    { name: 'output', short: 'o', value: 'FILE', summary: 'write there instead of stdout' },
  ],
  examples: [
    { line: 'multihop report runs/agent', says: 'tables in the terminal' },
    {
      line: 'multihop report runs/agent --format html -o report.html',
      says: 'one page with plots, to look at or to send',
    },
  ],
  async run({ positionals, options, output }) {
    const name = options.text('format') ?? 'text';
    if (!Object.hasOwn(FORMATS, name))
      throw new InputError('unknown-format', 'The report format', {
        expected: 'text, markdown, html or svg',
        received: name,
      });
    const { result, curves } = readResults(positionals[0]!);
    if (output.json) {
      output.object({ ...result, curves });
      return 0;
    }
    const text = FORMATS[name as keyof typeof FORMATS](result, curves);
    const file = options.text('output');
    if (file === undefined) output.line(text.trimEnd());
    else write(file, text);
    return 0;
  },
};

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new PortError(
      'report',
      'not-writable',
      `Cannot write ${file}: ${(error as Error).message}`,
      { cause: error },
    );
  }
}
