/** Shortens a record to a length, and says what it left out. */

/** A list, a text or a table of fields that may be shortened. */
export interface Cut {
  /** Names of fields from the record down. */
  readonly path: readonly string[];
  /** Says how the rest can be read. */
  readonly readOn: string;
  /** Items, characters or fields that stay; none if undefined. */
  readonly least?: number;
}

export interface LeftOut {
  readonly field: string;
  readonly left: number;
  readonly of: number;
  readonly readOn: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Longest text where nothing else can give way. */
const LONG_TEXT = 4096;
/** UTF-16 units that the list of what was left out may take. */
const LIST_SIZE = 2048;

export const sizeOf = (value: unknown): number => JSON.stringify(value).length;

/**
 * Returns the record with at most `most` UTF-16 units of JSON; `cuts` give way in their order, and
 * after them all texts alike. `leftOut` names each.
 */
export function boundedRecord(fields: Fields, cuts: readonly Cut[], most: number): Fields {
  if (sizeOf(fields) <= most) return fields;
  const room = Math.max(0, most - LIST_SIZE);
  const leftOut: LeftOut[] = [];
  let shown = fields;
  for (const cut of cuts) {
    if (sizeOf(shown) <= room) break;
    const value = valueAt(shown, cut.path);
    if (!isLong(value)) continue;
    const of = lengthOf(value);
    const left = shortened(shown, cut, value, room);
    if (left === of) continue;
    shown = replaced(shown, cut.path, shortTo(value, left));
    leftOut.push({ field: cut.path.join('.'), left, of, readOn: cut.readOn });
  }
  for (let limit = LONG_TEXT; sizeOf(shown) > room && limit >= 16; limit /= 2)
    shown = withShortTexts(shown, limit) as Fields;
  return leftOut.length > 0 ? { ...shown, leftOut } : shown;
}

/** Returns the largest length of the value with which the record fits, by binary search. */
function shortened(fields: Fields, { path, least = 0 }: Cut, value: Long, room: number): number {
  const most = lengthOf(value);
  let [low, high] = [Math.min(least, most), most];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (sizeOf(replaced(fields, path, shortTo(value, middle))) <= room) low = middle;
    else high = middle - 1;
  }
  return typeof value === 'string' ? wholeCharacters(value, low) : low;
}

type Long = string | readonly unknown[] | Fields;

const isLong = (value: unknown): value is Long =>
  typeof value === 'string' || (typeof value === 'object' && value !== null);

const lengthOf = (value: Long): number =>
  typeof value === 'string' || Array.isArray(value) ? value.length : Object.keys(value).length;

const shortTo = (value: Long, length: number): unknown =>
  typeof value === 'string' || Array.isArray(value)
    ? value.slice(0, length)
    : Object.fromEntries(Object.entries(value).slice(0, length));

/** Moves an offset that lies inside a surrogate pair to its begin. */
export function wholeCharacters(text: string, offset: number): number {
  const inside = offset > 0 && offset < text.length && /[\uD800-\uDBFF]/.test(text[offset - 1]!);
  return inside && /[\uDC00-\uDFFF]/.test(text[offset]!) ? offset - 1 : offset;
}

const valueAt = (fields: Fields, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Fields | null | undefined)?.[name], fields);

function replaced(fields: Fields, [name, ...rest]: readonly string[], value: unknown): Fields {
  const inner = rest.length > 0 ? replaced(fields[name!] as Fields, rest, value) : value;
  return { ...fields, [name!]: inner };
}

/** Cuts every text of the value, names of fields too. */
function withShortTexts(value: unknown, limit: number): unknown {
  if (typeof value === 'string')
    return value.length > limit ? `${value.slice(0, wholeCharacters(value, limit - 1))}…` : value;
  if (Array.isArray(value)) return value.map(item => withShortTexts(item, limit));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.slice(0, limit),
      withShortTexts(inner, limit),
    ]),
  );
}
