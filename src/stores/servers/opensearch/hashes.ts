/** Reads and computes hashes of contents, which tell changed documents from equal ones. */
import type { Document } from '../../../core/corpus/document.ts';
import { InputError } from '../../../core/errors.ts';
import type { Call } from '../../../core/trace/call.ts';
import { engineTimeout } from '../engine-errors.ts';
import { checkStorable, contentHash } from '../prepared-document.ts';
import { storedText } from '../stored-text.ts';
import type { Body, Client } from './client.ts';
import { versionOf } from './mapping.ts';
import { type ReadState, visible } from './state.ts';

/** Longest text of a metadata value: the server limits keywords to 32,766 bytes. */
const LONGEST_VALUE = 8000;
const LOOKED_UP = 1000;

/** Throws `InputError('duplicate-id' | 'bad-document')`. */
export function checkedHashes(documents: readonly Document[]): Map<string, string> {
  const hashes = new Map<string, string>();
  for (const document of documents) {
    const { id, metadata } = document;
    if (hashes.has(id))
      throw new InputError('duplicate-id', `Two documents of one batch have the id "${id}"`);
    checkStorable(document);
    for (const [field, value] of Object.entries(metadata))
      for (const text of [value].flat())
        if (typeof text === 'string' && text.length + field.length > LONGEST_VALUE)
          throw new InputError('bad-document', `The metadata "${field.slice(0, 40)}" of "${id}"`, {
            expected: `at most ${LONGEST_VALUE} characters`,
            received: `${text.length} characters`,
          });
    hashes.set(id, contentHash(document));
  }
  return hashes;
}

/** The stored content of a document, and the version that wrote it. */
export interface StoredHash {
  readonly hash: string;
  readonly version: string;
}

export async function storedHashes(
  client: Client,
  { state, index }: ReadState,
  ids: readonly string[],
  call: Call,
): Promise<Map<string, StoredHash>> {
  const hashes = new Map<string, StoredHash>();
  const originals = new Map(ids.map(id => [storedText(id), id]));
  for (let from = 0; state.documents > 0 && from < ids.length; from += LOOKED_UP) {
    const filter = [
      { term: { unit: 'document' } },
      visible(state),
      { terms: { id: ids.slice(from, from + LOOKED_UP).map(storedText) } },
    ];
    const _source = ['id', 'hash', 'generation'];
    const body = { query: { bool: { filter } }, size: LOOKED_UP, _source };
    const answer = await client.send(
      {
        method: 'POST',
        path: `/${index}/_search`,
        body,
        querystring: { allow_partial_search_results: false },
      },
      call,
    );
    if (answer.timed_out) throw engineTimeout(client.address, 'an answer of all shards');
    for (const { id, hash, generation } of answer.hits.hits.map(({ _source }: Body) => _source))
      hashes.set(originals.get(id)!, { hash, version: versionOf(generation, id) });
  }
  return hashes;
}
