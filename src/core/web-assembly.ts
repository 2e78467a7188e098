/**
 * Wraps WebAssembly: every failure returns undefined, since plain JavaScript does the same work.
 */

/** Declares the part of the interface that is used: the project compiles without browser types. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (size: { initial: number; maximum?: number }) => GrowableMemory;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
};

export interface GrowableMemory {
  readonly buffer: ArrayBuffer;
  /** Throws a `RangeError` if no memory is left. */
  grow(pages: number): number;
}

/** Compiles a module; undefined without WebAssembly or SIMD, or if code generation is forbidden. */
export function compileModule(base64: string): object | undefined {
  try {
    return new WebAssembly.Module(
      Uint8Array.from(atob(base64), character => character.charCodeAt(0)),
    );
  } catch {
    return undefined;
  }
}

/** Allocates memory; undefined if no address space or memory is left. */
export function createMemory(pages: number, maximum?: number): GrowableMemory | undefined {
  try {
    return new WebAssembly.Memory(
      maximum === undefined ? { initial: pages } : { initial: pages, maximum },
    );
  } catch {
    return undefined;
  }
}

/** Returns the exports of a module all of whose imports come from the module "multihop". */
export function instantiate(module: object, imports: object): object {
  return new WebAssembly.Instance(module, { multihop: imports }).exports;
}
