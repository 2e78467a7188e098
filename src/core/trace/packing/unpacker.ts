/** Unpacks the events of one trace, in their order; the inverse of `Packer`. */
import {
  isList,
  isLongKey,
  isObject,
  type Json,
  type JsonObject,
  KEYS,
  MARK,
  ROWS,
  SAME,
  tableKey,
  wholeOf,
} from './packed-table.ts';

/** Thrown for a value that no `Packer` writes. */
export class UnpackError extends Error {
  constructor(packed: unknown) {
    super(`Not a packed value: ${JSON.stringify(packed)}`);
    this.name = 'UnpackError';
  }
}

const REFERENCE = /^~([0-9a-z]{1,8})(?:(<)|:([0-9]{1,9}):|$)/;

export class Unpacker {
  private readonly values: Json[] = [];
  private readonly texts = new Set<string>();
  private readonly shapes: (readonly string[])[] = [];
  private whole: string | undefined;

  /** Throws `UnpackError` for a value that refers to nothing. */
  unpack(packed: Json): Json {
    if (typeof packed === 'string') return this.reference(packed);
    return this.added(this.parts(packed));
  }

  private parts(packed: Json): Json {
    if (isList(packed)) return packed.map(part => this.unpack(part));
    if (!isObject(packed)) return packed;
    if (Object.hasOwn(packed, KEYS)) return this.rows(packed);
    return Object.fromEntries(
      Object.entries(packed).map(([key, part]) => [this.key(key), this.unpack(part)]),
    );
  }

  private key(packed: string): string {
    if (packed === `${MARK}${KEYS}`) return KEYS;
    // Short keys are names of fields, which the table does not hold.
    const written = packed.startsWith(MARK + MARK) ? packed.slice(1) : packed;
    if ((written !== packed || !packed.startsWith(MARK)) && !isLongKey(written)) return written;
    const key = this.reference(packed);
    if (typeof key !== 'string') throw new UnpackError(packed);
    return key;
  }

  private rows({ [KEYS]: shape, [SAME]: same = {}, [ROWS]: rows }: JsonObject): Json {
    if (shape === undefined || rows === undefined || !isList(rows) || !isObject(same))
      throw new UnpackError(shape);
    const several = isList(shape) && typeof shape[0] !== 'string';
    const shapes = (several ? shape : [shape]).map(part => this.shape(part));
    const shared = Object.entries(same).map(([at, value]): [string, Json] => {
      const key = several ? undefined : shapes[0]![Number(at)];
      if (key === undefined) throw new UnpackError(same);
      return [key, this.unpack(value)];
    });
    return rows.map(row => {
      if (!isList(row)) throw new UnpackError(row);
      const keys = shapes[several ? Number(row[0]) : 0] ?? [];
      return this.object(keys, several ? row.slice(1) : row, new Map(shared));
    });
  }

  private object(
    keys: readonly string[],
    values: readonly Json[],
    shared: ReadonlyMap<string, Json>,
  ): Json {
    const left = values.values();
    const object = Object.fromEntries(
      keys.map(key => {
        if (shared.has(key)) return [key, shared.get(key)!];
        const { value, done } = left.next();
        if (done) throw new UnpackError(values);
        return [key, this.unpack(value)];
      }),
    );
    if (!left.next().done || keys.length === 0) throw new UnpackError(values);
    return object;
  }

  private shape(packed: Json): readonly string[] {
    const known = typeof packed === 'number' ? this.shapes[packed] : packed;
    if (!isList(known ?? null) || !(known as readonly Json[]).every(key => typeof key === 'string'))
      throw new UnpackError(packed);
    if (typeof packed !== 'number') this.shapes.push(known as readonly string[]);
    return known as readonly string[];
  }

  /** Adds a value that was not written as a reference, if the table holds it. */
  private added(value: Json): Json {
    if (tableKey(value) === undefined) return value;
    this.values.push(value);
    if (typeof value === 'string') this.texts.add(value);
    return value;
  }

  /** Returns what a packed text stands for. */
  private reference(packed: string): Json {
    const before = this.whole;
    const value = this.resolved(packed, before);
    if (typeof value !== 'string' || tableKey(value) === undefined) return value;
    this.whole = wholeOf(value) ?? before;
    // A document's id is written as such also where it is known.
    if (packed === MARK && !this.texts.has(value)) this.added(value);
    return value;
  }

  private resolved(packed: string, before: string | undefined): Json {
    if (packed === MARK || packed.startsWith(`${MARK}#`)) {
      if (before === undefined) throw new UnpackError(packed);
      return packed === MARK ? before : this.added(before + packed.slice(1));
    }
    if (!packed.startsWith(MARK)) return this.added(packed);
    if (packed.startsWith(MARK + MARK)) return this.added(packed.slice(1));
    const [whole, number, end, length] = REFERENCE.exec(packed) ?? [];
    const value = number === undefined ? undefined : this.values[Number.parseInt(number, 36)];
    if (whole === undefined || value === undefined) throw new UnpackError(packed);
    if (whole === packed && end === undefined && length === undefined) return value;
    if (typeof value !== 'string') throw new UnpackError(packed);
    const rest = packed.slice(whole.length);
    return this.added(end === undefined ? value.slice(0, Number(length)) + rest : rest + value);
  }
}
