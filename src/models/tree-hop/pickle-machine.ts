/**
 * The stack machine of Python's pickle: bytes in, plain values on a stack and in a memo; it knows
 * no opcode.
 */
import { InputError } from '../../core/errors.ts';

/** A tensor as it stands in the pickle, before its storage is read. */
export interface PickledTensor {
  readonly kind: 'tensor';
  readonly storage: PickledStorage;
  readonly offset: number;
  readonly size: readonly number[];
  readonly stride: readonly number[];
}

export interface PickledStorage {
  readonly kind: 'storage';
  readonly key: string;
  /** In floats. */
  readonly length: number;
}

export interface PickledName {
  readonly kind: 'name';
  readonly name: string;
}

/** A tuple or list is an array, a dictionary a Map. */
export type Pickled =
  | number
  | string
  | boolean
  | null
  | PickledTensor
  | PickledStorage
  | PickledName
  | Pickled[]
  | Map<Pickled, Pickled>;

const MARK = Symbol('mark');

export class PickleMachine {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #stack: (Pickled | typeof MARK)[] = [];
  readonly memo: Map<number, Pickled> = new Map();
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Returns the position of the next so many bytes. */
  skip(length: number): number {
    const start = this.at;
    if (start + length > this.#bytes.length) throw badPickle('The pickle is cut short');
    this.at += length;
    return start;
  }

  byte(): number {
    return this.#bytes[this.skip(1)]!;
  }

  number(read: 'getUint16' | 'getUint32' | 'getInt32' | 'getBigInt64', length: number): number {
    return Number(this.#view[read](this.skip(length), true));
  }

  double(): number {
    return this.#view.getFloat64(this.skip(8), false);
  }

  /** Little-endian, two's complement. */
  long(): number {
    const length = this.byte();
    let value = 0n;
    for (let i = 0; i < length; i++) value |= BigInt(this.byte()) << BigInt(8 * i);
    return Number(BigInt.asIntN(8 * length, value));
  }

  text(length: number): string {
    const start = this.skip(length);
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
        this.#bytes.subarray(start, start + length),
      );
    } catch (cause) {
      throw new InputError('bad-pickle', 'A text is not UTF-8', { cause });
    }
  }

  line(): string {
    const end = this.#bytes.indexOf(0x0a, this.at);
    if (end < 0) throw badPickle('The pickle is cut short');
    const line = this.text(end - this.at);
    this.at++;
    return line;
  }

  push(value: Pickled): void {
    this.#stack.push(value);
  }

  mark(): void {
    this.#stack.push(MARK);
  }

  pop(): Pickled {
    const value = this.#stack.pop();
    if (value === undefined || value === MARK)
      throw badPickle('The pickle takes from an empty stack');
    return value;
  }

  popMany(count: number): Pickled[] {
    return Array.from({ length: count }, () => this.pop()).reverse();
  }

  /** Pops the values above the last mark, and the mark. */
  popToMark(): Pickled[] {
    const start = this.#stack.lastIndexOf(MARK);
    if (start < 0) throw badPickle('The pickle takes from an empty stack');
    return this.#stack.splice(start).slice(1) as Pickled[];
  }

  peek(): Pickled {
    const value = this.pop();
    this.push(value);
    return value;
  }

  remember(index: number): void {
    this.memo.set(index, this.peek());
  }

  recall(index: number): void {
    const value = this.memo.get(index);
    if (value === undefined) throw badPickle(`The pickle recalls ${index}, which it never stored`);
    this.push(value);
  }
}

export function badPickle(message: string, expected?: string, received?: string): InputError {
  return new InputError('bad-pickle', message, { expected, received });
}
