/** Lists the documents of one state of an index, page by page. */
import type { Document } from '../../../core/corpus/document.ts';
import type { Call } from '../../../core/trace/call.ts';
import { checkPage, type PageRequest } from '../../../search/place.ts';
import { recordedDocument } from '../prepared-document.ts';
import { storedText } from '../stored-text.ts';
import type { Body } from './client.ts';
import { filterQuery } from './filter.ts';
import type { PointInTime } from './point-in-time.ts';

/** Returns documents ascending by id. */
export async function pageOf(
  point: PointInTime,
  page: PageRequest,
  call: Call,
): Promise<Document[]> {
  checkPage(page);
  const { filter, after, limit } = page;
  const within = [
    ...[point.visible, { term: { unit: 'document' } }],
    ...(filter ? [filterQuery(filter)] : []),
  ];
  const body = {
    query: { bool: { filter: within } },
    ...{ sort: [{ id: 'asc' }], size: limit, _source: ['record'] },
    ...(after === undefined ? {} : { search_after: [storedText(after)] }),
  };
  const [{ hits }] = await point.searches([body], call);
  return hits.hits.map(({ _source }: Body) => recordedDocument(_source.record, point.label));
}
