/**
 * The kernel that writes lines of JSON, with a memory of its own. Its source and what it does:
 * packages/agent-event/kernels/json-line-kernels.ts.
 */
import { KERNEL_BYTES_BASE64 } from './generated/json-line-kernel-bytes.ts';

const PAGE_BYTES = 65_536;
/** 16 MiB: batches whose lines need more are written without the kernel. */
const PAGES_MAX = 256;
const PAGES_FIRST = 4;

export interface JsonLineKernel {
  writeLines(
    from: number,
    length: number,
    to: number,
    pieces: number,
    valueCount: number,
    eventCount: number,
    counts: number,
  ): number;
}

/** A kernel with its memory, which grows without moving: views of it stay valid. */
export interface LoadedKernel {
  readonly kernel: JsonLineKernel;
  /** Makes the memory at least so large; null when it cannot be. */
  memoryOf(byteCount: number): ArrayBufferLike | null;
}

interface GrowingMemory {
  readonly buffer: ArrayBufferLike;
  grow(pages: number): number;
}

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

/** null where the processor or the JavaScript engine lacks SIMD, or there is no memory. */
export function loadJsonLineKernel(): LoadedKernel | null {
  if (typeof WebAssembly === 'undefined') return null;
  const bytes = Buffer.from(KERNEL_BYTES_BASE64, 'base64');
  if (!WebAssembly.validate(bytes)) return null;
  try {
    const memory = new WebAssembly.Memory({ initial: PAGES_FIRST, maximum: PAGES_MAX, shared: true });
    // The module's own type of what it exports.
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
    const kernel = exports as JsonLineKernel;
    return { kernel, memoryOf: (byteCount) => grown(memory, byteCount) };
  } catch (error) {
    // Addresses may be limited; lines are written without the kernel then.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function grown(memory: GrowingMemory, byteCount: number): ArrayBufferLike | null {
  const missing = Math.ceil((byteCount - memory.buffer.byteLength) / PAGE_BYTES);
  if (missing <= 0) return memory.buffer;
  if (byteCount > PAGES_MAX * PAGE_BYTES) return null;
  try {
    memory.grow(missing);
    return memory.buffer;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
