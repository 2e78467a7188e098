/**
 * Counts participles and pronouns that stand where a noun should: as a name in code, or in prose
 * before a punctuation mark or a verb.
 */
import { parseSync } from 'rolldown/utils';
import { childrenOf, type Node } from './nodes.ts';

const WORDS = ['own', 'one', 'given', 'named', 'wanted'] as const;
const AS_NOUN = new RegExp(
  String.raw`\b(${WORDS.join('|')})(?=[.,;:)]|\s+(?:is|are|was|were|has|have|may|must|of|in|to|by|and|or)\b)`,
  'g',
);

/** Returns the count of each word over files of TypeScript. */
export function vagueWords(
  files: readonly { readonly path: string; readonly text: string }[],
): Map<string, number> {
  const counts = new Map<string, number>(WORDS.map(word => [word, 0]));
  const count = (word: string): void => void counts.set(word, counts.get(word)! + 1);
  for (const { path, text } of files) {
    const { program, comments } = parseSync(path, text) as unknown as {
      program: Node;
      comments: readonly { readonly value: string }[];
    };
    for (const node of everyNode(program)) {
      const { type, name } = node as { type: string; name?: unknown };
      if (type === 'Identifier' && typeof name === 'string' && counts.has(name)) count(name);
    }
    for (const { value } of comments)
      for (const [, word] of value.replace(/\s*\n\s*\* ?/g, ' ').matchAll(AS_NOUN)) count(word!);
  }
  return counts;
}

function* everyNode(node: Node): Generator<Node> {
  yield node;
  for (const child of childrenOf(node)) yield* everyNode(child);
}
