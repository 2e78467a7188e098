/** Reads the weights of a quantised ONNX file as 32-bit floats, by the names of what uses them. */
import { readFileSync } from 'node:fs';

interface Field {
  readonly number: number;
  readonly bytes: Buffer;
  readonly value: number;
}

/** Reads the fields of a message of protocol buffers. */
function fieldsOf(buffer: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): number => {
    let [value, scale] = [0, 1];
    for (;;) {
      const byte = buffer[at++]!;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
  };
  while (at < buffer.length) {
    const key = varint();
    const [number, wire] = [key >>> 3, key & 7];
    if (wire === 0) fields.push({ number, bytes: Buffer.alloc(0), value: varint() });
    else {
      const length = wire === 2 ? varint() : wire === 5 ? 4 : 8;
      fields.push({ number, bytes: buffer.subarray(at, at + length), value: 0 });
      at += length;
    }
  }
  return fields;
}

const texts = (fields: readonly Field[], number: number): string[] =>
  fields.filter(field => field.number === number).map(({ bytes }) => bytes.toString());

interface Tensor {
  readonly dims: readonly number[];
  readonly values: ArrayLike<number>;
}

/** Types of numbers. */
const [FLOAT, UINT8, INT8] = [1, 2, 3];

function tensorOf(fields: readonly Field[]): Tensor | undefined {
  const dims = fields
    .filter(({ number }) => number === 1)
    .flatMap(({ bytes, value }) => (bytes.length > 0 ? [...bytes] : [value]));
  const type = fields.find(({ number }) => number === 2)?.value;
  const raw = Buffer.from(fields.find(({ number }) => number === 9)?.bytes ?? '');
  if (type === FLOAT) {
    const inline = fields.find(({ number }) => number === 4)?.bytes ?? raw;
    const bytes = Buffer.from(raw.length > 0 ? raw : inline);
    return { dims, values: new Float32Array(new Uint8Array(bytes).buffer) };
  }
  const inline = fields.filter(({ number }) => number === 5);
  if (type === UINT8)
    return { dims, values: raw.length > 0 ? new Uint8Array(raw) : numbers(inline) };
  if (type === INT8) return { dims, values: raw.length > 0 ? new Int8Array(raw) : numbers(inline) };
  return undefined;
}

const numbers = (fields: readonly Field[]): number[] =>
  fields.flatMap(({ bytes, value }) => (bytes.length > 0 ? [...bytes] : [value]));

/**
 * Returns a function from the name of a parameter, such as `encoder.layer.0.output.dense.weight`,
 * to its values; a matrix is stored as the file has it, of inputs by outputs.
 */
export function onnxWeights(path: string): (name: string) => Float32Array {
  const graph = fieldsOf(readFileSync(path)).find(({ number }) => number === 7)!.bytes;
  const parts = fieldsOf(graph);
  const tensors = new Map<string, Tensor>();
  for (const { bytes } of parts.filter(({ number }) => number === 5)) {
    const fields = fieldsOf(bytes);
    const tensor = tensorOf(fields);
    if (tensor) tensors.set(texts(fields, 8)[0]!, tensor);
  }
  // A matrix has the name of the node that multiplies by it.
  for (const { bytes } of parts.filter(({ number }) => number === 1)) {
    const fields = fieldsOf(bytes);
    const [node, type] = [texts(fields, 3)[0] ?? '', texts(fields, 4)[0]];
    if (type !== 'MatMulInteger') continue;
    const [, input] = texts(fields, 1);
    const name = node
      .replace(/^\//, '')
      .replace(/\/(?:Gemm_)?MatMul_quant$/, '')
      .replaceAll('/', '.');
    const base = input!.replace(/_quantized$/, '');
    for (const end of ['quantized', 'scale', 'zero_point'])
      tensors.set(`${name}.weight_${end}`, tensors.get(`${base}_${end}`)!);
  }
  return name => {
    const plain = tensors.get(name);
    if (plain) return Float32Array.from(plain.values);
    const [quantised, scale, zero] = ['quantized', 'scale', 'zero_point'].map(
      end => tensors.get(`${name}_${end}`) ?? missing(`${name}_${end}`),
    );
    const columns = quantised!.dims.at(-1)!;
    const of = ({ values }: Tensor, at: number): number =>
      values[values.length === 1 ? 0 : at % columns] ?? 0;
    return Float32Array.from(
      quantised!.values,
      (value, at) => (value - of(zero!, at)) * of(scale!, at),
    );
  };
}

function missing(name: string): never {
  throw new Error(`The ONNX file has no ${name}`);
}
