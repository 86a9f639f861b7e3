import { ByteSink, ByteSource, DamagedBytes } from '@shoal/core';
import type { File } from '@shoal/runtime';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PLAIN_MEMORY } from '../../memory/segment-memory.ts';
import { bytesFile } from './bytes-file.test-support.ts';
import { ContainerReader } from './container-reader.ts';
import { ContainerWriter } from './container-writer.ts';
import { readSectionRef, type SectionRef, writeSectionRef } from './section-ref.ts';
import { SegmentBytes } from './segment-bytes.ts';

const PAGE_BYTES = 64;

/** Content of a section: no two pages of it are alike. */
const contentOf = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => (i * 31 + (i >>> 6)) & 0xff);

interface Written {
  readonly whole: Uint8Array;
  readonly refs: readonly SectionRef[];
}

const opened = (file: File): Promise<SegmentBytes> => SegmentBytes.ofFile('x', file, () => {});

/** A container of sections of these lengths. */
function written(lengths: readonly number[]): Written {
  const writer = new ContainerWriter(1_000, PAGE_BYTES);
  const refs = lengths.map((length) => writer.section(contentOf(length)));
  const directory = new ByteSink();
  for (const ref of refs) writeSectionRef(directory, ref);
  writer.finish(directory.written());
  return { whole: writer.bytes.written(), refs };
}

const lengths = fc.array(fc.integer({ min: 0, max: PAGE_BYTES * 5 }), { minLength: 1, maxLength: 4 });

describe('a section in pages', () => {
  test('has a checksum for each, which the directory gives back', async () => {
    await fc.assert(
      fc.asyncProperty(lengths, async (sizes) => {
        const { whole, refs } = written(sizes);
        const from = new ContainerReader(await opened(bytesFile(whole)));
        const read = sizes.map(() => from.section());
        from.finish();
        expect(from.pageBytes).toBe(PAGE_BYTES);
        refs.forEach((ref, i) => {
          expect({ ...read[i], crcs: Array.from(read[i]?.crcs ?? []) }).toEqual(ref);
          expect(ref.crcs).toHaveLength(Math.max(1, Math.ceil(ref.length / PAGE_BYTES)));
        });
      }),
    );
  });

  test('gives any range of it, and no page is read that has nothing of the range', async () => {
    await fc.assert(
      fc.asyncProperty(lengths, fc.nat(), fc.nat(), async (sizes, a, b) => {
        const { whole, refs } = written(sizes);
        const file = bytesFile(whole);
        const { reads } = file;
        const bytes = await opened(file);
        for (const memory of [bytes, SegmentBytes.ofMemory('y', PLAIN_MEMORY.place(whole))]) {
          for (const ref of refs) {
            const ends = [a % (ref.length + 1), b % (ref.length + 1)].sort((x, y) => x - y);
            const [from = 0, to = 0] = ends;
            const target = new Uint8Array(to - from);
            reads.length = 0;
            memory.rangeInto(ref, from, target);
            expect(target).toEqual(contentOf(ref.length).subarray(from, to));
            for (const [start, end] of reads) {
              expect(start - ref.offset).toBeGreaterThan(from - PAGE_BYTES);
              expect(end - ref.offset).toBeLessThan(to + PAGE_BYTES);
            }
          }
        }
      }),
    );
  });

  test('with a bit flipped is refused where that page is read, given where others are, and found by the check', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: PAGE_BYTES * 5 }), fc.nat(), async (size, bit) => {
        const { whole, refs } = written([size]);
        const [ref] = refs;
        if (ref === undefined) return expect.unreachable('one section was written');
        const at = (bit >>> 3) % size;
        whole[ref.offset + at] = (whole[ref.offset + at] ?? 0) ^ (1 << (bit & 7));
        const bytes = await opened(bytesFile(whole));
        const told: string[] = [];
        bytes.onDamage = ({ type }) => told.push(type);
        const damage = expect.objectContaining({ type: 'corrupt_index_exception' });
        for (let page = 0; page < ref.crcs.length; page++) {
          const isDamaged = page === Math.floor(at / PAGE_BYTES);
          const from = page * PAGE_BYTES;
          const read = () => bytes.rangeInto(ref, from, new Uint8Array(Math.min(PAGE_BYTES, size - from)));
          if (isDamaged) expect(read).toThrow(damage);
          else read();
          if (isDamaged) expect(() => bytes.page(ref, page)).toThrow(damage);
          else expect(bytes.page(ref, page)).toEqual(contentOf(size).subarray(from, from + PAGE_BYTES));
        }
        expect(() => bytes.section(ref)).toThrow(damage);
        expect(() => [...bytes.verify(ref)]).toThrow(damage);
        expect(new Set(told)).toEqual(new Set(['corrupt_index_exception']));
      }),
    );
  });

  test.each([Number.NaN, -1, 0.5, 2 ** 52, Number.POSITIVE_INFINITY])(
    'of a length that cannot be (%d) is damage, before room for its checksums is taken',
    (length) => {
      const directory = new ByteSink();
      directory.f64(16);
      directory.f64(length);
      directory.u32(0);
      expect(() => readSectionRef(new ByteSource(directory.written()), PAGE_BYTES)).toThrow(DamagedBytes);
    },
  );
});
