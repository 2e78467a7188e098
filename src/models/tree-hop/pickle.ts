/**
 * As much of Python's pickle as a PyTorch state dict needs: no code is run, and what is named there is only compared with a short list.
 *
 * A pickle is a program for a stack machine that may call any function of Python. Here three names stand for plain data - an ordered dictionary, a
 * tensor over a storage, a storage of floats - and every other name, like every other opcode, is refused.
 */
import { InputError } from '../../errors.ts';

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

interface Name {
  readonly kind: 'name';
  readonly name: string;
}

/** A tuple or list is an array, a dictionary a Map. */
export type Pickled = number | string | boolean | null | PickledTensor | PickledStorage | Name | Pickled[] | Map<Pickled, Pickled>;

const ORDERED_DICT = 'collections.OrderedDict';
const REBUILD_TENSOR = 'torch._utils._rebuild_tensor_v2';
const FLOAT_STORAGE = 'torch.FloatStorage';
const NAMES: readonly string[] = [ORDERED_DICT, REBUILD_TENSOR, FLOAT_STORAGE];

/** The value of a pickle. Throws `InputError('bad-pickle')`. */
export function readPickle(bytes: Uint8Array): Pickled {
  const machine = new Machine(bytes);
  for (;;) {
    const code = machine.byte();
    if (code === 0x2e) return machine.pop();
    const run = OPCODES[code];
    if (!run) throw bad('The opcode', 'one of those that a state dict needs', `0x${code.toString(16)} at ${machine.at - 1}`);
    run(machine);
  }
}

const MARK = Symbol('mark');

