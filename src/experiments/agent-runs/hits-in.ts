/**
 * Finds hits in the result of a tool, whatever its shape: a list of objects with texts or ids, at
 * any place in the result; else the text of the result as a whole.
 */
import { defined } from '../../core/defined.ts';
import { parseJson } from '../../core/text/bounded-json.ts';
import { type AgentHit, type Fields, fieldsOf, isFields, listOf, textOf } from './agent-run.ts';

const TEXTS = ['text', 'content', 'pageContent', 'page_content', 'passage', 'snippet', 'body'];
const IDS = ['document', 'documentId', 'document_id', 'docId', 'doc_id', 'id', 'url', 'uri'];
/** A file or an address; an id says more. */
const SOURCES = ['source', 'path', 'file', 'filename'];
const TITLES = ['title', 'name'];
const SCORES = ['score', 'relevance', 'similarity'];

/** Lists and objects that are opened inside each other. */
const DEPTH = 8;

/** Tells if a result, or the message that holds it, says that the tool failed. */
export function isFailure(result: unknown): boolean {
  const { isError, is_error: snake, status, type } = fieldsOf(result);
  const said = [status, type].some(one => typeof one === 'string' && /^error\b/.test(one));
  return isError === true || snake === true || said;
}

/** Returns the hits of a result in its order; none of a failure, whatever its message holds. */
export function hitsIn(result: unknown): AgentHit[] {
  if (isFailure(result)) return [];
  const listed = listedHits(result, DEPTH);
  if (listed.length > 0) return listed;
  const text = plainText(result).trim();
  return text === '' ? [] : [{ text }];
}

function listedHits(value: unknown, depth: number): AgentHit[] {
  if (depth === 0) return [];
  if (typeof value === 'string') {
    const inner = jsonIn(value);
    return inner === undefined ? [] : listedHits(inner, depth - 1);
  }
  if (Array.isArray(value)) {
    // Parts of a message: the texts inside may be JSON, and are no hits by themselves.
    if (value.some(isPart)) return value.flatMap(part => listedHits(partText(part), depth - 1));
    const hits = value.flatMap(item => hitOf(item) ?? []);
    return hits.length > 0 ? hits : joinedHits(hitsOfEach(value, depth));
  }
  if (!isFields(value)) return [];
  const single = hitOf(value);
  const lists = hitsOfEach(Object.values(value).filter(isNested), depth);
  // Records list citations, and names of hits, beside the evidence that they are of.
  const inside = joinedHits(
    lists.toSorted((a, b) => textsIn(b) - textsIn(a) || b.length - a.length),
  );
  return single && (inside.length === 0 || (single.text && textsIn(inside) === 0))
    ? [single]
    : inside;
}

const hitsOfEach = (values: readonly unknown[], depth: number): AgentHit[][] =>
  values.map(value => listedHits(value, depth - 1));

const textsIn = (hits: readonly AgentHit[]): number => hits.filter(hit => hit.text).length;

/**
 * Returns the first list, and what others add to it: an agent sees the texts of all. Of lists
 * without any text only the longest counts, since facets and names look the same.
 */
function joinedHits(lists: readonly AgentHit[][]): AgentHit[] {
  const worded = lists.filter(hits => textsIn(hits) > 0);
  if (worded.length === 0)
    return lists.reduce((best, hits) => (hits.length > best.length ? hits : best), []);
  const [first, ...others] = worded;
  const joined = [...first!];
  const texts = Map.groupBy(joined, nameOf);
  for (const hit of others.flat()) {
    const known = texts.get(nameOf(hit)) ?? [];
    if (known.some(({ text }) => text?.includes(hit.text ?? ''))) continue;
    texts.set(nameOf(hit), [...known, hit]);
    joined.push(hit);
  }
  return joined;
}

const nameOf = ({ document, title }: AgentHit): string => document ?? title ?? '';

const isNested = (value: unknown): boolean =>
  typeof value === 'object' || (typeof value === 'string' && jsonIn(value) !== undefined);

/** Returns what an object says as a hit: it needs an id, or a text beside another field. */
function hitOf(item: unknown): AgentHit | undefined {
  if (!isFields(item) || isPart(item)) return undefined;
  // Retrievers of LangChain and LlamaIndex keep id and title in the metadata.
  const inner = fieldsOf(item['document'] ?? item['node']);
  const places: Fields[] = [item, inner, fieldsOf(item['metadata']), fieldsOf(inner['metadata'])];
  const first = (names: readonly string[]): string | undefined =>
    places.map(place => textOf(place, ...names)).find(found => found !== undefined);
  // Evidence of multihop names its passage by an id beside the texts.
  const text = wordsIn(item['texts']) ?? first(TEXTS) ?? wordsIn(item['quotes']);
  const document = first(IDS) ?? first(SOURCES);
  const title = first(TITLES);
  if (document === undefined && (text === undefined || title === undefined)) return undefined;
  if (text === undefined && title === undefined && !hasScore(item)) return undefined;
  return defined<AgentHit>({ document, title, text, score: scoreOf(item) });
}

/** Returns the texts of a list of quotes; undefined if there is none. */
function wordsIn(quotes: unknown): string | undefined {
  const texts = listOf(quotes).flatMap(quote => textOf(quote, 'text') ?? []);
  return texts.length > 0 ? texts.join('\n') : undefined;
}

const scoreOf = (item: Fields): number | undefined =>
  SCORES.map(name => item[name]).find(score => Number.isFinite(score)) as number | undefined;

const hasScore = (item: Fields): boolean => scoreOf(item) !== undefined;

/** Tells if a value is a part of a message: `{ type: 'text', text }` and the like. */
const isPart = (value: unknown): boolean =>
  isFields(value) && typeof value['type'] === 'string' && partText(value) !== undefined;

function partText(part: unknown): unknown {
  const { type, text, content, value, output } = fieldsOf(part);
  if (typeof type !== 'string' || !/^(?:\w+_)?(?:text|json|content|resource)$/.test(type))
    return undefined;
  return text ?? content ?? value ?? output;
}

/** Returns the value of a text that is JSON of a list or an object. */
function jsonIn(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Returns all texts of a message or a result, in their order. */
export function plainText(value: unknown, depth: number = DEPTH): string {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (depth === 0) return '';
  if (Array.isArray(value))
    return value
      .map(item => plainText(item, depth - 1))
      .filter(text => text !== '')
      .join('\n');
  const fields = fieldsOf(value);
  for (const name of ['text', 'content', 'parts', 'value', 'output', 'result'])
    if (fields[name] !== undefined) return plainText(fields[name], depth - 1);
  // A part of another type, such as a picture, has no words.
  if (!isFields(value) || 'type' in value || Object.keys(value).length === 0) return '';
  return JSON.stringify(value).toWellFormed();
}

const QUERIES = ['query', 'question', 'q', 'search', 'input', 'text', 'pattern', 'id', 'path'];

/** Returns the query of a call's arguments, which may be JSON as a text. */
export function queryIn(input: unknown): string | undefined {
  const value = typeof input === 'string' ? (jsonIn(input) ?? input) : input;
  if (typeof value === 'string') return value.toWellFormed();
  const named = textOf(value, ...QUERIES);
  if (named !== undefined || !isFields(value)) return named;
  return Object.values(value).find(inner => typeof inner === 'string') as string | undefined;
}
