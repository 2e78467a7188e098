/**
 * Reads the part of Python's pickle that a PyTorch state dict uses: runs no code, and compares
 * names with a short list only.
 *
 * A pickle is a program for a stack machine that may call any function of Python. Here three names
 * stand for plain data - an ordered dictionary, a tensor over a storage, a storage of floats - and
 * every other name, like every other opcode, is refused.
 */
import { InputError } from '../../core/errors.ts';
import {
  badPickle,
  type Pickled,
  type PickledName,
  type PickledStorage,
  PickleMachine,
} from './pickle-machine.ts';

const ORDERED_DICT = 'collections.OrderedDict';
const REBUILD_TENSOR = 'torch._utils._rebuild_tensor_v2';
const FLOAT_STORAGE = 'torch.FloatStorage';
const NAMES: readonly string[] = [ORDERED_DICT, REBUILD_TENSOR, FLOAT_STORAGE];

/** The value of a pickle. Throws `InputError('bad-pickle')`. */
export function readPickle(bytes: Uint8Array): Pickled {
  const machine = new PickleMachine(bytes);
  for (;;) {
    const code = machine.byte();
    if (code === 0x2e) return machine.pop();
    const run = OPCODES[code];
    if (!run)
      throw badPickle(
        'The opcode',
        'one of those that a state dict needs',
        `0x${code.toString(16)} at ${machine.at - 1}`,
      );
    run(machine);
  }
}

/** By code; beside each its name in Python's pickletools. */
const OPCODES: Readonly<Record<number, (machine: PickleMachine) => void>> = {
  128: machine => checkProtocol(machine.byte()), // PROTO
  // A length that only helps to read ahead.
  149: machine => void machine.number('getBigInt64', 8), // FRAME
  78: machine => machine.push(null), // NONE
  136: machine => machine.push(true), // NEWTRUE
  137: machine => machine.push(false), // NEWFALSE
  75: machine => machine.push(machine.byte()), // BININT1
  77: machine => machine.push(machine.number('getUint16', 2)), // BININT2
  74: machine => machine.push(machine.number('getInt32', 4)), // BININT
  138: machine => machine.push(machine.long()), // LONG1
  71: machine => machine.push(machine.double()), // BINFLOAT
  88: machine => machine.push(machine.text(machine.number('getUint32', 4))), // BINUNICODE
  140: machine => machine.push(machine.text(machine.byte())), // SHORT_BINUNICODE
  40: machine => machine.mark(), // MARK
  41: machine => machine.push([]), // EMPTY_TUPLE
  93: machine => machine.push([]), // EMPTY_LIST
  125: machine => machine.push(new Map()), // EMPTY_DICT
  116: machine => machine.push(machine.popToMark()), // TUPLE
  133: machine => machine.push(machine.popMany(1)), // TUPLE1
  134: machine => machine.push(machine.popMany(2)), // TUPLE2
  135: machine => machine.push(machine.popMany(3)), // TUPLE3
  97: machine => append(machine.popMany(1), machine.peek()), // APPEND
  101: machine => append(machine.popToMark(), machine.peek()), // APPENDS
  115: machine => setItems(machine.popMany(2), machine.peek()), // SETITEM
  117: machine => setItems(machine.popToMark(), machine.peek()), // SETITEMS
  113: machine => machine.remember(machine.byte()), // BINPUT
  114: machine => machine.remember(machine.number('getUint32', 4)), // LONG_BINPUT
  148: machine => machine.remember(machine.memo.size), // MEMOIZE
  104: machine => machine.recall(machine.byte()), // BINGET
  106: machine => machine.recall(machine.number('getUint32', 4)), // LONG_BINGET
  99: machine => machine.push(nameOf(machine.line(), machine.line())), // GLOBAL
  // STACK_GLOBAL
  147: machine => machine.push(nameOf(...(machine.popMany(2) as [Pickled, Pickled]))),
  81: machine => machine.push(storageOf(machine.pop())), // BINPERSID
  82: machine => machine.push(made(...(machine.popMany(2) as [Pickled, Pickled]))), // REDUCE
  // Attributes of a dictionary, PyTorch's version numbers among them, are not kept.
  98: machine => void machine.pop(), // BUILD
};

function checkProtocol(version: number): void {
  if (version < 2 || version > 5)
    throw badPickle('The protocol of the pickle', 'from 2 to 5', String(version));
}

function nameOf(module: Pickled, attribute: Pickled): PickledName {
  if (typeof module !== 'string' || typeof attribute !== 'string')
    throw badPickle('A name in the pickle', 'two texts');
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
const isCount = (value: Pickled | undefined): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;
const areCounts = (value: Pickled | undefined): value is number[] =>
  Array.isArray(value) && value.every(isCount);

function append(values: readonly Pickled[], list: Pickled): void {
  if (!Array.isArray(list)) throw badPickle('The pickle appends to what is no list');
  for (const value of values) list.push(value);
}

function setItems(pairs: readonly Pickled[], dictionary: Pickled): void {
  if (!(dictionary instanceof Map) || pairs.length % 2 !== 0)
    throw badPickle('The pickle sets items of what is no dictionary');
  for (let i = 0; i < pairs.length; i += 2) {
    const key = pairs[i]!;
    if (dictionary.has(key))
      throw badPickle(
        'The pickle holds a key twice',
        undefined,
        typeof key === 'string' ? `"${key}"` : undefined,
      );
    dictionary.set(key, pairs[i + 1]!);
  }
}

/** ('storage', FloatStorage, key, location, length) */
function storageOf(id: Pickled): PickledStorage {
  if (Array.isArray(id)) {
    const [word, type, key, , length] = id;
    if (
      word === 'storage' &&
      isName(type, FLOAT_STORAGE) &&
      typeof key === 'string' &&
      isCount(length)
    )
      return { kind: 'storage', key, length };
  }
  throw badPickle('A reference to a storage', "('storage', FloatStorage, key, location, length)");
}

function made(callee: Pickled, args: Pickled): Pickled {
  if (isName(callee, ORDERED_DICT) && Array.isArray(args) && args.length === 0) return new Map();
  if (isName(callee, REBUILD_TENSOR) && Array.isArray(args)) {
    const [storage, offset, size, stride] = args;
    if (
      isStorage(storage) &&
      isCount(offset) &&
      areCounts(size) &&
      areCounts(stride) &&
      size.length === stride.length
    )
      return { kind: 'tensor', storage, offset, size, stride };
  }
  throw badPickle(
    'The pickle makes something',
    'an empty OrderedDict, or a tensor from storage, offset, size and stride',
  );
}

const isStorage = (value: Pickled | undefined): value is PickledStorage =>
  value instanceof Object && 'kind' in value && value.kind === 'storage';
