/**
 * PyTorch state dicts: a file made here byte by byte, every kind of damage, and nothing that is
 * run.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  called,
  dictionary,
  EMPTY,
  file,
  floats,
  named,
  pickle,
  storage,
  tensor,
  text,
  torchModel,
  tuple,
  u32,
  whole,
  zip,
} from '../../../test/torch-file.ts';
import { InputError } from '../../core/errors.ts';
import { mulberry32 } from '../../core/mulberry32.ts';
import { initialParameters, treeHopParameters } from './parameters.ts';
import { readStateDict } from './state-dict.ts';
import { crc32 } from './stored-zip.ts';

const SIX = { 0: floats(1, 2, 3, 4, 5, 6) };
const six = (offset: number, size: readonly number[], stride: readonly number[]): Uint8Array =>
  file(pickle(dictionary([['a', tensor(storage('0', 6), offset, size, stride)]])), SIX);

test('tensors: rows, a transposed one, a part of a storage, a single number, none', () => {
  const read = (...args: Parameters<typeof six>) => readStateDict(six(...args)).get('a');
  assert.deepEqual(read(0, [2, 3], [3, 1]), {
    shape: [2, 3],
    data: Float32Array.of(1, 2, 3, 4, 5, 6),
  });
  assert.deepEqual(read(0, [3, 2], [1, 3]), {
    shape: [3, 2],
    data: Float32Array.of(1, 4, 2, 5, 3, 6),
  });
  assert.deepEqual(read(2, [2], [2]), { shape: [2], data: Float32Array.of(3, 5) });
  assert.deepEqual(read(4, [1, 2], [99, 1]), { shape: [1, 2], data: Float32Array.of(5, 6) });
  assert.deepEqual(read(5, [], []), { shape: [], data: Float32Array.of(6) });
  assert.deepEqual(read(0, [0, 3], [3, 1]), { shape: [0, 3], data: new Float32Array(0) });
});

test('a TreeHop model, at any place in memory, its memo and its order kept', () => {
  const shape = { d: 3, g: 4, m: 5, nMlp: 1, heads: 2 };
  const parameters = initialParameters(shape, mulberry32(1));
  const bytes = torchModel(parameters);
  for (const shift of [0, 1, 3]) {
    const moved = new Uint8Array(bytes.length + shift);
    moved.set(bytes, shift);
    const tensors = readStateDict(moved.subarray(shift));
    assert.deepEqual([...tensors.keys()], [...parameters.tensors.keys()]);
    assert.deepEqual(treeHopParameters(tensors), parameters);
  }
});

test('opcodes of later protocols and of the memo', () => {
  const short = (value: string): Buffer =>
    Buffer.concat([Buffer.from([0x8c, value.length]), Buffer.from(value)]);
  const stackName = (module: string, name: string): Buffer =>
    Buffer.concat([short(module), short(name), Buffer.from([0x93])]);
  // PROTO 4, FRAME, OrderedDict by STACK_GLOBAL, MEMOIZE, one item by SETITEM whose sizes are a
  // LONG1, a BININT2 and come from the memo.
  const size = Buffer.concat([
    Buffer.from([0x8a, 1, 2]),
    Buffer.from([0x94]),
    Buffer.from([0x4d, 3, 0]),
    Buffer.from([0x86]),
  ]);
  const stride = Buffer.concat([whole(3), whole(1), Buffer.from([0x86])]);
  const args = Buffer.concat([
    Buffer.from('('),
    storage('0', 6),
    whole(0),
    size,
    stride,
    Buffer.from([0x89]),
    EMPTY,
    Buffer.from('t'),
  ]);
  const value = called(stackName('torch._utils', '_rebuild_tensor_v2'), args);
  const frame = Buffer.concat([Buffer.from([0x95]), Buffer.alloc(8)]);
  const body = Buffer.concat([
    called(stackName('collections', 'OrderedDict'), Buffer.from(')')),
    Buffer.from([0x94]),
    short('a'),
    value,
    Buffer.from('s'),
  ]);
  const bytes = file(Buffer.concat([Buffer.from([0x80, 4]), frame, body, Buffer.from('.')]), SIX);
  assert.deepEqual(readStateDict(bytes).get('a'), {
    shape: [2, 3],
    data: Float32Array.of(1, 2, 3, 4, 5, 6),
  });
  // BINPUT, LONG_BINPUT, BINGET, LONG_BINGET: one tensor under two names.
  const put = Buffer.concat([Buffer.from([0x71, 9]), Buffer.from('r'), u32(300)]);
  const shared = Buffer.concat([
    EMPTY,
    text('a'),
    tensor(storage('0', 6), 0, [2], [1]),
    put,
    Buffer.from('s'),
    text('b'),
    Buffer.from([0x68, 9]),
    Buffer.from('s'),
  ]);
  const third = Buffer.concat([text('c'), Buffer.from('j'), u32(300), Buffer.from('s')]);
  assert.deepEqual(
    [...readStateDict(file(pickle(shared, third), SIX)).values()],
    Array(3).fill({ shape: [2], data: Float32Array.of(1, 2) }),
  );
});

describe('refuses other files than state dicts of f32, with the fault', () => {
  const vector = tensor(storage('0', 6), 0, [6], [1]);
  const good = pickle(dictionary([['a', vector]]));
  const run = called(named('os', 'system'), tuple(text('echo run')));
  /** 400 names of a transposed tensor, each of which would be a copy of it. */
  const many = (): Uint8Array => {
    const first = Buffer.concat([
      tensor(storage('0', 400), 0, [20, 20], [1, 20]),
      Buffer.from([0x71, 9]),
    ]);
    const names = Array.from({ length: 400 }, (_, i): [string, Buffer] => [
      `t${i}`,
      i === 0 ? first : Buffer.from([0x68, 9]),
    ]);
    return file(pickle(dictionary(names)), { 0: new Uint8Array(1600) });
  };
  const half = tensor(storage('0', 6, named('torch', 'HalfStorage')), 0, [6], [1]);
  const wrong: readonly (readonly [
    what: string,
    bytes: Uint8Array,
    code: string,
    message: RegExp,
  ])[] = [
    [
      'a call of any function',
      file(pickle(run)),
      'bad-pickle',
      /names "os.system".*Nothing in it was run/,
    ],
    [
      'a builtin',
      file(pickle(called(named('builtins', 'eval'), tuple(text('1'))))),
      'bad-pickle',
      /"builtins.eval"/,
    ],
    [
      'half precision',
      file(pickle(dictionary([['a', half]])), SIX),
      'bad-pickle',
      /"torch.HalfStorage"/,
    ],
    [
      'a whole model',
      file(pickle(named('__main__', 'TreeHop'))),
      'bad-pickle',
      /"__main__.TreeHop"/,
    ],
    ['an opcode of another kind', file(pickle(Buffer.from('\x81'))), 'bad-pickle', /opcode/],
    ['an old protocol', file(Buffer.from([0x80, 1, 0x2e])), 'bad-pickle', /protocol.*received 1/],
    ['no end', file(good.subarray(0, -1), SIX), 'bad-pickle', /cut short/],
    ['nothing on the stack', file(pickle()), 'bad-pickle', /empty stack/],
    ['a memo that is not there', file(pickle(Buffer.from([0x68, 7]))), 'bad-pickle', /recalls 7/],
    [
      'a key twice',
      file(
        pickle(
          dictionary([
            ['a', vector],
            ['a', vector],
          ]),
        ),
        SIX,
      ),
      'bad-pickle',
      /twice.*"a"/,
    ],
    ['a list', file(pickle(Buffer.from(']'))), 'bad-state-dict', /a dictionary/],
    [
      'a number among the tensors',
      file(pickle(dictionary([['epoch', whole(3)]]))),
      'bad-state-dict',
      /"epoch".*a tensor/,
    ],
    [
      'a number for a name',
      file(pickle(Buffer.concat([EMPTY, whole(1), vector, Buffer.from('s')])), SIX),
      'bad-state-dict',
      /a text/,
    ],
    ['a storage that is not there', file(good), 'bad-state-dict', /storage "0".*24 bytes.*none/],
    [
      'a storage of another size',
      file(good, { 0: floats(1) }),
      'bad-state-dict',
      /24 bytes, received 4/,
    ],
    [
      'a tensor beyond its storage',
      six(1, [6], [1]),
      'bad-state-dict',
      /within its storage of 6.*6 up to 6/,
    ],
    ['strides beyond it', six(0, [2, 2], [5, 2]), 'bad-state-dict', /within its storage/],
    [
      'strides of 0',
      six(0, [3, 4], [0, 0]),
      'bad-state-dict',
      /within its storage of 6.*12 up to 0/,
    ],
    [
      'big-endian numbers',
      zip([
        { name: 'x/data.pkl', data: good },
        { name: 'x/byteorder', data: Buffer.from('big') },
      ]),
      'bad-state-dict',
      /byte order/,
    ],
    ['one tensor under many names', many(), 'bad-state-dict', /at most the .* numbers of the file/],
    ['no pickle', zip([{ name: 'x/y', data: good }]), 'bad-state-dict', /data.pkl.*0/],
    [
      'two pickles',
      file(good, SIX, [{ name: 'more/data.pkl', data: good }]),
      'bad-state-dict',
      /data.pkl.*2/,
    ],
    ['no ZIP', good, 'bad-zip', /no ZIP archive/],
    ['a ZIP cut short', file(good, SIX).subarray(0, -1), 'bad-zip', /no ZIP archive/],
    [
      'a compressed entry',
      zip([{ name: 'x/data.pkl', data: good, method: 8 }]),
      'bad-zip',
      /"x\/data.pkl" is compressed.*stored.*method 8/,
    ],
    [
      'an encrypted entry',
      zip([{ name: 'x/data.pkl', data: good, flags: 1 }]),
      'bad-zip',
      /encrypted/,
    ],
    [
      'an entry twice',
      file(good, SIX, [{ name: 'tiny/version', data: good }]),
      'bad-zip',
      /"tiny\/version" twice/,
    ],
  ];
  for (const [what, bytes, code, message] of wrong)
    test(what, () => assert.throws(() => readStateDict(bytes), { code, message }));

  test('overlapping entries', () => {
    const bytes = six(0, [6], [1]);
    // The size of the last entry in the directory, made the size of the file.
    const at = Buffer.from(bytes).lastIndexOf(u32(0x02014b50));
    bytes.set(u32(bytes.length), at + 20);
    bytes.set(u32(bytes.length), at + 24);
    assert.throws(() => readStateDict(bytes), { code: 'bad-zip', message: /lie over each other/ });
  });

  test('a changed number', () => {
    const bytes = six(0, [6], [1]);
    const at = Buffer.from(bytes).indexOf(Buffer.from(SIX[0]));
    bytes[at + 2]! ^= 1;
    assert.throws(() => readStateDict(bytes), {
      code: 'bad-zip',
      message: /"tiny\/data\/0" is damaged/,
    });
  });
});

