/**
 * Reads the sentences that a context shows as units of documents: each with its headings, its kind
 * of block, the section that it stands in, and the stems of all of these.
 */
import type { BlockKind, Document } from '../../core/corpus/document.ts';
import { blockAt, headingAt, pathWords } from '../../core/corpus/outline.ts';
import type { Evidence } from '../../core/trace/trace.ts';
import { termsOf } from '../../language/english/words/terms.ts';
import type { Said } from '../../language/said.ts';
import type { SaidSentence, ShownSentence } from '../shown-sentences.ts';

/** Sentences that stand below one heading of one document, next to each other in the context. */
export interface Section {
  readonly document: Document;
  readonly heading: readonly string[];
  readonly units: readonly number[];
  /** Text of all its shown sentences. */
  readonly text: string;
  /** Stems of its sentences. */
  readonly terms: ReadonlySet<string>;
  /** Stems of its innermost heading. */
  readonly leaf: ReadonlySet<string>;
  /** Stems of the path of its file, which begins with the project. */
  readonly path: ReadonlySet<string>;
  /** Stems of path, title and headings: the project, the document, the subject. */
  readonly place: ReadonlySet<string>;
  /** Score of its best item of evidence as a share of the best of all, from 0 to 1. */
  readonly found: number;
}

export interface SectionUnit {
  readonly index: number;
  readonly sentence: ShownSentence;
  readonly text: string;
  readonly said: Said;
  readonly kind: BlockKind;
  readonly section: number;
  readonly terms: ReadonlySet<string>;
}

export interface Sections {
  readonly units: readonly SectionUnit[];
  readonly sections: readonly Section[];
}

/** `documents` are those of the sentences, in any order. */
export function readSections(
  sentences: readonly SaidSentence[],
  documents: readonly Document[],
  evidence: readonly Evidence[],
): Sections {
  const byId = new Map(documents.map(document => [document.id, document]));
  const units: SectionUnit[] = [];
  const groups = new Map<
    string,
    { document: Document; heading: readonly string[]; units: number[] }
  >();
  for (const [index, sentence] of sentences.entries()) {
    const document = byId.get(sentence.documentId)!;
    const { said } = sentence;
    const heading = headingAt(document, sentence.start);
    const key = JSON.stringify([document.id, heading]);
    let group = groups.get(key);
    if (!group) groups.set(key, (group = { document, heading, units: [] }));
    group.units.push(index);
    units.push({
      index,
      sentence,
      text: sentence.text,
      said,
      kind: blockAt(document, sentence.start)?.kind ?? 'prose',
      section: [...groups.keys()].indexOf(key),
      terms: said.terms,
    });
  }
  const most = Math.max(...evidence.map(({ score }) => score), Number.MIN_VALUE);
  const sections = [...groups.values()].map(({ document, heading, units: members }): Section => {
    const text = members.map(index => units[index]!.text).join('\n');
    const path = pathWords(document.id);
    return {
      document,
      heading,
      units: members,
      text,
      terms: new Set(members.flatMap(index => [...units[index]!.terms])),
      leaf: termsOf(heading.at(-1) ?? document.title),
      path: termsOf(path),
      place: termsOf(`${path} ${document.title} ${heading.join(' ')}`),
      found:
        foundScore(
          members.map(index => units[index]!.sentence),
          evidence,
        ) / most,
    };
  });
  return { units, sections };
}

function foundScore(sentences: readonly ShownSentence[], evidence: readonly Evidence[]): number {
  let best = 0;
  for (const { documentId, spans, score } of evidence)
    for (const [from, to] of spans)
      if (
        score > best &&
        sentences.some(
          ({ documentId: id, start, end }) => id === documentId && start < to && end > from,
        )
      )
        best = score;
  return best;
}
