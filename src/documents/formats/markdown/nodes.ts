/** The tokens of the library as a tree. */
import type { Token } from 'markdown-it';

/** A token with those between it and the token that closes it. */
export interface Node {
  readonly token: Token;
  readonly inside: readonly Node[];
  readonly close?: Token;
}

interface Open extends Node {
  readonly inside: Node[];
  close?: Token;
}

export function nodesOf(tokens: readonly Token[]): readonly Node[] {
  const all: Node[] = [];
  const open: Open[] = [];
  for (const token of tokens) {
    if (token.nesting < 0) open.pop()!.close = token;
    else {
      const node: Open = { token, inside: [] };
      (open.at(-1)?.inside ?? all).push(node);
      if (token.nesting > 0) open.push(node);
    }
  }
  return all;
}
