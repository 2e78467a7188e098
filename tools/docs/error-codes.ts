/** Lists every error code that the sources throw, for the page of error codes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asNode, childrenOf, type Node, nodesOf } from '../house/nodes.ts';
import { parseTypeScript } from '../house/syntax.ts';

export interface ErrorCode {
  readonly kind: 'InputError' | 'PortError';
  readonly code: string;
  /** Its first message, with `...` in place of values. */
  readonly message: string;
  /** Paths of the files that throw it, ascending. */
  readonly files: readonly string[];
}

/** Position of the code among the arguments of each constructor; the message follows it. */
const CODE_AT = { InputError: 0, PortError: 1 } as const;
type Kind = keyof typeof CODE_AT;

const CODE = /^[a-z][a-z0-9-]*$/;

/** Returns the codes of all files of `root`/src but tests, by kind and code. */
export function errorCodes(root: string): ErrorCode[] {
  const found = new Map<string, { kind: Kind; message: string; files: Set<string> }>();
  const add = (kind: Kind, code: string, message: string, file: string): void => {
    const key = `${kind} ${code}`;
    const known = found.get(key) ?? { kind, message: '', files: new Set<string>() };
    found.set(key, { ...known, message: known.message || message });
    found.get(key)!.files.add(file);
  };
  for (const path of sourceFiles(root))
    for (const { kind, code, message } of codesOf(readFileSync(join(root, path), 'utf8'), path))
      add(kind, code, message, path);
  return [...found]
    .map(([key, { kind, message, files }]) => ({
      kind,
      message,
      code: key.slice(kind.length + 1),
      files: [...files].sort(),
    }))
    .sort((a, b) => (`${a.kind} ${a.code}` < `${b.kind} ${b.code}` ? -1 : 1));
}

const sourceFiles = (root: string): string[] =>
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.ts') && !/\.(?:test|wasm)\.ts$/.test(path))
    .filter(path => !path.startsWith('testing/'))
    .map(path => `src/${path}`)
    .sort();

/** A function that makes an error of the code that it gets. */
interface Factory {
  readonly kind: Kind;
  /** Position of the code among its arguments. */
  readonly at: number;
  readonly message?: string;
}

/** Factories of several files: those whose text holds `file` call it so. */
const SHARED: readonly (Factory & { readonly file: string; readonly called: string })[] = [
  { file: 'invalidOutput', called: 'fail', kind: 'PortError', at: 0 },
  {
    file: 'text-lines.ts',
    called: 'unreadable',
    kind: 'InputError',
    at: 2,
    message: 'Cannot read line ... of ...',
  },
];

type Thrown = Pick<ErrorCode, 'kind' | 'code' | 'message'>;

/** Returns the codes of one file: literals, and those that local factories pass on. */
function codesOf(text: string, path: string): Thrown[] {
  const program = parseTypeScript(path, text);
  const thrown: Thrown[] = [];
  const shared = SHARED.filter(({ file }) => text.includes(file));
  const factories = new Map<string, Factory>(shared.map(factory => [factory.called, factory]));
  visit(program, '', (node, name) => {
    const kind = constructorOf(node);
    if (!kind) return;
    const given = nodesOf(node['arguments']);
    const code = given[CODE_AT[kind]];
    const codes = code ? literalsOf(code) : [];
    for (const each of codes)
      thrown.push({ kind, code: each, message: messageOf(given[CODE_AT[kind] + 1], text) });
    if (code && codes.length === 0 && name !== '') factories.set(name, { kind, at: 0 });
  });
  visit(program, '', node => {
    if (node.type !== 'CallExpression') return;
    const factory = factories.get(String(asNode(node['callee'])?.['name'] ?? ''));
    if (!factory) return;
    const { kind, at, message = '' } = factory;
    const codes = nodesOf(node['arguments'])
      .slice(at, at + 1)
      .flatMap(literalsOf);
    for (const code of codes) thrown.push({ kind, code, message });
  });
  return thrown;
}

function constructorOf(node: Node): Kind | undefined {
  if (node.type !== 'NewExpression') return undefined;
  const name = asNode(node['callee'])?.['name'];
  return name === 'InputError' || name === 'PortError' ? name : undefined;
}

/** Returns the kebab-case texts that an expression can be. */
function literalsOf(node: Node): string[] {
  if (node.type === 'ConditionalExpression')
    return [node['consequent'], node['alternate']].flatMap(each => literalsOf(asNode(each)!));
  const value = node.type === 'Literal' ? node['value'] : undefined;
  return typeof value === 'string' && CODE.test(value) ? [value] : [];
}

function messageOf(node: Node | undefined, text: string): string {
  if (node?.type !== 'Literal' && node?.type !== 'TemplateLiteral') return '';
  return text
    .slice(node.start + 1, node.end - 1)
    .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '...')
    .replace(/\\(['"`])/g, '$1');
}

/** Calls `see` with each node and the name of the innermost function or variable around it. */
function visit(node: Node, name: string, see: (node: Node, name: string) => void): void {
  const own = asNode(node['id'])?.['name'] ?? asNode(node['key'])?.['name'];
  const inner =
    typeof own === 'string' && /Declarator|Function|Method/.test(node.type) ? own : name;
  see(node, inner);
  for (const child of childrenOf(node)) visit(child, inner, see);
}
