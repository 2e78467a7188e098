/** Tests reading ahead: the same documents as one by one, in few requests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Document } from '../../core/corpus/document.ts';
import { freeCall } from '../../core/trace/call.ts';
import { AHEAD, DocumentReads } from './document-reads.ts';

const call = freeCall();
const documentOf = (id: string): Document => ({ id, title: '', text: `of ${id}`, metadata: {} });
const hit = (documentId: string, at: number) => ({
  id: `${documentId}#${at}`,
  documentId,
  start: 0,
  end: 1,
  score: -at,
});

function reads(): { readonly reads: DocumentReads; readonly loads: (readonly string[])[] } {
  const loads: (readonly string[])[] = [];
  const load = async (ids: readonly string[]): Promise<Document[]> => {
    loads.push(ids);
    return ids.map(documentOf);
  };
  return { reads: new DocumentReads(load), loads };
}

test('reads what a search found in its order, some at once, and nothing twice', async () => {
  const found = Array.from({ length: 40 }, (_, at) => `d${at}`);
  const { reads: documents, loads } = reads();
  documents.found([found.flatMap((id, at) => [hit(id, at), hit(id, at)])]);
  for (const id of found) assert.deepEqual(await documents.read([id], call), [documentOf(id)]);
  assert.deepEqual(
    loads.map(({ length }) => length),
    [AHEAD, AHEAD, 40 - 2 * AHEAD],
  );
  assert.deepEqual(loads.flat(), found);
});

test('reads nothing beside what no search found, and nothing before the hit', async () => {
  const { reads: documents, loads } = reads();
  documents.found([['a', 'b', 'c'].map(hit), ['x', 'b', 'y'].map(hit)]);
  await documents.read(['z'], call);
  await documents.read(['b'], call);
  await documents.read(['a'], call);
  assert.deepEqual(loads, [['z'], ['b', 'y'], ['a', 'c']]);
});

test('returns what is asked for, in that order, whatever was found and read before', async () => {
  const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
  const step = fc.record({
    found: fc.array(fc.uniqueArray(id)),
    asked: fc.array(id, { maxLength: 5 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step), async steps => {
      const { reads: documents, loads } = reads();
      for (const { found, asked } of steps) {
        documents.found(found.map(ranking => ranking.map(hit)));
        assert.deepEqual(await documents.read(asked, call), asked.map(documentOf));
      }
      assert.equal(new Set(loads.flat()).size, loads.flat().length);
    }),
  );
});

test('a failed request is made anew', async () => {
  let isBroken = true;
  const documents = new DocumentReads(async ids => {
    if (isBroken) throw new Error('no answer');
    return ids.map(documentOf);
  });
  await assert.rejects(documents.read(['a'], call), /no answer/);
  isBroken = false;
  assert.deepEqual(await documents.read(['a'], call), [documentOf('a')]);
});
