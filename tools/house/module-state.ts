/**
 * Finds state that a module keeps for the life of a process: a module-level `let`, a module-level
 * collection that the file writes to, and a `WeakMap` or `WeakSet` anywhere.
 */
import { childrenOf, type Node, nameOf, nodesOf } from './nodes.ts';

export interface ModuleState {
  readonly name: string;
  readonly start: number;
  readonly what: string;
}

/**
 * Module-level state that is allowed, by path and name, and the reason. Caches of analysed texts
 * belong to a snapshot (src/core/corpus/analysis-cache.ts).
 */
export const ALLOWED_STATE: Readonly<Record<string, string>> = {
  'src/models/answer-probability/shipped.ts model': 'parses shipped curves once',
  'src/models/fact-ranker/shipped.ts ranker': 'parses shipped weights once',
  'src/models/fact-reader/shipped.ts checkpoint': 'parses shipped weights once',
  'src/models/open-reader/shipped.ts checkpoint': 'parses shipped weights once',
  'src/models/cascade/shipped.ts checkpoint': 'parses shipped weights once',
  'src/models/section-reader/shipped.ts model': 'parses shipped weights once',
  'src/language/mentions.ts CATALOGUES': 'holds the index of a frozen list, and dies with it',
  'src/language/english/names/source-names.ts SPELLINGS':
    'holds the index of a frozen list, and dies with it',
  'src/models/ranker/kernel.ts modules': 'compiles WebAssembly once; three variants',
  'src/models/tree-hop/kernel.ts module': 'compiles WebAssembly once',
  'src/search/indexes/vector/kernel.ts module': 'compiles WebAssembly once',
  'src/search/indexes/vector/kernel.ts centredModules': 'compiles WebAssembly once; two variants',
  'src/core/cuts-pairs.ts cuts': 'tests the machine once',
  'src/search/indexes/lexical/kernel.ts module': 'compiles WebAssembly once',
  'src/search/indexes/lexical/fast-forward.ts module': 'compiles WebAssembly once',
  'src/search/indexes/lexical/score-sums.ts sums':
    'scratch memory between synchronous searches: one number for each item of the largest index',
  'src/stores/disk/write-lock.ts drafts': 'numbers files of this process, so that names differ',
  'src/testing/strategy-run.ts shared':
    'holds engines of constant documents of the law suites, and dies with them',
  'src/testing/strategy-run.ts byEmbedders': 'is a part of `shared`',
  'src/testing/strategy-run.ts byRecogniser': 'is a part of `shared`',
  'src/platform/clock.ts yielded':
    'the queue for turns of the event loop, of which a process has one',
  'src/platform/package-root.ts cached': 'reads the path of this package once',
  'src/core/text/letter-kinds.ts kinds': 'a table of 64 KiB: the kind of each UTF-16 unit',
  'src/core/text/accents.ts bareLetters': 'a table of some 1,500 letters with accents',
  'src/language/stems/stems.ts knownTerms':
    'dictionaries of at most 16,384 words a language, of no one text',
  'src/search/indexes/lexical/term-reader.ts classes':
    'a table of 64 KiB: the class of each code point',
  'src/search/indexes/lexical/written-letters.ts writtenClasses':
    'a table of 64 KiB: the class of each code point',
  'src/search/indexes/lexical/written-letters.ts writtenForms':
    'a table of 64 KiB: the forms of letters',
  'src/experiments/retriever-cost.ts collect': 'looks up the garbage collector once',
};

const WRITES = new Set('add,clear,delete,fill,pop,push,set,shift,sort,splice,unshift'.split(','));

/** Finds the module-level state of a program. */
export function moduleStateOf(program: Node): ModuleState[] {
  const statements = nodesOf(program['body']).map(statement =>
    statement.type === 'ExportNamedDeclaration'
      ? ((statement['declaration'] as Node | null) ?? statement)
      : statement,
  );
  const declared = statements.filter(({ type }) => type === 'VariableDeclaration');
  const state: ModuleState[] = [];
  const collections = new Map<string, number>();
  for (const declaration of declared) {
    for (const one of nodesOf(declaration['declarations'])) {
      const name = nameOf(one['id']);
      if (name === undefined) continue;
      if (declaration['kind'] === 'let')
        state.push({ name, start: declaration.start, what: 'a module-level let' });
      else if (isCollection(one['init'] as Node | null)) collections.set(name, declaration.start);
    }
  }
  const written = new Set<string>();
  const weak: ModuleState[] = [];
  walk(program, undefined, written, weak);
  for (const [name, start] of collections)
    if (written.has(name))
      state.push({ name, start, what: 'a module-level collection, written to' });
  return [...state, ...weak];
}

const isCollection = (init: Node | null | undefined): boolean =>
  init != null &&
  (init.type === 'ArrayExpression' ||
    init.type === 'ObjectExpression' ||
    (init.type === 'NewExpression' &&
      /^(?:Map|Set|Array)$|Array$/.test(nameOf(init['callee']) ?? '')));

/** Notes the names whose content a file changes, and every weak collection. */
function walk(
  node: Node,
  name: string | undefined,
  written: Set<string>,
  weak: ModuleState[],
): void {
  const called = node.type === 'CallExpression' ? (node['callee'] as Node) : undefined;
  if (called?.type === 'MemberExpression' && WRITES.has(nameOf(called['property']) ?? '')) {
    const object = nameOf(called['object']);
    if (object !== undefined) written.add(object);
  }
  const target = (node['left'] ?? node['argument']) as Node | undefined;
  if (/^(?:AssignmentExpression|UpdateExpression)$/.test(node.type))
    if (target?.type === 'MemberExpression') {
      const object = nameOf(target['object']);
      if (object !== undefined) written.add(object);
    }
  const made = node.type === 'NewExpression' ? nameOf(node['callee']) : undefined;
  if (made === 'WeakMap' || made === 'WeakSet')
    weak.push({ name: name ?? made, start: node.start, what: `a ${made}` });
  if (node.type === 'PropertyDefinition' && node['static'] && isCollection(node['value'] as Node))
    weak.push({ name: nameOf(node['key']) ?? '', start: node.start, what: 'a static collection' });
  const own = nameOf(node['id']) ?? nameOf(node['key']) ?? name;
  for (const child of childrenOf(node)) walk(child, own, written, weak);
}
