/** The house style over every file, and for each of its rules a small file that breaks it. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkProse, checkWatProse, PROSE_FOLDERS, proseViolations } from '../tools/house/prose.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

describe('house style', () => {
  test('no file violates it', () => {
    assert.equal(
      proseViolations(PROSE_FOLDERS)
        .map(({ path, line, rule, message }) => `${path}:${line} [${rule}] ${message}`)
        .join('\n'),
      '',
    );
  });

  const broken: readonly (readonly [rule: string, text: string])[] = [
    ['opening', '/** What a strategy keeps. */\nexport const a = 1;\n'],
    ['opening', '// Whether it is known.\nexport const a = 1;\n'],
    ['reference', '/** Returns k, our sheet, section 7. */\nexport const a = 1;\n'],
    ['reference', "export const paper = 'evaluation.md 4.2';\n"],
    ['term', '/** Options are checked at the door. */\nexport const a = 1;\n'],
    ['width', `/** Returns ${'word '.repeat(30)} */\nexport const a = 1;\n`],
  ];
  for (const [rule, text] of broken)
    test(`finds ${rule}: ${text.slice(0, 40).trim()}`, () => {
      assert.deepEqual(
        checkProse('src/broken.ts', text).map(violation => violation.rule),
        [rule],
      );
    });
  test('reads the comments of WebAssembly texts, those of several lines as one', () => {
    const rulesOf = (text: string): string[] =>
      checkWatProse('src/broken.wat', text).map(({ rule, line }) => `${line} ${rule}`);
    assert.deepEqual(rulesOf('(module)\n  ;; Whether it is known.\n'), ['2 opening']);
    assert.deepEqual(rulesOf(`(module)\n\n;; Returns ${'word '.repeat(30)}\n`), ['3 width']);
    assert.deepEqual(rulesOf('(module) ;; as told at\n         ;; the door\n'), ['1 term']);
    assert.deepEqual(rulesOf(';; Adds sums of\n;; what follows.\n(module)\n'), []);
  });
  test('accepts a long literal, and prose in the house style', () => {
    const text = `/** Returns the first hit. */\nexport const a = '${'word '.repeat(30)}';\n`;
    assert.deepEqual(checkProse('src/sound.ts', text), []);
  });
});

describe('references between documents', () => {
  const markdown = [
    ...readdirSync(ROOT).filter(name => name.endsWith('.md')),
    ...['docs', 'results', 'demo'].flatMap(folder =>
      existsSync(join(ROOT, folder))
        ? readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
            .filter(name => name.endsWith('.md'))
            .map(name => join(folder, name))
        : [],
    ),
  ];
  const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
  /** The anchors of a page, as GitHub makes them of headings. */
  const anchorsOf = (path: string): Set<string> =>
    new Set(
      [...read(path).matchAll(/^#+ +(.+)$/gm)].map(([, heading]) =>
        heading!
          .toLowerCase()
          .replace(/[^\p{L}\p{N} _-]/gu, '')
          .replaceAll(' ', '-'),
      ),
    );

  test('every relative link names a file, and every anchor a heading', () => {
    const dead: string[] = [];
    for (const path of markdown)
      for (const [, target] of read(path)
        .replace(/```[\s\S]*?```|~~~[\s\S]*?~~~/g, '')
        .matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^[a-z]+:/.test(target!)) continue;
        const [file, anchor] = target!.split('#') as [string, string | undefined];
        const full = file === '' ? path : normalize(join(dirname(path), file));
        if (!existsSync(join(ROOT, full))) dead.push(`${path}: ${target}`);
        else if (anchor !== undefined && full.endsWith('.md') && !anchorsOf(full).has(anchor))
          dead.push(`${path}: ${target} names no heading`);
      }
    assert.deepEqual(dead, []);
  });

  test('every page of docs is linked from another page', () => {
    const pages = markdown.filter(path => path.startsWith('docs/'));
    const linked = new Set(
      markdown.flatMap(path =>
        [...read(path).matchAll(/\]\(([^)#\s]+)/g)].map(([, target]) =>
          normalize(join(dirname(path), target!)),
        ),
      ),
    );
    const index = (path: string): boolean => path === 'docs/README.md';
    assert.deepEqual(
      pages.filter(path => !index(path) && !linked.has(path)),
      [],
    );
  });
});
