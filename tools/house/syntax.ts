/**
 * A source file as the house rule reads it: its imports, its lines of code, its functions, its
 * types and the globals it reaches for.
 */
import { parseSync } from 'rolldown/utils';
import { type ModuleState, moduleStateOf } from './module-state.ts';
import { asNode, childrenOf, type Node, nameOf, nodesOf } from './nodes.ts';
import { literalSpreadsOf } from './spreads.ts';

export interface Import {
  readonly specifier: string;
  readonly line: number;
}
export interface FunctionLength {
  readonly name: string;
  readonly line: number;
  readonly lines: number;
}
/** A use of something that is declared nowhere in the file: `console`, `Date.now`, `new Date()`. */
export interface GlobalUse {
  readonly name: string;
  readonly line: number;
}

export interface SourceFile {
  /** From the project's root, with forward slashes. */
  readonly path: string;
  readonly imports: readonly Import[];
  readonly codeLines: number;
  readonly functions: readonly FunctionLength[];
  /** Names of classes, interfaces and type aliases. */
  readonly types: readonly { readonly name: string; readonly line: number }[];
  readonly globals: readonly GlobalUse[];
  /** State that it keeps for the life of the process. */
  readonly state: readonly (Omit<ModuleState, 'start'> & { readonly line: number })[];
  /** Lines that spread an object literal into another. */
  readonly literalSpreads: readonly number[];
  /** True if it exports a member of a family. */
  readonly isMember: boolean;
}

/** Returns the syntax tree of a file. Throws if it is not TypeScript. */
export function parseTypeScript(path: string, text: string): Node {
  const { program, errors } = parseSync(path, text) as unknown as {
    program: Node;
    errors: readonly { message: string }[];
  };
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`);
  return program;
}

/** Reads a file. Throws for one that is no TypeScript. */
export function readSourceFile(path: string, text: string): SourceFile {
  const { program, errors, comments } = parseSync(path, text) as unknown as {
    program: Node;
    errors: readonly { message: string }[];
    comments: readonly { start: number; end: number }[];
  };
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`);
  const lines = new Lines(text, comments);
  const found: Found = { lines, imports: [], functions: [], types: [], globals: [] };
  collect(program, found);
  findGlobals(program, [], found);
  const { imports, functions, types, globals } = found;
  return {
    path,
    imports,
    functions,
    types,
    globals,
    codeLines: lines.code(0, text.length),
    state: moduleStateOf(program).map(({ start, ...state }) => ({
      ...state,
      line: lines.at(start),
    })),
    literalSpreads: literalSpreadsOf(program).map(({ start }) => lines.at(start)),
    isMember: exportsMember(program),
  };
}

interface Found {
  readonly lines: Lines;
  readonly imports: Import[];
  readonly functions: FunctionLength[];
  readonly types: { name: string; line: number }[];
  readonly globals: GlobalUse[];
}

/** Line numbers, and which lines hold code: neither blank nor comment alone. */
class Lines {
  private readonly starts: number[] = [0];
  private readonly isCode: boolean[];

  constructor(text: string, comments: readonly { readonly start: number; readonly end: number }[]) {
    let code = text;
    for (const { start, end } of comments)
      code = code.slice(0, start) + text.slice(start, end).replace(/[^\n]/g, ' ') + code.slice(end);
    this.isCode = code.split('\n').map(line => line.trim() !== '');
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
      this.starts.push(at + 1);
  }