test('a comment after the archive, and the checksum of ZIP', () => {
  const bytes = zip([{ name: 'x/data.pkl', data: pickle(dictionary([])) }], 'made by hand');
  assert.equal(readStateDict(bytes).size, 0);
  // The check value of CRC-32: the digits 1 to 9.
  assert.equal(crc32(Buffer.from('123456789')), 0xcbf43926);
});

test('reads or refuses truncated, changed and random bytes', () => {
  const whole = six(0, [2, 3], [3, 1]);
  const body = pickle(dictionary([['a', tensor(storage('0', 6), 0, [6], [1])]]));
  const damaged$ = fc.oneof(
    fc.nat({ max: whole.length }).map(length => whole.slice(0, length)),
    fc
      .tuple(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 255 }))
      .map(([at, value]) => whole.with(at, value)),
    fc.uint8Array({ maxLength: 60 }).map(bytes => file(Buffer.from(bytes))),
    // Its checksum right, so that the pickle itself is reached.
    fc
      .array(fc.tuple(fc.nat({ max: body.length - 1 }), fc.nat({ max: 255 })), { maxLength: 3 })
      .map(changes =>
        file(
          Buffer.from(
            changes.reduce((bytes, [at, value]) => bytes.with(at, value), Uint8Array.from(body)),
          ),
          SIX,
        ),
      ),
  );
  fc.assert(
    fc.property(damaged$, bytes => {
      try {
        readStateDict(bytes);
      } catch (error) {
        assert.ok(InputError.is(error), String(error));
      }
    }),
    { numRuns: 1500 },
  );
});