class Machine {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #stack: (Pickled | typeof MARK)[] = [];
  readonly memo: Map<number, Pickled> = new Map();
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Where the next so many bytes stand. */
  skip(length: number): number {
    const start = this.at;
    if (start + length > this.#bytes.length) throw bad('The pickle is cut short');
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
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(this.#bytes.subarray(start, start + length));
    } catch (cause) {
      throw new InputError('bad-pickle', 'A text is not UTF-8', { cause });
    }
  }

  line(): string {
    const end = this.#bytes.indexOf(0x0a, this.at);
    if (end < 0) throw bad('The pickle is cut short');
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
    if (value === undefined || value === MARK) throw bad('The pickle takes from an empty stack');
    return value;
  }

  popMany(count: number): Pickled[] {
    return Array.from({ length: count }, () => this.pop()).reverse();
  }

  /** What was pushed after the last mark, which goes too. */
  popToMark(): Pickled[] {
    const start = this.#stack.lastIndexOf(MARK);
    if (start < 0) throw bad('The pickle takes from an empty stack');
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
    if (value === undefined) throw bad(`The pickle recalls ${index}, which it never stored`);
    this.push(value);
  }
}

/** By code, with the names of Python's pickletools. */
const OPCODES: Readonly<Record<number, (machine: Machine) => void>> = {
  128: machine => checkProtocol(machine.byte()),
  // FRAME: a length that only helps to read ahead.
  149: machine => void machine.number('getBigInt64', 8),
  78: machine => machine.push(null),
  136: machine => machine.push(true),
  137: machine => machine.push(false),
  75: machine => machine.push(machine.byte()),
  77: machine => machine.push(machine.number('getUint16', 2)),
  74: machine => machine.push(machine.number('getInt32', 4)),
  138: machine => machine.push(machine.long()),
  71: machine => machine.push(machine.double()),
  88: machine => machine.push(machine.text(machine.number('getUint32', 4))),
  140: machine => machine.push(machine.text(machine.byte())),
  40: machine => machine.mark(),
  41: machine => machine.push([]),
  93: machine => machine.push([]),
  125: machine => machine.push(new Map()),
  116: machine => machine.push(machine.popToMark()),
  133: machine => machine.push(machine.popMany(1)),
  134: machine => machine.push(machine.popMany(2)),
  135: machine => machine.push(machine.popMany(3)),
  97: machine => append(machine.popMany(1), machine.peek()),
  101: machine => append(machine.popToMark(), machine.peek()),
  115: machine => setItems(machine.popMany(2), machine.peek()),
  117: machine => setItems(machine.popToMark(), machine.peek()),
  113: machine => machine.remember(machine.byte()),
  114: machine => machine.remember(machine.number('getUint32', 4)),
  148: machine => machine.remember(machine.memo.size),
  104: machine => machine.recall(machine.byte()),
  106: machine => machine.recall(machine.number('getUint32', 4)),
  99: machine => machine.push(nameOf(machine.line(), machine.line())),
  147: machine => machine.push(nameOf(...(machine.popMany(2) as [Pickled, Pickled]))),
  81: machine => machine.push(storageOf(machine.pop())),
  82: machine => machine.push(made(...(machine.popMany(2) as [Pickled, Pickled]))),
  // BUILD: attributes of a dictionary, PyTorch's version numbers among them, are not kept.
  98: machine => void machine.pop(),
};

function checkProtocol(version: number): void {
  if (version < 2 || version > 5) throw bad('The protocol of the pickle', 'from 2 to 5', String(version));
}

function nameOf(module: Pickled, attribute: Pickled): Name {
  if (typeof module !== 'string' || typeof attribute !== 'string') throw bad('A name in the pickle', 'two texts');
  const name = `${module}.${attribute}`;
  if (!NAMES.includes(name))
    throw new InputError('bad-pickle', `The pickle names "${name}"`, {
      expected: `only ${NAMES.join(', ')}`,
      hint: 'Nothing in it was run. Save the state dict of an f32 model alone: torch.save(model.state_dict(), path).',
    });
  return { kind: 'name', name };
}

const isName = (value: Pickled | undefined, name: string): boolean =>
  value instanceof Object && 'kind' in value && value.kind === 'name' && value.name === name;
const isCount = (value: Pickled | undefined): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const areCounts = (value: Pickled | undefined): value is number[] => Array.isArray(value) && value.every(isCount);

function append(values: readonly Pickled[], list: Pickled): void {
  if (!Array.isArray(list)) throw bad('The pickle appends to what is no list');
  for (const value of values) list.push(value);
}

function setItems(pairs: readonly Pickled[], dictionary: Pickled): void {
  if (!(dictionary instanceof Map) || pairs.length % 2 !== 0) throw bad('The pickle sets items of what is no dictionary');
  for (let i = 0; i < pairs.length; i += 2) {
    const key = pairs[i]!;
    if (dictionary.has(key)) throw bad('The pickle holds a key twice', undefined, typeof key === 'string' ? `"${key}"` : undefined);
    dictionary.set(key, pairs[i + 1]!);
  }
}

/** ('storage', FloatStorage, key, location, length) */
function storageOf(id: Pickled): PickledStorage {
  if (Array.isArray(id)) {
    const [word, type, key, , length] = id;
    if (word === 'storage' && isName(type, FLOAT_STORAGE) && typeof key === 'string' && isCount(length))
      return { kind: 'storage', key, length };
  }
  throw bad('A reference to a storage', "('storage', FloatStorage, key, location, length)");
}

function made(callee: Pickled, given: Pickled): Pickled {
  if (isName(callee, ORDERED_DICT) && Array.isArray(given) && given.length === 0) return new Map();
  if (isName(callee, REBUILD_TENSOR) && Array.isArray(given)) {
    const [storage, offset, size, stride] = given;
    if (isStorage(storage) && isCount(offset) && areCounts(size) && areCounts(stride) && size.length === stride.length)
      return { kind: 'tensor', storage, offset, size, stride };
  }
  throw bad('The pickle makes something', 'an empty OrderedDict, or a tensor from storage, offset, size and stride');
}

const isStorage = (value: Pickled | undefined): value is PickledStorage =>
  value instanceof Object && 'kind' in value && value.kind === 'storage';

function bad(message: string, expected?: string, received?: string): InputError {
  return new InputError('bad-pickle', message, {
    ...(expected === undefined ? {} : { expected }),
    ...(received === undefined ? {} : { received }),
  });
}
