/**
 * WebAssembly where it exists: every failure is `undefined`, since plain JavaScript does the same
 * work.
 */

/** As much of its interface as is used: the project compiles without the types of a browser. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (size: { initial: number; maximum?: number }) => GrowableMemory;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
};

export interface GrowableMemory {
  readonly buffer: ArrayBuffer;
  /** Throws a `RangeError` when there is no more. */
  grow(pages: number): number;
}

/** undefined where there is no WebAssembly, no SIMD, or where generating code is forbidden. */
export function compileModule(base64: string): object | undefined {
  try {
    return new WebAssembly.Module(
      Uint8Array.from(atob(base64), character => character.charCodeAt(0)),
    );
  } catch {
    return undefined;
  }
}

/** undefined where there is no address space or memory left. */
export function createMemory(pages: number, maximum?: number): GrowableMemory | undefined {
  try {
    return new WebAssembly.Memory(
      maximum === undefined ? { initial: pages } : { initial: pages, maximum },
    );
  } catch {
    return undefined;
  }
}

/** The exports of a module whose imports are all of the module "multihop". */
export function instantiate(module: object, imports: object): object {
  return new WebAssembly.Instance(module, { multihop: imports }).exports;
}
