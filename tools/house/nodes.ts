/** Nodes of a syntax tree, read loosely. */

/** A node of the syntax tree, read loosely: what is missing is undefined. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

export function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap(value =>
    Array.isArray(value) ? nodesOf(value) : (asNode(value) ?? []),
  );
}

export function asNode(value: unknown): Node | undefined {
  return typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    typeof value.type === 'string'
    ? (value as Node)
    : undefined;
}

export function nodesOf(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(item => asNode(item) !== undefined) : [];
}

export function nameOf(value: unknown): string | undefined {
  const name = asNode(value)?.['name'];
  return typeof name === 'string' ? name : undefined;
}
