/**
 * The evidence of each question as places in documents: what a strategy kept, so that readers are
 * compared over the same evidence after its ranking has changed. Texts stay where they are.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import type { EvidenceItem, Trace } from '../../src/core/trace/trace.ts';
import { sha256 } from '../../src/platform/sha256.ts';
import { evidenceFirst, type OpenHop, type Strategy } from '../../src/strategies/strategy.ts';

/** One question: the kept items, and the hash of the text that they make. */
export interface FrozenQuestion {
  readonly kept: readonly EvidenceItem[];
  readonly corpusKind?: OpenHop['corpusKind'];
  readonly sha256: string;
}

/** By set, then by question. */
export type FrozenEvidence = Record<string, Record<string, FrozenQuestion>>;

export const readFrozen = (file: string): FrozenEvidence =>
  existsSync(file) ? JSON.parse(brotliDecompressSync(readFileSync(file)).toString()) : {};

export const writeFrozen = (file: string, frozen: FrozenEvidence): void =>
  writeFileSync(file, brotliCompressSync(JSON.stringify(frozen)));

/** Returns what a run kept in the end. */
export const frozenOf = ({ evidence, corpusKind, context }: Trace): FrozenQuestion => ({
  kept: evidence.map(({ id, documentId, score, spans }) => ({
    id,
    documentId,
    score,
    spans,
    search: { hop: 0, search: 0 },
  })),
  corpusKind,
  sha256: sha256(context.text),
});

/** Returns a strategy that keeps the evidence of each question, by its id, and searches nothing. */
export const frozenStrategy = (evidence: (question: string) => FrozenQuestion): Strategy => ({
  name: 'frozen-evidence',
  async *hops({ id, text }, { retriever: { name, unit } }) {
    const { kept, corpusKind } = evidence(id);
    const searches = [{ text, retriever: name, unit, hits: [] }];
    yield { searches, kept, rejected: [], corpusKind };
    return { why: 'completed' };
  },
  ranking: hops => evidenceFirst(hops),
});
