/** Tensors as files hold them. */

/** The arrays of the element types that are read and written, by their names in safetensors. */
export interface TensorData {
  readonly F32: Float32Array;
  readonly I8: Int8Array;
  readonly U8: Uint8Array;
}
export type ElementType = keyof TensorData;

export interface Tensor<T extends ElementType = 'F32'> {
  readonly shape: readonly number[];
  readonly data: TensorData[T];
}

export const elementsOf = (shape: readonly number[]): number =>
  shape.reduce((product, length) => product * length, 1);
