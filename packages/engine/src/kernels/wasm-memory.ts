/**
 * What the engine needs of WebAssembly: a memory that grows without moving, and modules over it.
 */

/** A memory that grows without moving: views made before stay valid. */
export interface GrowingMemory {
  readonly buffer: SharedArrayBuffer;
  grow(pages: number): number;
}

export const PAGE_BYTES = 65_536;
/** 4 GiB: all that 32-bit addresses reach. Reserved as addresses, not as memory. */
const PAGES_MAX = 65_536;
const PAGES_FIRST = 16;

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

/** null where there is no WebAssembly, or the addresses cannot be reserved. */
export function reserveMemory(): GrowingMemory | null {
  if (typeof WebAssembly === 'undefined') return null;
  try {
    return new WebAssembly.Memory({ initial: PAGES_FIRST, maximum: PAGES_MAX, shared: true });
  } catch (error) {
    // Some machines limit addresses; the plain form of everything needs none.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** What a module over `memory` exports; null where the processor or the JavaScript engine lacks SIMD. */
export function instantiate(bytesBase64: string, memory: GrowingMemory): unknown {
  const bytes = Buffer.from(bytesBase64, 'base64');
  if (typeof WebAssembly === 'undefined' || !WebAssembly.validate(bytes)) return null;
  return new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } }).exports;
}
