/**
 * The tensors of a PyTorch state dict (`.pt`): a ZIP archive with a pickle of names and shapes, and
 * the numbers in files of their own.
 */
import { InputError } from '../../core/errors.ts';
import { floatsOf } from '../safetensors/safetensors.ts';
import { elementsOf, type Tensor } from '../safetensors/tensor.ts';
import { readPickle } from './pickle.ts';
import type { Pickled, PickledTensor } from './pickle-machine.ts';
import { readStoredZip } from './stored-zip.ts';

const PICKLE = '/data.pkl';

/**
 * Tensors of f32 by name, copies where they do not stand row by row. Nothing in the file is run.
 * Throws `InputError`: 'bad-zip' and 'bad-pickle' for what cannot be read, 'bad-state-dict' for
 * what is no dictionary of tensors.
 */
export function readStateDict(bytes: Uint8Array): Map<string, Tensor> {
  const files = readStoredZip(bytes);
  const pickles = [...files.keys()].filter(name => name.endsWith(PICKLE));
  if (pickles.length !== 1) throw bad('The archive', `one file "…${PICKLE}"`, `${pickles.length}`);
  const root = pickles[0]!.slice(0, -PICKLE.length);
  const order = files.get(`${root}/byteorder`);
  if (order && new TextDecoder().decode(order) !== 'little')
    throw bad('The byte order', 'little', new TextDecoder().decode(order));
  const value = readPickle(files.get(pickles[0]!)!);
  if (!(value instanceof Map)) throw bad('The pickle', 'a dictionary of tensors');
  const tensors = new Map(
    [...value].map(([name, tensor]) => [checkedName(name), checkedTensor(name, tensor)]),
  );
  // Tensors may share a storage, and copies of one could fill any memory.
  const numbers = [...tensors.values()].reduce((sum, { size }) => sum + elementsOf(size), 0);
  if (numbers * 4 > bytes.length)
    throw bad(
      'The tensors',
      `at most the ${Math.floor(bytes.length / 4)} numbers of the file`,
      String(numbers),
    );
  return new Map(
    [...tensors].map(([name, tensor]) => [
      name,
      tensorOf(name, tensor, files.get(`${root}/data/${tensor.storage.key}`)),
    ]),
  );
}

function checkedName(name: Pickled): string {
  if (typeof name === 'string') return name;
  throw bad('A key of the dictionary', 'a text');
}

function checkedTensor(name: Pickled, value: Pickled): PickledTensor {
  if (value instanceof Object && 'kind' in value && value.kind === 'tensor') return value;
  throw bad(
    `The value of "${name}"`,
    'a tensor',
    undefined,
    'Save the state dict alone: torch.save(model.state_dict(), path).',
  );
}

function tensorOf(name: string, tensor: PickledTensor, bytes: Uint8Array | undefined): Tensor {
  const { key, length } = tensor.storage;
  if (bytes?.length !== length * 4)
    throw bad(
      `The storage "${key}" of "${name}"`,
      `${length * 4} bytes`,
      String(bytes?.length ?? 'none'),
    );
  return { shape: tensor.size, data: elements(name, tensor, bytes) };
}

function elements(
  name: string,
  { offset, size, stride, storage }: PickledTensor,
  bytes: Uint8Array,
): Float32Array {
  const count = elementsOf(size);
  const last = size.reduce((at, each, i) => at + (each - 1) * stride[i]!, offset);
  // No more elements than the storage has: strides of 0 could ask for any number.
  if (count > storage.length || (count > 0 && last >= storage.length))
    throw bad(
      `The tensor "${name}"`,
      `elements within its storage of ${storage.length}`,
      `${count} up to ${last}`,
    );
  const all = floatsOf(bytes);
  if (count === 0 || isContiguous(size, stride)) return all.subarray(offset, offset + count);
  const data = new Float32Array(count);
  for (let index = 0; index < count; index++) {
    let [at, rest] = [offset, index];
    for (let i = size.length - 1; i >= 0; i--) {
      at += (rest % size[i]!) * stride[i]!;
      rest = Math.floor(rest / size[i]!);
    }
    data[index] = all[at]!;
  }
  return data;
}

function isContiguous(size: readonly number[], stride: readonly number[]): boolean {
  let expected = 1;
  for (let i = size.length - 1; i >= 0; i--) {
    if (size[i] !== 1 && stride[i] !== expected) return false;
    expected *= size[i]!;
  }
  return true;
}

function bad(message: string, expected: string, received?: string, hint?: string): InputError {
  return new InputError('bad-state-dict', message, { expected, received, hint });
}
