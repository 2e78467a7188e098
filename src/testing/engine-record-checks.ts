/** Defines the laws of records: documents, passages and sentences as stored, and their division. */
import type { Passage } from '../core/corpus/document.ts';
import type { Unit } from '../core/ranking/ranking.ts';
import { freeCall } from '../core/trace/call.ts';
import type { SearchEngine } from '../search/engine.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import { FIXTURE_DOCUMENTS } from './fixture-corpus.ts';
import { holds, isInput, type Law, law, same, throws } from './law.ts';

const call = freeCall();

export function recordLaws(engine: EngineUnderTest): Law[] {
  const pieces = engine.capabilities.units.filter(unit => unit !== 'document');
  return [
    law(
      'engine: documents are returned unchanged; passages and sentences equal their slice',
      engine.over(filled => checkRecords(filled, pieces)),
    ),
    law(
      'engine: parts cover a document, in its order',
      engine.over(filled => checkParts(filled, pieces)),
    ),
  ];
}

type Piece = Exclude<Unit, 'document'>;

async function checkRecords(engine: SearchEngine, pieces: readonly Piece[]): Promise<void> {
  for (const unit of pieces) {
    const [hits] = await engine.search(
      {
        unit,
        k: 1000,
        queries: [{ text: 'the of a in harrow point furnace fair ferry rope 東京' }],
      },
      call,
    );
    const records: Passage[] = await engine.read(
      unit,
      hits!.map(hit => hit.id),
      call,
    );
    for (const [index, { id, documentId, start, end, text }] of records.entries()) {
      const { score: _, ...place } = hits![index]!;
      same({ id, documentId, start, end }, place, `the place of ${id}`);
      const [document] = await engine.read('document', [documentId], call);
      same(text, document!.text.slice(start, end), `the text of ${id}`);
    }
  }
  const ids = FIXTURE_DOCUMENTS.map(({ id }) => id);
  same(
    await engine.read('document', ids, call),
    FIXTURE_DOCUMENTS,
    'unchanged documents, in the requested order',
  );
}

async function checkParts(engine: SearchEngine, pieces: readonly Piece[]): Promise<void> {
  const documents = FIXTURE_DOCUMENTS.toReversed();
  const ids = documents.map(({ id }) => id);
  for (const unit of pieces) {
    const lists = await engine.parts(unit, ids, call);
    same(lists.length, ids.length, `lists of ${unit}s`);
    for (const [index, { id, text }] of documents.entries()) {
      const list = lists[index]!;
      const stored = list.map(part => part.id);
      same(list, await engine.read(unit, stored, call), `the ${unit}s of ${id}`);
      holds(
        list.every(
          (part, place) =>
            part.documentId === id && (place === 0 || part.start > list[place - 1]!.start),
        ),
        `the ${unit}s of ${id}`,
        'of this document, in its order',
        list,
      );
      // Only white space lies outside all parts.
      same(outsideOf(text, list), '', `text outside all parts of ${id}`);
    }
  }
  for (const unit of pieces)
    await throws(
      () => engine.parts(unit, ['nowhere'], call),
      isInput('unknown-id'),
      `${unit}s of an unknown document`,
      'InputError unknown-id',
    );
}

function outsideOf(text: string, parts: readonly Passage[]): string {
  let outside = '';
  let covered = 0;
  for (const { start, end } of parts) {
    outside += text.slice(covered, Math.max(covered, start));
    covered = Math.max(covered, end);
  }
  return (outside + text.slice(covered)).trim();
}
