/**
 * Packs the events of one trace into fewer characters of JSON: texts, long numbers and flat values
 * that the trace has had are written as references, and lists of objects as keys and rows.
 *
 * A packed text that begins with `~` is one of these, N being the number of a value in base 36, in
 * the order in which values were first written:
 * - `~N`: the value N;
 * - `~N:LENGTH:REST`: the first LENGTH characters of the text N, then REST;
 * - `~N<LEAD`: LEAD, then the whole text N;
 * - `~`: the last text that held a `#`, up to that, which is a document's id beside that of a part;
 * - `~#REST`: the same, then #REST;
 * - `~~TEXT`: the text `~TEXT`;
 * - `~=`, as a key: the key `=`.
 *
 * `{ "=": KEYS, "rows": [[...], ...] }` is a list of objects with these keys. KEYS is a list, or
 * the number of an earlier one; where objects differ in keys it is a list of both, and a row begins
 * with its index in that. `"same": { INDEX: VALUE }` holds the values that all rows share and leave
 * out.
 */
import {
  hasRows,
  isList,
  isLongKey,
  isObject,
  type Json,
  type JsonObject,
  KEYS,
  LEAST_ROWS,
  MARK,
  ROWS,
  SAME,
  tableKey,
  wholeOf,
} from './packed-table.ts';

/** Characters by which texts with a common beginning are found, and the least that pays. */
const BEGINNING = 8;
const LEAST_SHARED = 10;
/** The shortest text that is found as the end of another. */
const LEAST_END = 20;

export class Packer {
  private readonly numbers = new Map<string, number>();
  private readonly shapes = new Map<string, number>();
  /** Texts by their beginning, with their numbers; and those that may be the end of others. */
  private readonly beginnings = new Map<string, [text: string, number: number][]>();
  private readonly ends: [text: string, number: number][] = [];
  private whole: string | undefined;

  pack(value: Json): Json {
    if (typeof value === 'string') return this.text(value);
    const key = tableKey(value);
    const known = key === undefined ? undefined : this.numbers.get(key);
    if (known !== undefined) return `${MARK}${known.toString(36)}`;
    const packed = this.parts(value);
    if (key !== undefined) this.add(key);
    return packed;
  }

  private parts(value: Json): Json {
    if (isList(value))
      return hasRows(value) ? this.rows(value) : value.map(part => this.pack(part));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [this.key(key), this.pack(part)]),
    );
  }

  private key(key: string): string {
    if (key === KEYS) return `${MARK}${key}`;
    return isLongKey(key) ? this.text(key) : escaped(key);
  }

  private rows(list: readonly JsonObject[]): Json {
    const known = new Map<string, number>();
    const shapes: Json[] = [];
    const indexes = list.map(item => {
      const keys = Object.keys(item);
      const name = JSON.stringify(keys);
      const index = known.get(name) ?? known.size;
      if (index === known.size) {
        known.set(name, index);
        shapes.push(this.shapes.get(name) ?? keys);
        if (!this.shapes.has(name)) this.shapes.set(name, this.shapes.size);
      }
      return index;
    });
    if (shapes.length > 1) {
      const rows = list.map((item, at) => [indexes[at]!, ...this.values(item)]);
      return { [KEYS]: shapes, [ROWS]: rows };
    }
    const same = sharedValues(list);
    const packed = Object.fromEntries([...same].map(([at, value]) => [at, this.pack(value)]));
    const rows = list.map(item => this.values(item, same));
    if (same.size === 0) return { [KEYS]: shapes[0]!, [ROWS]: rows };
    return { [KEYS]: shapes[0]!, [SAME]: packed, [ROWS]: rows };
  }

  private values(item: JsonObject, same: ReadonlyMap<number, Json> = new Map()): Json[] {
    const others = Object.values(item).filter((_, at) => !same.has(at));
    return others.map(value => this.pack(value));
  }

  private text(text: string): string {
    const key = tableKey(text);
    const before = this.whole;
    if (key === undefined) return text === before ? MARK : escaped(text);
    const whole = wholeOf(text);
    this.whole = whole ?? before;
    const known = this.numbers.get(key);
    if (text === before) {
      if (known === undefined) this.enter(key, text);
      return MARK;
    }
    if (known !== undefined) return `${MARK}${known.toString(36)}`;
    const part =
      whole !== undefined && whole === before ? `${MARK}${text.slice(whole.length)}` : undefined;
    const packed = part ?? this.byEnd(text) ?? this.byBeginning(text) ?? escaped(text);
    this.enter(key, text);
    return packed;
  }

  private enter(key: string, text: string): void {
    const number = this.add(key);
    if (text.length >= LEAST_END) this.ends.push([text, number]);
    const beginning = text.slice(0, BEGINNING);
    const others = this.beginnings.get(beginning);
    if (others) others.push([text, number]);
    else this.beginnings.set(beginning, [[text, number]]);
  }

  private byEnd(text: string): string | undefined {
    if (text.length <= LEAST_END) return undefined;
    const found = this.ends.find(([end]) => end.length < text.length && text.endsWith(end));
    return found && `${MARK}${found[1].toString(36)}<${text.slice(0, -found[0].length)}`;
  }

  private byBeginning(text: string): string | undefined {
    let [most, number] = [LEAST_SHARED - 1, -1];
    for (const [other, at] of this.beginnings.get(text.slice(0, BEGINNING)) ?? []) {
      const shared = sharedBeginning(text, other);
      if (shared > most) [most, number] = [shared, at];
    }
    return number < 0 ? undefined : `${MARK}${number.toString(36)}:${most}:${text.slice(most)}`;
  }

  private add(key: string): number {
    const number = this.numbers.size;
    this.numbers.set(key, number);
    return number;
  }
}

/** Returns the values that all objects of a list with the same keys share, by index. */
function sharedValues(list: readonly JsonObject[]): Map<number, Json> {
  if (list.length < LEAST_ROWS) return new Map();
  const [first, ...rest] = list.map(item => Object.values(item));
  return new Map(
    first!.entries().filter(([at, value]) => rest.every(values => isEqual(values[at]!, value))),
  );
}

const isEqual = (a: Json, b: Json): boolean =>
  a === b ||
  (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));

const escaped = (text: string): string => (text.startsWith(MARK) ? `${MARK}${text}` : text);

/** Returns the number of code units with which both begin, without half of a surrogate pair. */
function sharedBeginning(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  const last = a.charCodeAt(at - 1);
  return last >= 0xd800 && last <= 0xdbff ? at - 1 : at;
}