  /** The line of an offset, from 1. */
  at(offset: number): number {
    let [low, high] = [0, this.starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  code(start: number, end: number): number {
    return this.isCode.slice(this.at(start) - 1, this.at(end)).filter(Boolean).length;
  }
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** Imports of every kind, functions and type names. */
function collect(node: Node, found: Found, name = ''): void {
  const line = (): number => found.lines.at(node.start);
  if (/^(?:Import|Export|TSImport)/.test(node.type)) {
    const specifier = specifierOf(node);
    if (specifier !== undefined) found.imports.push({ specifier, line: line() });
  }
  if (FUNCTIONS.has(node.type)) {
    const own = nameOf(node['id']) ?? (name || 'a function without a name');
    found.functions.push({
      name: own,
      line: line(),
      lines: found.lines.code(node.start, node.end),
    });
  }
  if (/^(?:ClassDeclaration|TSInterfaceDeclaration|TSTypeAliasDeclaration)$/.test(node.type)) {
    found.types.push({ name: nameOf(node['id']) ?? '', line: line() });
  }
  const inner = nameOf(node['key']) ?? nameOf(node['id']) ?? '';
  for (const child of childrenOf(node)) collect(child, found, inner);
}

/** Returns the specifier of any import; '(computed)' for an expression. */
function specifierOf(node: Node): string | undefined {
  const source = asNode(node['source'] ?? node['argument']);
  const literal = source?.type === 'TSLiteralType' ? asNode(source['literal']) : source;
  if (typeof literal?.['value'] === 'string') return literal['value'];
  return node.type === 'ImportExpression' ? '(computed)' : undefined;
}

/** Names that a list of patterns, parameters or declarations binds. */
function boundNames(node: Node | undefined): string[] {
  if (!node) return [];
  switch (node.type) {
    case 'Identifier':
      return [node['name'] as string];
    case 'ObjectPattern':
      return nodesOf(node['properties']).flatMap(property =>
        boundNames(asNode(property['value']) ?? asNode(property['argument'])),
      );
    case 'ArrayPattern':
      return nodesOf(node['elements']).flatMap(boundNames);
    case 'AssignmentPattern':
      return boundNames(asNode(node['left']));
    case 'RestElement':
      return boundNames(asNode(node['argument']));
    case 'VariableDeclaration':
      return nodesOf(node['declarations']).flatMap(declaration =>
        boundNames(asNode(declaration['id'])),
      );
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return boundNames(asNode(node['id']));
    case 'ImportDeclaration':
      return nodesOf(node['specifiers']).flatMap(specifier =>
        boundNames(asNode(specifier['local'])),
      );
    case 'ExportNamedDeclaration':
      return boundNames(asNode(node['declaration']));
    default:
      return [];
  }
}

/** The names that a node opens a scope for. */
function scopeOf(node: Node): string[] {
  const body = node['body'];
  const statements = Array.isArray(body) ? nodesOf(body).flatMap(boundNames) : [];
  if (FUNCTIONS.has(node.type))
    return [...nodesOf(node['params']).flatMap(boundNames), ...boundNames(asNode(node['id']))];
  if (/^(?:Program|BlockStatement|StaticBlock)$/.test(node.type)) return statements;
  if (/^For/.test(node.type)) return boundNames(asNode(node['init'] ?? node['left']));
  if (node.type === 'CatchClause') return boundNames(asNode(node['param']));
  if (node.type === 'SwitchStatement')
    return nodesOf(node['cases']).flatMap(entry =>
      nodesOf(entry['consequent']).flatMap(boundNames),
    );
  return [];
}

const TYPED_EXPRESSIONS = /^TS(?:As|Satisfies|NonNull|TypeAssertion|Instantiation)/;

/**
 * Every reference that no scope around it binds; of a member expression the object and the
 * property, `Date.now`.
 */
function findGlobals(node: Node, outer: readonly ReadonlySet<string>[], found: Found): void {
  if (node.type.startsWith('TS')) {
    const expression = TYPED_EXPRESSIONS.test(node.type) ? asNode(node['expression']) : undefined;
    if (expression) findGlobals(expression, outer, found);
    return;
  }
  const scopes = [...outer, new Set(scopeOf(node))];
  const free = (candidate: Node | undefined): string | undefined => {
    const name = candidate?.type === 'Identifier' ? (candidate['name'] as string) : undefined;
    return name !== undefined && !scopes.some(scope => scope.has(name)) ? name : undefined;
  };
  const use = (name: string): number =>
    found.globals.push({ name, line: found.lines.at(node.start) });
  if (node.type === 'Identifier') {
    const name = free(node);
    if (name !== undefined) use(name);
    return;
  }
  if (node.type === 'MetaProperty') use(`${nameOf(node['meta'])}.${nameOf(node['property'])}`);
  const object = free(asNode(node['object']));
  if (node.type === 'MemberExpression' && object !== undefined)
    use(`${object}.${memberName(node)}`);
  const callee = free(asNode(node['callee']));
  if (node.type === 'NewExpression' && callee !== undefined)
    use(`new ${callee}(${nodesOf(node['arguments']).length > 0 ? '...' : ''})`);
  if (node.type === 'CallExpression' && callee !== undefined) use(`${callee}()`);
  for (const child of expressionsOf(node)) findGlobals(child, scopes, found);
}

function memberName(node: Node): string {
  const property = asNode(node['property']);
  return node['computed'] ? String(property?.['value'] ?? '?') : (nameOf(property) ?? '?');
}

/** The children that are evaluated: not the names of properties, labels and imports. */
function expressionsOf(node: Node): Node[] {
  if (
    /^(?:Import|ExportAll|Break|Continue|MetaProperty)/.test(node.type) &&
    node.type !== 'ImportExpression'
  )
    return [];
  const names = new Set<string>();
  if (!node['computed'] && node.type === 'MemberExpression') names.add('property');
  if (!node['computed'] && /Property|MethodDefinition/.test(node.type)) names.add('key');
  if (node.type === 'LabeledStatement') names.add('label');
  if (node.type === 'ExportSpecifier') names.add('exported');
  return Object.entries(node).flatMap(([field, value]) =>
    names.has(field) ? [] : Array.isArray(value) ? nodesOf(value) : (asNode(value) ?? []),
  );
}

/** `export const x: Member<...>`. */
function exportsMember(program: Node): boolean {
  return nodesOf(program['body']).some(statement =>
    nodesOf(asNode(statement['declaration'])?.['declarations']).some(declaration => {
      const annotation = asNode(
        asNode(asNode(declaration['id'])?.['typeAnnotation'])?.['typeAnnotation'],
      );
      return annotation?.type === 'TSTypeReference' && nameOf(annotation['typeName']) === 'Member';
    }),
  );
}
