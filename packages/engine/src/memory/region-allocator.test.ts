import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RegionAllocator } from './region-allocator.ts';

const LIMIT = 1 << 20;

/** Sizes to allocate; or the number of a region to release, counted from the oldest. */
const step = fc.oneof(
  fc.record({ bytes: fc.integer({ min: 0, max: 60_000 }), kept: fc.option(fc.nat(60_000)) }),
  fc.record({ release: fc.nat(50) }),
);

test('regions never overlap, stay inside the limit, and are all there again once released', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const allocator = new RegionAllocator(64, (length) => length <= LIMIT);
      const regions: { start: number; bytes: number }[] = [];
      for (const one of steps) {
        if ('release' in one) {
          const [region] = regions.splice(one.release % Math.max(1, regions.length), 1);
          if (region) allocator.release(region.start);
          continue;
        }
        const start = allocator.allocate(one.bytes);
        if (start === 0) continue;
        expect(start % 64).toBe(0);
        expect(start).toBeGreaterThanOrEqual(64);
        expect(start + one.bytes).toBeLessThanOrEqual(LIMIT);
        for (const other of regions) {
          expect(start + one.bytes <= other.start || other.start + other.bytes <= start).toBe(true);
        }
        const bytes = Math.min(one.bytes, one.kept ?? one.bytes);
        allocator.shrink(start, bytes);
        regions.push({ start, bytes });
      }
      for (const { start } of regions) allocator.release(start);
      expect(allocator.usedBytes).toBe(0);
      // Joined to one stretch: the whole can be had at once.
      expect(allocator.allocate(LIMIT - 64)).toBe(64);
    }),
  );
});

test('a region is released once', () => {
  const allocator = new RegionAllocator(64, () => true);
  const start = allocator.allocate(10);
  allocator.release(start);
  expect(() => allocator.release(start)).toThrow('no region starts at');
});
