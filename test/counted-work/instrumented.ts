/** Writes a counter into each function and each loop of a module. */

import { asNode, childrenOf, type Node } from '../../tools/house/nodes.ts';
import { parseTypeScript } from '../../tools/house/syntax.ts';

/** Most modules that one process imports. */
const MOST = 10_000;
const NAME = '__countedBlocks';

export const counters: { readonly files: string[]; readonly counts: Float64Array } = {
  files: [],
  counts: new Float64Array(MOST),
};
Object.defineProperty(globalThis, NAME, { value: counters.counts });

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const LOOPS = new Set([
  ...['ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement'],
]);

interface Insert {
  readonly at: number;
  readonly text: string;
  /** At one place those of inner nodes come first. */
  readonly depth: number;
}

/** Returns the source with a counter at the beginning of each body; its lines stay. */
export function withCounters(path: string, source: string): string {
  const at = counters.files.push(path) - 1;
  const inserts: Insert[] = [];
  gather(parseTypeScript(path, source), `${NAME}[${at}]++`, 0, inserts);
  inserts.sort((a, b) => a.at - b.at || b.depth - a.depth);
  let [written, from] = ['', 0];
  for (const { at, text } of inserts) {
    written += source.slice(from, at) + text;
    from = at;
  }
  return written + source.slice(from);
}

function gather(node: Node, count: string, depth: number, inserts: Insert[]): void {
  const body = asNode(node['body']);
  if (body && (FUNCTIONS.has(node.type) || LOOPS.has(node.type))) {
    const [open, close] = LOOPS.has(node.type) ? [`{${count};`, '}'] : [`(${count},`, ')'];
    if (body.type === 'BlockStatement' || body.type === 'FunctionBody')
      inserts.push({ at: body.start + 1, text: `${count};`, depth });
    else inserts.push({ at: body.start, text: open, depth }, { at: body.end, text: close, depth });
  }
  for (const child of childrenOf(node)) gather(child, count, depth + 1, inserts);
}
