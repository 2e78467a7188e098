/**
 * Writes the generated blocks of the documentation: settings of members, help of commands, error
 * codes; the script of the HTML report, the hop inspector, and the types of members' names. A block
 * stands between `<!-- generated: NAME ARGUMENT... -->` and `<!-- end of generated -->`.
 *
 *     npm run docs             writes them anew, and missing pages of strategies and commands
 *     npm run docs -- --check  fails if one differs from what it would write
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commands } from '../../src/cli/commands.ts';
import { bundledInspector, INSPECTOR_PARTS_FILE } from '../inspector-page/bundle.ts';
import { bundledPageScript, PAGE_SCRIPT_FILE } from '../report-page/bundle.ts';
import { printCommand, printCommands } from './command-help.ts';
import { errorCodes } from './error-codes.ts';
import { memberNames } from './member-names.ts';
import { listedMembers, printFamily, printMember } from './members.ts';
import { tracePicture } from './trace-picture.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The trace of the demo's question. */
export const PICTURE = 'docs/trace.svg';

const BLOCK = /(<!-- generated: ([^>]*?) -->\n)[\s\S]*?(\n<!-- end of generated -->)/g;

/** A generator prints a block of Markdown for its arguments. */
const GENERATORS: Readonly<Record<string, (...given: string[]) => string>> = {
  member: (kind, name) => printMember(ROOT, kind!, name!),
  family: kind => printFamily(ROOT, kind!),
  help: command => printCommand(command!),
  commands: printCommands,
  'error-codes': kind => printCodes(kind!),
};

/** Returns the text of a page with its generated blocks written anew. */
export function regenerated(page: string): string {
  return page.replace(BLOCK, (_, open: string, call: string, close: string) => {
    const [name, ...given] = call.split(' ');
    const generate = GENERATORS[name!];
    if (!generate) throw new Error(`unknown generator "${name}"`);
    return `${open}\n${generate(...given).trim()}\n${close}`;
  });
}

/** Paths of all pages that may hold generated blocks. */
export function pages(): string[] {
  return readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.md'))
    .map(path => join(ROOT, 'docs', path));
}

function printCodes(kind: string): string {
  const rows = errorCodes(ROOT).filter(each => each.kind === kind);
  return [
    '| code | first message |',
    '| --- | --- |',
    ...rows.map(({ code, message }) => `| \`${code}\` | ${message.replaceAll('|', '\\|')} |`),
  ].join('\n');
}

/** Writes the pages of commands that have none, and of strategies, with a line in their index. */
function addMissingPages(): void {
  for (const { name } of commands) {
    const path = join(ROOT, 'docs/commands', `${name}.md`);
    const block = `<!-- generated: help ${name} -->\n\n<!-- end of generated -->`;
    if (!existsSync(path)) writeFileSync(path, `# multihop ${name}\n\n${block}\n`);
  }
  const folder = join(ROOT, 'docs/strategies');
  const index = join(folder, 'README.md');
  for (const { name, summary } of listedMembers(ROOT, 'strategies')) {
    const path = join(folder, `${name}.md`);
    if (existsSync(path)) continue;
    const block = `<!-- generated: member strategies ${name} -->\n\n<!-- end of generated -->`;
    writeFileSync(path, `# ${name}\n\n${block}\n`);
    const text = readFileSync(index, 'utf8');
    const lastRow = text.lastIndexOf('\n| [');
    const end = text.indexOf('\n', lastRow + 1);
    const row = `\n| [${name}](${name}.md) | ${summary} |`;
    writeFileSync(index, `${text.slice(0, end)}${row}${text.slice(end)}`);
  }
}

if (import.meta.main) {
  const check = process.argv.includes('--check');
  if (!check) addMissingPages();
  for (const path of pages()) {
    const page = readFileSync(path, 'utf8');
    const next = regenerated(page);
    if (next === page) continue;
    console.log(`${check ? 'differs' : 'wrote'} ${path.slice(ROOT.length)}`);
    if (check) process.exitCode = 1;
    else writeFileSync(path, next);
  }
  if (!check) {
    for (const [path, text] of memberNames()) writeFileSync(join(ROOT, path), text);
    writeFileSync(join(ROOT, PICTURE), await tracePicture(ROOT));
    writeFileSync(join(ROOT, PAGE_SCRIPT_FILE), await bundledPageScript(ROOT));
    writeFileSync(join(ROOT, INSPECTOR_PARTS_FILE), await bundledInspector(ROOT));
  }
}
