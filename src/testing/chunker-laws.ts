/**
 * Defines the laws of chunkers: spans ascend, text equals its slice, everything but white space is
 * covered, and equal documents are cut equally.
 */
import type { Chunker } from '../core/corpus/chunker.ts';
import type { Document } from '../core/corpus/document.ts';
import { FIXTURE_DOCUMENTS } from './fixture-corpus.ts';
import { holds, type Law, law, same } from './law.ts';

const HOSTILE_TEXTS: readonly string[] = [
  'One',
  '   One. \n\n Two?  ',
  '... !!! ???',
  '\ud800 lone surrogate',
  'no end',
  'x'.repeat(5000),
  'a b c d e f g. '.repeat(300),
  '“Quoted.” (Bracketed.) 1.5 e.g. Mr. X',
];

const DOCUMENTS: readonly Document[] = [
  ...FIXTURE_DOCUMENTS,
  ...HOSTILE_TEXTS.map((text, index) => ({
    id: `hostile-${index}`,
    title: '',
    text,
    metadata: {},
  })),
];

/**
 * Returns the laws of a chunker.
 *
 * @example
 * ```ts
 * import { chunkers } from 'multihop/retrieval';
 * import { chunkerLaws } from 'multihop/testing';
 *
 * for (const law of chunkerLaws(chunkers.create('sentences'))) await law.run();
 * ```
 */
export function chunkerLaws(chunker: Chunker): Law[] {
  const each = (check: (document: Document) => void) => (): void => {
    for (const document of DOCUMENTS) check(document);
  };
  return [
    law(
      'chunker: spans ascend and lie in their document, text equals its slice',
      each(document => checkSpans(chunker, document)),
    ),
    law(
      'chunker: every character that is not white space is covered',
      each(document => checkCover(chunker, document)),
    ),
    law(
      'chunker: ids are unique and ascend',
      each(document => checkIds(chunker, document)),
    ),
    law(
      'chunker: equal documents have equal passages',
      each(document => same(chunker.chunk({ ...document }), chunker.chunk(document), document.id)),
    ),
    law('chunker: a document without text has no passages', () => {
      for (const text of ['', '  \n\t '])
        same(
          chunker.chunk({ id: 'empty', title: 'T', text, metadata: {} }),
          [],
          JSON.stringify(text),
        );
    }),
  ];
}

function checkSpans(chunker: Chunker, document: Document): void {
  let [start, end] = [-1, -1];
  for (const passage of chunker.chunk(document)) {
    holds(passage.documentId === document.id, 'documentId', document.id, passage.documentId);
    holds(
      passage.start > start && passage.end > end && passage.start < passage.end,
      document.id,
      'ascending spans',
      passage,
    );
    holds(passage.end <= document.text.length, document.id, 'a span inside the document', passage);
    same(passage.text, document.text.slice(passage.start, passage.end), `text of ${passage.id}`);
    [start, end] = [passage.start, passage.end];
  }
}

function checkCover(chunker: Chunker, document: Document): void {
  const covered = new Uint8Array(document.text.length);
  for (const { start, end } of chunker.chunk(document)) covered.fill(1, start, end);
  for (const [at, character] of [...document.text.split('')].entries())
    holds(
      covered[at] === 1 || /\s/.test(character),
      `character ${at} of ${document.id}`,
      'covered',
      character,
    );
}

function checkIds(chunker: Chunker, document: Document): void {
  const ids = chunker.chunk(document).map(({ id }) => id);
  same(ids, [...new Set(ids)].sort(), `ids of ${document.id}`);
}
