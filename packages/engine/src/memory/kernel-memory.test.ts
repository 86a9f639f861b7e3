import { describe, expect, test } from 'vitest';
import { BlockBounds } from '../format/postings/block-bounds.ts';
import { PLAIN_MEMORY } from './segment-memory.ts';
import { createSegmentMemory } from './thread-memory.ts';

const bytes = (length: number) => Uint8Array.from({ length }, (_, i) => i & 0xff);

describe('the memory of segments', () => {
  test('counts what is placed until it is released', () => {
    const memory = createSegmentMemory({ bytesMax: 2 ** 30 });
    const before = memory.usedBytes;
    const placed = memory.place(bytes(100_000));
    expect(Buffer.compare(placed.bytes, bytes(100_000))).toBe(0);
    expect(memory.usedBytes).toBe(before + 100_000);
    placed.release();
    expect(memory.usedBytes).toBe(before);
    expect(() => placed.release()).toThrow('more often than held');
  });

  test('of kernels keeps views valid while it grows, and grows no longer than the limit', () => {
    const memory = createSegmentMemory({ bytesMax: 2 ** 25 }).kernels;
    if (memory === null) return;
    const first = memory.bytesAt(memory.allocate(1_000), 1_000);
    first.set(bytes(1_000));
    const large = Array.from({ length: 30 }, () => memory.allocate(1_000_000));
    for (const address of large) memory.bytesAt(address, 1_000_000).fill(63);
    expect(Buffer.compare(first, bytes(1_000))).toBe(0);
    expect(large.every((address) => address > 0)).toBe(true);
    expect(Array.from({ length: 5 }, () => memory.allocate(1_000_000)).at(-1)).toBe(0);
  });

  test('refuses what would pass the limit, and says by how much', () => {
    const memory = createSegmentMemory({ bytesMax: 100_000, hasKernels: false });
    memory.place(bytes(60_000));
    expect(memory.shortage(40_000)).toBeNull();
    expect(memory.shortage(40_001)).toMatchObject({ type: 'circuit_breaking_exception', status: 429 });
  });

  test('gives its last part only for documents', () => {
    const { kernels } = createSegmentMemory({ bytesMax: 100_000 });
    if (kernels === null) return;
    const spare = kernels.allocateOptional(60_000);
    expect(spare).toBeGreaterThan(0);
    expect(kernels.allocateOptional(20_000)).toBe(0);
    expect(kernels.allocate(20_000)).toBeGreaterThan(0);
    kernels.release(spare);
    expect(kernels.allocateOptional(20_000)).toBeGreaterThan(0);
  });

  test('without kernels is plain bytes, which count too', () => {
    const memory = createSegmentMemory({ bytesMax: 2 ** 30, hasKernels: false });
    const placed = memory.place(bytes(10));
    expect([memory.kernels, memory.usedBytes]).toEqual([null, 10]);
    placed.release();
    expect(memory.usedBytes).toBe(0);
  });

  test('of its own keeps no more than the bytes', () => {
    const whole = new Uint8Array(100);
    expect(PLAIN_MEMORY.place(whole.subarray(3, 5)).bytes.buffer.byteLength).toBe(2);
  });
});

test('bounds are shared while statistics are the same, and live until the last query that uses them ends', () => {
  const memory = createSegmentMemory({ bytesMax: 2 ** 30 }).kernels;
  if (memory === null) return;
  const before = memory.usedBytes;
  const field = new BlockBounds();
  const old = new Float32Array(256).fill(1);
  const first = field.hold(memory, 10, old);
  expect(field.hold(memory, 10, old.slice())?.address).toBe(first?.address);
  const other = field.hold(memory, 10, new Float32Array(256).fill(2));
  expect(other?.address).not.toBe(first?.address);
  expect(memory.floatsAt(first?.address ?? 0, 10)).toEqual(new Float32Array(10).fill(-1));
  for (const held of [first, first, other]) held?.release();
  field.drop();
  expect(memory.usedBytes).toBe(before);
});
