/** WebAssembly where it exists: every failure is `undefined`, since plain JavaScript does the same work. */

/** As much of its interface as is used: the project compiles without the types of a browser. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (size: { initial: number; maximum?: number; shared?: boolean }) => GrowableMemory;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
};

export interface GrowableMemory {
  readonly buffer: ArrayBuffer;
  /** Throws a `RangeError` when there is no more. */
  grow(pages: number): number;
}

/** undefined where there is no WebAssembly, no SIMD, or where generating code is forbidden. `shared`: for a memory that is. */
export function compileModule(base64: string, shared = false): object | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
    return new WebAssembly.Module(shared ? ofSharedMemory(bytes) : bytes);
  } catch {
    return undefined;
  }
}

/** How a module says that it imports a memory with a maximum, or a shared one: the end of the name, the kind, and these flags. */
const [IMPORTED, LIMITED, SHARED] = [[...'memory'].map(letter => letter.charCodeAt(0)).concat(2), 1, 3];

/** The same module for a shared memory: the two differ in one byte of the import. */
function ofSharedMemory(bytes: Uint8Array): Uint8Array {
  const name = bytes.findIndex((_, at) => IMPORTED.every((byte, i) => bytes[at + i] === byte));
  const flags = name + IMPORTED.length;
  if (name < 0 || bytes[flags] !== LIMITED) throw new Error('The module imports no memory with a maximum');
  return bytes.with(flags, SHARED);
}

/** undefined where there is no address space or memory left. A shared memory needs a maximum. */
export function createMemory(pages: number, maximum?: number, shared = false): GrowableMemory | undefined {
  try {
    return new WebAssembly.Memory({
      initial: pages,
      ...(maximum === undefined ? {} : { maximum }),
      ...(shared ? { shared } : {}),
    });
  } catch {
    return undefined;
  }
}

/** The exports of a module whose imports are all of the module "multihop". */
export function instantiate(module: object, imports: object): object {
  return new WebAssembly.Instance(module, { multihop: imports }).exports;
}
