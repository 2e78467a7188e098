/** Reads catalogues of values page by page. */
import type { Call } from '../../core/trace/call.ts';
import type { Catalogue, FieldValue, ValuesRequest } from '../engine.ts';

const PAGE = 1000;

/** Yields the values of a field in the requested order; requests further pages as they are read. */
export async function* valuesOneByOne(
  engine: Catalogue,
  field: string,
  request: Omit<ValuesRequest, 'limit'>,
  call: Call,
  page: number = PAGE,
): AsyncGenerator<FieldValue, void, void> {
  let after = request.after;
  for (;;) {
    const values = await engine.values(field, { ...request, limit: page, after }, call);
    yield* values;
    if (values.length < page) return;
    after = values.at(-1)!;
  }
}

/** Returns all texts among the values of a field, most frequent first. */
export async function textValues(engine: Catalogue, field: string, call: Call): Promise<string[]> {
  const texts: string[] = [];
  for await (const { value } of valuesOneByOne(engine, field, {}, call))
    if (typeof value === 'string') texts.push(value);
  return texts;
}
