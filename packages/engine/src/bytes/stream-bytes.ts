/**
 * Bytes of a stream that was written to its end, wherever they stand.
 */
const WORD_BYTES = 4;

export interface StreamBytes {
  /** Length in bytes. */
  readonly length: number;
  /** The bytes from..to - 1; good as long as the stream. */
  read(from: number, to: number): Uint8Array;
  /** All bytes in their order; each chunk is valid until the next one is asked for. */
  chunks(): Iterable<Uint8Array>;
}

/** Little-endian u32 number `index` of a stream. */
export function wordOf(stream: StreamBytes, index: number): number {
  const bytes = stream.read(index * WORD_BYTES, (index + 1) * WORD_BYTES);
  return new DataView(bytes.buffer, bytes.byteOffset, WORD_BYTES).getUint32(0, true);
}
