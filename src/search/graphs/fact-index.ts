/** Ranks the facts of a graph by the words of a text. */

import type { ScoredItem } from '../../core/ranking/top.ts';
import type { EntityTriple } from '../../models/entity-recogniser.ts';
import { LexicalIndex } from '../indexes/lexical/lexical-index.ts';
import { scorers } from '../indexes/lexical/scorers.ts';
import type { SentenceEntities } from './sentence-entities.ts';

/** Facts are short: one that shares only "the" with a question is none about it. */
const BM25 = scorers.create('bm25(stop=english)');

export class FactIndex {
  /** Each once, in the order of their words: equal for any history of a collection. */
  readonly facts: readonly EntityTriple[];
  /** The documents that state each. */
  private readonly statedBy: readonly (readonly string[])[];
  private readonly index: LexicalIndex;

  /** Leaves out facts of which an end is no entity of a sentence. */
  constructor(entities: SentenceEntities, isKnown: (name: string) => boolean) {
    const distinct = new Map<string, { readonly triple: EntityTriple; documents: string[] }>();
    for (const [id, { triples }] of entities)
      for (const triple of triples) {
        if (!(isKnown(triple.head) && isKnown(triple.tail))) continue;
        const known = distinct.get(keyOf(triple));
        if (known) known.documents.push(id);
        else distinct.set(keyOf(triple), { triple, documents: [id] });
      }
    const inOrder = [...distinct].sort(([a], [b]) => (a < b ? -1 : 1));
    this.facts = inOrder.map(([, { triple }]) => triple);
    this.statedBy = inOrder.map(([, { documents }]) => documents);
    const items = inOrder.map(([id, { triple }]) => ({
      id,
      title: '',
      metadata: {},
      text: `${triple.head} ${triple.relation} ${triple.tail}`,
    }));
    this.index = LexicalIndex.build(items, BM25.analysis);
  }

  /** Ranks facts that one of these documents states; of all documents if missing. */
  search(text: string, k: number, among?: ReadonlySet<string>): ScoredItem[] {
    const query = among
      ? {
          text,
          allowed: Uint8Array.from(this.statedBy, by => (by.some(id => among.has(id)) ? 1 : 0)),
        }
      : { text };
    return this.index.search([query], k, BM25)[0]!;
  }
}

const keyOf = ({ head, relation, tail }: EntityTriple): string =>
  JSON.stringify([head, relation, tail]);
