/**
 * HTML that Markdown takes apart: a blank line inside a table or a list ends a block of HTML, and a
 * table inside a line is a row of single tags. Both are put together again as HTML.
 */
import type { Token } from 'markdown-it';
import type { Node } from './nodes.ts';

/** Elements whose parts have no meaning alone. */
const PARTED = ['table', 'ul', 'ol', 'dl'] as const;
const TAG = /<(\/?)(table|ul|ol|dl)\b/gi;
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
/** Matches code that is no code: parts of a table that are indented below a blank line. */
const INDENTED_PART =
  /^\s*<\/?(?:table|thead|tbody|tfoot|tr|td|th|caption|ul|ol|li|dl|dt|dd)[\s>]/i;

/** Nodes that are one piece of HTML, from the block that opens an element to its end. */
export interface Joined {
  readonly nodes: readonly Node[];
}

/** Returns the nodes, with those inside a parted element as one. */
export function joinedParts(nodes: readonly Node[]): readonly (Node | Joined)[] {
  const ends = endsOf(nodes);
  if (ends.size === 0) return nodes;
  const joined: (Node | Joined)[] = [];
  for (let at = 0; at < nodes.length; at++) {
    const end = ends.get(at);
    joined.push(end === undefined ? nodes[at]! : { nodes: nodes.slice(at, end + 1) });
    at = end ?? at;
  }
  return joined;
}

/** Returns where elements end that begin in another block of HTML, by where they begin. */
function endsOf(nodes: readonly Node[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const open = new Map<string, number[]>(PARTED.map(name => [name, []]));
  for (const [at, { token }] of nodes.entries()) {
    const html = htmlOf(token);
    if (html === undefined) continue;
    for (const [, close, name] of html.replace(COMMENT, '').matchAll(TAG)) {
      const begun = open.get(name!.toLowerCase())!;
      if (close === '') begun.push(at);
      else {
        const from = begun.pop() ?? at;
        // The element that ends last reaches furthest.
        if (from < at) ends.set(from, at);
      }
    }
  }
  return ends;
}

function htmlOf({ type, content }: Token): string | undefined {
  const isHtml = type === 'html_block' || (type === 'code_block' && INDENTED_PART.test(content));
  return isHtml ? content : undefined;
}

/** Prints nodes as HTML in which each begins at its line, counted from that of the first. */
export function asHtml(nodes: readonly Node[], render: (tokens: Token[]) => string): string {
  const first = nodes[0]!.token.map![0];
  let html = '';
  let line = 0;
  for (const node of nodes) {
    const missing = (node.token.map?.[0] ?? first) - first - line;
    const piece =
      '\n'.repeat(Math.max(0, missing)) + (htmlOf(node.token) ?? render(tokensIn(node)));
    line += piece.split('\n').length - 1;
    html += piece;
  }
  return html;
}

const tokensIn = ({ token, inside, close }: Node): Token[] => [
  token,
  ...inside.flatMap(tokensIn),
  ...(close ? [close] : []),
];

/** Tells whether a paragraph holds tags of a table or a list. */
export const holdsParts = (tokens: readonly Token[]): boolean =>
  tokens.some(({ type, content }) => type === 'html_inline' && INLINE_PART.test(content));

const INLINE_PART = /^<(?:table|ul|ol|dl)\b/i;
