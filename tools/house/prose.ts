/**
 * Checks the house style of prose: width of lines, openings of comments, references that a reader
 * of the repository cannot follow, and terms that the glossary replaces.
 *
 *     npm run prose -- [PATH...]    prints each violation below the given paths
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'rolldown/utils';

export interface ProseViolation {
  readonly path: string;
  readonly line: number;
  readonly rule: 'width' | 'opening' | 'reference' | 'term';
  readonly message: string;
}

export const COLUMNS = 100;

/** A comment opens with a verb or a noun phrase that names its subject. */
const OPENING =
  /^(?:What|Who|Whose|Whom|Whether|Where|Wherever|Why|How|Of|That|Likewise|As (?!of\b|JSON\b))\b/;

/** Names of documents that the repository does not hold. */
const REFERENCES: readonly RegExp[] = [
  /\b(?:our|the|this) sheet\b|\bsheet(?:'s|,| \d|s\b)|\(sheet/i,
  /(?<!docs\/papers\/)\b(?:evaluation|treehop|budgeted-agent|ir-cot|iter-retgen|efficientrag|published-results)\.md\b/,
];

/** Terms of earlier versions, each with the term of the glossary. */
const TERMS: readonly (readonly [RegExp, string])[] = [
  [/\bat the door\b/i, '"before any work" or "when options are validated"'],
  [/\bheld to (?:its|their) word\b/i, '"validated"'],
  [/\b(?:who|whoever|nobody|somebody) (?:asks|uses|calls|reads)\b/i, 'the name of the caller'],
  [/\bput off alone\b/i, '"ablated one at a time"'],
  [/\bvoice(?:s|d|At)?\b/i, '"rank discount" or "weight"'],
  [/\bspeak(?:s|ing)? of\b/i, '"mention"'],
  [/\bis told\b|\bare told\b|\btold of\b/i, '"receives" or "is notified of"'],
  [/\bcome to grief|hair's breadth|by and by\b/i, 'plain words'],
];

interface Comment {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Returns the violations of one TypeScript file. */
export function checkProse(path: string, text: string): ProseViolation[] {
  const { program, comments } = parseSync(path, text) as unknown as {
    program: unknown;
    comments: readonly Comment[];
  };
  const lineOf = lineFinder(text);
  const at = (offset: number, rule: ProseViolation['rule'], message: string): ProseViolation => ({
    path,
    line: lineOf(offset),
    rule,
    message,
  });
  const literals: Span[] = [];
  collectLiterals(program, literals);
  return [
    ...checkWidth(text, literals).map(offset => at(offset, 'width', `exceeds ${COLUMNS} columns`)),
    ...comments.flatMap(comment => checkComment(comment, at)),
    ...literals.flatMap(({ start, end }) => checkText(text.slice(start, end), start, at)),
  ];
}

/** Returns the violations in the comments of a WebAssembly text; its code has no width. */
export function checkWatProse(path: string, text: string): ProseViolation[] {
  const lineOf = lineFinder(text);
  const at: Report = (offset, rule, message) => ({ path, line: lineOf(offset), rule, message });
  // Comment lines that follow each other are one comment.
  const comments = [...text.matchAll(/;;(.*(?:\n[ \t]*;;.*)*)/g)];
  return comments.flatMap(({ index, 1: lines = '' }) => {
    const value = lines.replace(/\n[ \t]*;;[ \t]*/g, '\n * ');
    const start = text.lastIndexOf('\n', index) + 1;
    const block = text.slice(start, index + 2 + lines.length);
    const wide = checkWidth(block, []).map(offset => start + offset);
    return [
      ...wide.map(offset => at(offset, 'width', `exceeds ${COLUMNS} columns`)),
      ...checkComment({ start: index, end: index + lines.length, value }, at),
    ];
  });
}

type Report = (offset: number, rule: ProseViolation['rule'], message: string) => ProseViolation;

function checkComment(comment: Comment, at: Report): ProseViolation[] {
  const prose = comment.value.replace(/^[\s*]+/, '').replace(/\s*\n\s*\* ?/g, ' ');
  const opening = OPENING.exec(prose);
  return [
    ...(opening ? [at(comment.start, 'opening', `a comment opens with "${opening[0]}"`)] : []),
    ...checkText(prose, comment.start, at),
  ];
}

function checkText(prose: string, start: number, at: Report): ProseViolation[] {
  const dead = REFERENCES.flatMap(pattern => pattern.exec(prose) ?? []);
  const terms = TERMS.flatMap(([pattern, instead]) => {
    const match = pattern.exec(prose);
    return match ? [at(start, 'term', `"${match[0]}": write ${instead}`)] : [];
  });
  return [
    ...dead.map(name => at(start, 'reference', `"${name}" is not in the repository`)),
    ...terms,
  ];
}

/** A literal of this many columns excuses its line: formatters cannot break it. */
const LONG_LITERAL = 40;

/** Returns offsets of lines that exceed the width, unless a literal is the cause. */
function checkWidth(text: string, literals: readonly Span[]): number[] {
  const offsets: number[] = [];
  const long = literals.filter(({ start, end }) => end - start >= LONG_LITERAL);
  let start = 0;
  for (const line of text.split('\n')) {
    const end = start + line.length;
    const excused = (): boolean =>
      long.some(span => Math.min(span.end, end) - Math.max(span.start, start) >= LONG_LITERAL);
    if (line.length > COLUMNS && !excused()) offsets.push(start);
    start = end + 1;
  }
  return offsets;
}

const LITERALS = new Set(['Literal', 'TemplateLiteral', 'ImportDeclaration', 'ImportExpression']);

function collectLiterals(node: unknown, found: Span[]): void {
  if (typeof node !== 'object' || node === null) return;
  if (Array.isArray(node)) {
    for (const each of node) collectLiterals(each, found);
    return;
  }
  const { type, start, end, ...rest } = node as { type?: string } & Span;
  if (type !== undefined && LITERALS.has(type)) found.push({ start, end });
  for (const value of Object.values(rest)) collectLiterals(value, found);
}

function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return offset => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Files that a program writes, and the rules themselves. */
const LEFT_OUT = /\.wasm\.ts$|^tools\/house\/prose\.ts$|^test\/house-prose\.test\.ts$/;

/**
 * Returns the paths of the files given and of those below the folders given, from the project's
 * root: TypeScript, and WebAssembly text.
 */
export function proseFiles(paths: readonly string[]): string[] {
  return paths.flatMap(given =>
    filesBelow(given)
      .filter(path => /\.(?:ts|wat)$/.test(path) && !path.includes('node_modules'))
      .filter(path => !LEFT_OUT.test(path))
      .sort(),
  );
}

function filesBelow(path: string): string[] {
  if (statSync(join(ROOT, path)).isFile()) return [path];
  return readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' }).map(name =>
    join(path, name),
  );
}

export const PROSE_FOLDERS: readonly string[] = [
  'src',
  'test',
  'tools',
  'lab',
  'bench',
  'models-test',
  'gguf-test',
];

/** Returns the violations of the files and of all files below the folders. */
export function proseViolations(paths: readonly string[] = PROSE_FOLDERS): ProseViolation[] {
  return proseFiles(paths).flatMap(path => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    return path.endsWith('.wat') ? checkWatProse(path, text) : checkProse(path, text);
  });
}

if (import.meta.main) {
  const given = process.argv.slice(2);
  const missing = given.filter(path => !existsSync(join(ROOT, path)));
  if (missing.length > 0) {
    console.error(`usage: npm run prose -- [PATH...]; no file or folder ${missing.join(', ')}`);
    process.exit(2);
  }
  const violations = proseViolations(given.length > 0 ? given : PROSE_FOLDERS);
  for (const { path, line, rule, message } of violations)
    console.log(`${path}:${line} [${rule}] ${message}`);
  console.log(`${violations.length} violations`);
  process.exitCode = violations.length > 0 ? 1 : 0;
}
