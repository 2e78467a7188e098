/**
 * The examples of a Markdown file: its fenced blocks of code, run in one folder in the order in
 * which they stand.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defined } from '../src/core/defined.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

export interface Block {
  readonly language: string;
  readonly text: string;
  /** The line of the opening fence, from 1. */
  readonly line: number;
  /** The line of the closing fence. */
  readonly end: number;
  /** The reason of `<!-- not run: reason -->` directly before it. */
  readonly notRun?: string;
  /** Output that a program must print: the block of plain text that follows it. */
  readonly prints?: readonly string[];
}

const PROGRAM = /^(?:ts|js|typescript|javascript)$/;

/** All fenced blocks. */
export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  const lines = markdown.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const open = /^(`{3,}|~{3,})\s*([\w-]*)/.exec(lines[at]!);
    if (!open) continue;
    const end = lines.findIndex((line, index) => index > at && line.trimEnd() === open[1]);
    if (end < 0) throw new Error(`line ${at + 1}: the block is never closed`);
    const before = lines
      .slice(0, at)
      .filter(line => line.trim() !== '')
      .at(-1);
    const notRun = /^<!--\s*not run:\s*(.+?)\s*-->$/.exec(before ?? '')?.[1];
    const text = lines.slice(at + 1, end).join('\n');
    const program = blocks.at(-1);
    const follows = lines.slice(program?.end ?? 0, at).every(line => line.trim() === '');
    if (program && open[2] === 'text' && PROGRAM.test(program.language) && follows)
      blocks[blocks.length - 1] = { ...program, prints: text.split('\n') };
    blocks.push(defined({ language: open[2]!, text, line: at + 1, end: end + 1, notRun }));
    at = end;
  }
  return blocks;
}

/** Returns true for an example that runs: a program, or a session that begins with the command. */
export function isExample(block: Block): boolean {
  if (PROGRAM.test(block.language)) return true;
  return (
    /^(?:sh|console|bash|shell)$/.test(block.language) &&
    /^(?:\$ )?(?:npx multihop|npm run -s multihop --)(?:\s|$)/.test(block.text.trimStart())
  );
}

export interface Command {
  readonly command: string;
  readonly expected: readonly string[];
}

/**
 * The commands of a session and what is shown after each. Without a `$ ` every line is a command.
 */
export function commandsOf(text: string): Command[] {
  const commands: { command: string; expected: string[] }[] = [];
  const prompted = /^\$ /m.test(text);
  let continued = false;
  for (const line of text.split('\n')) {
    const isCommand = prompted
      ? line.startsWith('$ ')
      : line.trim() !== '' && !line.startsWith('#');
    if (continued) commands.at(-1)!.command += `\n${line}`;
    else if (isCommand) commands.push({ command: line.replace(/^\$ /, ''), expected: [] });
    else commands.at(-1)?.expected.push(line);
    continued = (continued || isCommand) && line.endsWith('\\');
  }
  return commands.map(({ command, expected }) => ({ command, expected: trimmed(expected) }));
}

function trimmed(lines: readonly string[]): string[] {
  const text = lines.map(line => line.trimEnd()).join('\n');
  const inner = text.replace(/^\n+|\n+$/g, '');
  return inner === '' ? [] : inner.split('\n');
}

/**
 * Returns the first difference between the output and the block; undefined if there is none. A line
 * of `...` stands for any lines, `...` in a line for any text, and durations may differ.
 */
export function difference(expected: readonly string[], output: string): string | undefined {
  const actual = trimmed(output.split('\n'));
  const patterns = expected.map(line =>
    /^\s*(?:\.\.\.|…)\s*$/.test(line) ? undefined : linePattern(line),
  );
  let furthest = 0;
  const matches = (pattern: number, line: number): boolean => {
    furthest = Math.max(furthest, pattern);
    if (pattern === patterns.length) return line === actual.length;
    const wanted = patterns[pattern];
    if (wanted === undefined)
      return matches(pattern + 1, line) || (line < actual.length && matches(pattern, line + 1));
    return line < actual.length && wanted.test(actual[line]!) && matches(pattern + 1, line + 1);
  };
  if (matches(0, 0)) return undefined;
  return `not found: ${expected[furthest] ?? '(the end)'}\nthe output was:\n${actual.join('\n')}`;
}

function linePattern(line: string): RegExp {
  const parts = line
    .split(/\.\.\.|…/)
    .map(part =>
      part
        .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
        .replace(/\d+(?:\\\.\d+)?( ?(?:ms|s)\b)/g, '\\d+(?:\\.\\d+)?$1'),
    );
  return new RegExp(`^${parts.join('.*')}$`);
}

/**
 * A folder in which `multihop` is installed from source: as a package to import, and as `npx
 * multihop` and `npm run -s multihop --`.
 */
export interface Sandbox {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  close(): void;
}

export function openSandbox(): Sandbox {
  const folder = mkdtempSync(join(tmpdir(), 'multihop-readme-'));
  installSource(folder);
  const bin = join(folder, 'node_modules', '.bin');
  mkdirSync(bin);
  const command = `"${process.execPath}" --disable-warning=ExperimentalWarning "${join(ROOT, 'src/cli/main.ts')}"`;
  writeShell(join(bin, 'multihop'), `exec ${command} "$@"`);
  writeShell(join(bin, 'npx'), `[ "$1" = multihop ] || exit 127\nshift\nexec ${command} "$@"`);
  writeShell(
    join(bin, 'npm'),
    `[ "$1 $2 $3 $4" = "run -s multihop --" ] || exit 127\nshift 4\nexec ${command} "$@"`,
  );
  cpSync(join(ROOT, 'demo'), join(folder, 'demo'), { recursive: true });
  // Variables of npm and of the test runner are not part of a reader's environment.
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_|MULTIHOP_|NODE_TEST|INIT_CWD$|FORCE_COLOR$)/.test(name),
  );
  const env = {
    ...Object.fromEntries(kept),
    PATH: `${bin}${delimiter}${process.env['PATH']}`,
    NO_COLOR: '1',
  };
  return { folder, env, close: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A package whose exports are those of package.json, each pointing at its source. */
function installSource(folder: string): void {
  const installed = join(folder, 'node_modules', 'multihop');
  mkdirSync(installed, { recursive: true });
  const { name, version, exports } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  ) as {
    name: string;
    version: string;
    exports: Record<string, { default?: string }>;
  };
  const toSource = (path: string | undefined): string =>
    path?.replace('./dist/', './src/').replace(/\.js$/, '.ts') ?? './package.json';
  const sources = Object.fromEntries(
    Object.entries(exports).map(([subpath, target]) => [subpath, toSource(target.default)]),
  );
  writeFileSync(
    join(installed, 'package.json'),
    JSON.stringify({ name, version, type: 'module', exports: sources }),
  );
  for (const part of ['src', 'demo'])
    symlinkSync(join(ROOT, part), join(installed, part), 'junction');
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
}

function writeShell(path: string, script: string): void {
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

/** The name of a program's file. */
export function programName(block: Block): string {
  return `line-${block.line}.${/^t/.test(block.language) ? 'ts' : 'js'}`;
}

/**
 * Writes the programs and checks the types of all at once: the compiler's complaints, by the
 * program's name.
 */
export function checkTypes(
  sandbox: Sandbox,
  programs: readonly Block[],
): ReadonlyMap<string, string> {
  for (const block of programs) writeFileSync(join(sandbox.folder, programName(block)), block.text);
  // A reader need not export what they declare, nor use all of it; the source itself is checked
  // elsewhere.
  const compilerOptions = {
    typeRoots: [join(ROOT, 'node_modules/@types')],
    isolatedDeclarations: false,
    declaration: false,
    noUnusedLocals: false,
  };
  writeFileSync(
    join(sandbox.folder, 'tsconfig.json'),
    JSON.stringify({
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions,
      include: ['line-*.ts'],
    }),
  );
  const problems = new Map<string, string>();
  if (!programs.some(block => programName(block).endsWith('.ts'))) return problems;
  const done = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.'],
    { cwd: sandbox.folder, encoding: 'utf8' },
  );
  for (const line of done.stdout.split('\n')) {
    const file =
      /^(line-\d+\.ts)\(/.exec(line)?.[1] ?? (/^error /.test(line) ? 'elsewhere' : undefined);
    if (file) problems.set(file, `${problems.get(file) ?? ''}${line}\n`);
  }
  return problems;
}

/** Runs a program or a session. Returns what is wrong with it, or undefined. */
export function runBlock(sandbox: Sandbox, block: Block): string | undefined {
  const options = {
    cwd: sandbox.folder,
    env: sandbox.env,
    encoding: 'utf8',
    timeout: 120_000,
    input: '',
  } as const;
  if (!PROGRAM.test(block.language)) {
    for (const { command, expected } of commandsOf(block.text)) {
      const done = spawnSync('sh', ['-c', command], options);
      // A block shows the stderr of a command that fails.
      const output = done.status === 0 ? done.stdout : `${done.stdout}${done.stderr}`;
      if (expected.length === 0 && done.status !== 0)
        return `$ ${command}\nended with ${done.status ?? done.signal}:\n${output}`;
      const wrong = expected.length === 0 ? undefined : difference(expected, output);
      if (wrong !== undefined)
        return `$ ${command}\n${wrong}\n${done.status === 0 ? done.stderr : ''}`;
    }
    return undefined;
  }
  const done = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', programName(block)],
    options,
  );
  if (done.status !== 0)
    return `ended with ${done.status ?? done.signal}:\n${done.stdout}${done.stderr}`;
  return block.prints && difference(block.prints, done.stdout);
}
