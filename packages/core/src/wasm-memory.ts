/**
 * What kernels need of WebAssembly: a memory that grows without moving, and modules over it.
 */

/** A memory that grows without moving: views made before stay valid. */
export interface GrowingMemory {
  readonly buffer: SharedArrayBuffer;
  grow(pages: number): number;
}

export const WASM_PAGE_BYTES = 65_536;

interface WebAssemblyApi {
  readonly Memory: new (shape: {
    readonly initial: number;
    readonly maximum: number;
    readonly shared: boolean;
  }) => GrowingMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
  validate(bytes: Uint8Array): boolean;
}

/** WebAssembly of the JavaScript engine; undefined where it was built or started without. */
declare const WebAssembly: WebAssemblyApi | undefined;

/**
 * null where there is no WebAssembly, or the addresses cannot be reserved.
 *
 * @param pages of 64 KiB: how many it has at once, and how many it may have, which are reserved as addresses and not as memory
 */
export function reserveMemory(pages: { readonly first: number; readonly max: number }): GrowingMemory | null {
  if (typeof WebAssembly === 'undefined') return null;
  try {
    return new WebAssembly.Memory({ initial: pages.first, maximum: pages.max, shared: true });
  } catch (error) {
    // Some machines limit addresses; the plain form of everything needs none.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** False past the maximum, or where the machine has no more. */
export function growMemory(memory: GrowingMemory, pages: number): boolean {
  try {
    memory.grow(pages);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Compiled modules by their bytes; null: they do not run here. Nodes that share a thread compile a kernel once. */
const compiled = new Map<string, object | null>();

/** What a module over `memory` exports; null where the processor or the JavaScript engine lacks SIMD. */
export function instantiate(bytesBase64: string, memory: GrowingMemory): unknown {
  if (typeof WebAssembly === 'undefined') return null;
  let module = compiled.get(bytesBase64);
  if (module === undefined) {
    const bytes = Buffer.from(bytesBase64, 'base64');
    module = WebAssembly.validate(bytes) ? new WebAssembly.Module(bytes) : null;
    compiled.set(bytesBase64, module);
  }
  return module === null ? null : new WebAssembly.Instance(module, { env: { memory } }).exports;
}
