/**
 * The kernel that writes lines of JSON, with a memory of its own. Its source and what it does:
 * packages/agent-event/kernels/json-line-kernels.ts.
 */
import { type GrowingMemory, growMemory, instantiate, reserveMemory, WASM_PAGE_BYTES } from '@shoal/core';
import { KERNEL_BYTES_BASE64 } from './generated/json-line-kernel-bytes.ts';

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

/** null where the processor or the JavaScript engine lacks SIMD, or there is no memory. */
export function loadJsonLineKernel(): LoadedKernel | null {
  const memory = reserveMemory({ first: PAGES_FIRST, max: PAGES_MAX });
  // The module's own type of what it exports.
  const kernel = memory && (instantiate(KERNEL_BYTES_BASE64, memory) as JsonLineKernel | null);
  return memory === null || kernel === null ? null : { kernel, memoryOf: (byteCount) => grown(memory, byteCount) };
}

function grown(memory: GrowingMemory, byteCount: number): ArrayBufferLike | null {
  const missing = Math.ceil((byteCount - memory.buffer.byteLength) / WASM_PAGE_BYTES);
  if (missing <= 0) return memory.buffer;
  if (byteCount > PAGES_MAX * WASM_PAGE_BYTES) return null;
  return growMemory(memory, missing) ? memory.buffer : null;
}
