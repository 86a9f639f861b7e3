/**
 * Which memory of an answer can be handed to the other thread instead of being copied.
 *
 * Only buffers that a typed array fills whole and that nobody else can hold: a view into something larger is copied,
 * since handing it over would take the rest with it.
 */
import type { SortColumn } from '@shoal/query';
import type { QueryAnswer } from './worker-calls.ts';

/** Smaller ones cost less to copy than to hand over. */
const TRANSFER_BYTES_MIN = 4096;

export function transferablesOf(answer: QueryAnswer): readonly ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  const { ords, scores, columns } = answer.result;
  for (const view of [ords, ...(scores === null ? [] : [scores]), ...columns.flatMap(viewsOf)]) {
    const { buffer } = view;
    if (
      buffer instanceof ArrayBuffer &&
      buffer.byteLength === view.byteLength &&
      view.byteLength >= TRANSFER_BYTES_MIN
    ) {
      buffers.add(buffer);
    }
  }
  return [...buffers];
}

function viewsOf(column: SortColumn): readonly ArrayBufferView[] {
  return column.kind === 'string' ? [column.offsets, column.bytes, column.missing] : [column.values];
}

/** The same bytes with memory of their own when they are a small part of something large. */
export function detached(bytes: Uint8Array): Uint8Array {
  // A clone of a view copies all that is behind it: up to twice the size is cheaper than a copy now.
  return bytes.buffer.byteLength > bytes.byteLength * 2 + TRANSFER_BYTES_MIN ? new Uint8Array(bytes) : bytes;
}
