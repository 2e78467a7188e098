/**
 * The house rule: which room may import which, who may touch the world, what things are called, and
 * how long they may grow.
 */
import { basename, dirname, join, normalize } from 'node:path/posix';
import { ALLOWED_STATE } from './module-state.ts';
import type { SourceFile } from './syntax.ts';

/**
 * The rooms in the order in which the data walks through them; a file imports only from its own
 * room and earlier ones. `world` marks a room that may import `node:*` or a dependency and reach
 * for the process, the network, the clock or randomness.
 */
export const ROOMS: Readonly<Record<string, 'pure' | 'world'>> = {
  core: 'pure',
  language: 'pure',
  models: 'pure',
  search: 'pure',
  context: 'pure',
  planning: 'pure',
  strategies: 'pure',
  readers: 'pure',
  run: 'pure',
  evaluation: 'pure',
  testing: 'pure',
  platform: 'world',
  providers: 'world',
  stores: 'world',
  documents: 'world',
  session: 'world',
  experiments: 'world',
  inspector: 'world',
  mcp: 'world',
  agents: 'world',
  server: 'world',
  cli: 'world',
  index: 'world',
};
const ORDER = Object.keys(ROOMS);

/** Packages of pure functions, bundled for browsers as well, and the pure room that uses them. */
const PURE_PACKAGES: readonly (readonly [room: string, specifier: RegExp])[] = [
  ['language', /^@orama\/stemmers\//],
];

export const ALARM_FILE_LINES = 300;
export const ALARM_FUNCTION_LINES = 60;

export interface Violation {
  readonly path: string;
  readonly line: number;
  readonly rule:
    | 'room'
    | 'import'
    | 'effect'
    | 'sibling'
    | 'barrel'
    | 'name'
    | 'length'
    | 'state'
    | 'spread'
    | 'outside';
  readonly message: string;
}

/** The room of a file in src; undefined for a file of no room. */
export function roomOf(path: string): string | undefined {
  const [top, first, ...rest] = path.split('/');
  if (top !== 'src' || first === undefined) return undefined;
  if (rest.length === 0) return /^index(?:-browser|-types)?\.ts$/.test(first) ? 'index' : undefined;
  return first in ROOMS && first !== 'index' ? first : undefined;
}

/**
 * Reaching for these is an effect: the clock, timers, randomness, the network, the process, the
 * console.
 */
const EFFECTS: readonly RegExp[] = [
  /^(?:console|process|fetch|performance|navigator|crypto|globalThis|require|Buffer|WebSocket|XMLHttpRequest|eval)$/,
  /^(?:setTimeout|setInterval|setImmediate)$/,
  /^Date\.now$|^new Date\(\)$|^Date\(\)$|^Math\.random$|^AbortSignal\.timeout$|^Atomics\.wait$|^import\.meta$/,
];

const isTest = (path: string): boolean => path.endsWith('.test.ts');

/** Everything wrong with the files of src. */
export function checkSource(files: readonly SourceFile[]): Violation[] {
  const byPath = new Map(files.map(file => [file.path, file]));
  return files.flatMap(file =>
    isTest(file.path)
      ? []
      : [...checkImports(file), ...checkEffects(file), ...checkSiblings(file, byPath)],
  );
}

function checkImports(file: SourceFile): Violation[] {
  const room = roomOf(file.path);
  if (room === undefined) {
    return [
      {
        path: file.path,
        line: 1,
        rule: 'room',
        message: `stands in no room; the rooms are ${ORDER.join(', ')}`,
      },
    ];
  }
  return file.imports.flatMap(({ specifier, line }) => {
    const fail = (rule: Violation['rule'], message: string): Violation[] => [
      { path: file.path, line, rule, message },
    ];
    if (!specifier.startsWith('.'))
      return ROOMS[room] === 'world' || isPurePackage(room, specifier)
        ? []
        : fail('import', `${room} imports neither node: nor a dependency, as "${specifier}"`);
    const target = normalize(join(dirname(file.path), specifier));
    const other = roomOf(target);
    if (other === undefined) return fail('import', `"${specifier}" leaves the rooms of src`);
    if (isTest(target)) return fail('import', `"${specifier}" is a test`);
    if (ORDER.indexOf(other) > ORDER.indexOf(room))
      return fail('import', `${room} imports from ${other}, a later room`);
    if (/\/index\.ts$/.test(target) && room !== 'index')
      return fail('barrel', `"${specifier}" is an entry for users; import the file that is meant`);
    return [];
  });
}

const isPurePackage = (room: string, specifier: string): boolean =>
  PURE_PACKAGES.some(([user, packages]) => user === room && packages.test(specifier));

function checkEffects(file: SourceFile): Violation[] {
  const room = roomOf(file.path);
  if (room === undefined || ROOMS[room] === 'world') return [];
  return file.globals
    .filter(({ name }) => EFFECTS.some(effect => effect.test(name)))
    .map(({ name, line }) => ({
      path: file.path,
      line,
      rule: 'effect',
      message: `reaches for ${name}, which ${room} may not`,
    }));
}

/** Returns the folder of a family: a member stands in it, or in a folder of its own name. */
function familyOf(path: string): string {
  const folder = dirname(path);
  return basename(folder) === basename(path, '.ts') ? dirname(folder) : folder;
}

/**
 * A member of a family must not reach a sibling, neither itself nor through another file of the
 * family.
 */
function checkSiblings(file: SourceFile, byPath: ReadonlyMap<string, SourceFile>): Violation[] {
  if (!file.isMember) return [];
  const family = familyOf(file.path);
  const seen = new Set([file.path]);
  const reach = (from: SourceFile, line: number | undefined): Violation[] =>
    from.imports.flatMap(({ specifier, line: at }) => {
      const target = normalize(join(dirname(from.path), specifier));
      const next =
        specifier.startsWith('.') && target.startsWith(`${family}/`) && !seen.has(target)
          ? byPath.get(target)
          : undefined;
      if (!next) return [];
      seen.add(target);
      if (next.isMember && familyOf(target) === family)
        return [
          {
            path: file.path,
            line: line ?? at,
            rule: 'sibling' as const,
            message: `a member of a family sees its sibling ${target}`,
          },
        ];
      return reach(next, line ?? at);
    });
  return reach(file, undefined);
}

/** Finds state that a module of src keeps for the life of a process, unless it is allowed. */
export function checkState(
  files: readonly SourceFile[],
  allowed: Readonly<Record<string, string>> = ALLOWED_STATE,
): Violation[] {
  return files
    .filter(({ path }) => !isTest(path))
    .flatMap(({ path, state }) =>
      state.flatMap(({ name, line, what }): Violation[] =>
        allowed[`${path} ${name}`] === undefined
          ? [{ path, line, rule: 'state', message: `keeps ${what} "${name}" for ever` }]
          : [],
      ),
    );
}

/** Finds object literals that are spread into another: no compiler sees a misspelt key there. */
export function checkSpreads(files: readonly SourceFile[]): Violation[] {
  const message =
    'spreads an object literal: write its keys in place, undefined where one is missing, inside defined() where an undefined key would be seen';
  return files.flatMap(({ path, literalSpreads }) =>
    literalSpreads.map((line): Violation => ({ path, line, rule: 'spread', message })),
  );
}

const BAD_WORDS = new Set(
  ['manager', 'helper', 'util', 'common', 'service', 'base', 'abstract', 'impl', 'misc'].flatMap(
    word => [word, `${word}s`],
  ),
);
/** A tool may want a folder with a dot before its name. */
const KEBAB = /^\.?[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Names of folders and files: kebab-case, and of words that say something. */
export function checkPathNames(paths: readonly string[]): Violation[] {
  return paths.flatMap(path => {
    const parts = path.split('/');
    const file = parts.pop()!.replace(/(?:\.(?:data\.test|test|config|wasm|d))?\.[a-z]+$/, '');
    return [...parts, file].flatMap(name => {
      const fail = (message: string): Violation[] => [{ path, line: 1, rule: 'name', message }];
      if (!KEBAB.test(name)) return fail(`"${name}" is not kebab-case`);
      const bad = name.split('-').find(word => BAD_WORDS.has(word));
      return bad ? fail(`"${bad}" says nothing about what is inside`) : [];
    });
  });
}

/** Names of types follow the same list of words. */
export function checkTypeNames(files: readonly SourceFile[]): Violation[] {
  return files.flatMap(file =>
    file.types.flatMap(({ name, line }): Violation[] => {
      const bad = (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).find(word =>
        BAD_WORDS.has(word.toLowerCase()),
      );
      return bad
        ? [
            {
              path: file.path,
              line,
              rule: 'name',
              message: `the type ${name}: "${bad}" says nothing about what it is`,
            },
          ]
        : [];
    }),
  );
}

/** Files and functions beyond the alarm. */
export function checkLengths(files: readonly SourceFile[]): Violation[] {
  return files.flatMap(file => {
    const fail = (line: number, message: string): Violation => ({
      path: file.path,
      line,
      rule: 'length',
      message,
    });
    const long: Violation[] = [];
    if (file.codeLines > ALARM_FILE_LINES)
      long.push(fail(1, `${file.codeLines} lines of code, more than ${ALARM_FILE_LINES}`));
    for (const { name, line, lines } of file.functions) {
      if (lines > ALARM_FUNCTION_LINES)
        long.push(
          fail(line, `${name} has ${lines} lines of code, more than ${ALARM_FUNCTION_LINES}`),
        );
    }
    return long;
  });
}

// Written in pieces, so that this file does not break its own rule.
const OUTSIDE = new RegExp(
  `(?<![\\w.])/(?:${['work', 'home', 'root', 'tmp', 'Users', 'mnt'].join('|')})/|\\.\\./${'shared'}\\b|\\b${'shared'}/(?:data|models|design|specs)\\b`,
);

/** Lines that name a folder outside the project. */
export function checkOutsideFolders(path: string, text: string): Violation[] {
  return text.split('\n').flatMap((content, index): Violation[] => {
    const found = OUTSIDE.exec(content);
    return found
      ? [
          {
            path,
            line: index + 1,
            rule: 'outside',
            message: `names a folder outside the project: ${found[0]}`,
          },
        ]
      : [];
  });
}
