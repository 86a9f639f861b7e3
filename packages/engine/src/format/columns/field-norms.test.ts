import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSegmentMemory } from '../../memory/thread-memory.ts';
import { type BytesFile, bytesFile } from '../container/bytes-file.test-support.ts';
import { ContainerWriter } from '../container/container-writer.ts';
import { SegmentBytes } from '../container/segment-bytes.ts';
import { SegmentSections } from '../container/segment-sections.ts';
import { FieldNorms, type HeldNorms, type NormDocs } from './field-norms.ts';

const PAGE_BYTES = 64;
const DOCS = 10_000;
const norms = Uint8Array.from({ length: DOCS }, (_, doc) => (doc * 7_919) % 251);

async function open(bytesMax = 2 ** 28, damage: (bytes: Uint8Array) => void = () => {}) {
  const memory = createSegmentMemory({ bytesMax });
  const container = new ContainerWriter(20_000, PAGE_BYTES);
  const ref = container.section(norms);
  const bytes = container.bytes.written().slice();
  damage(bytes);
  const file: BytesFile = bytesFile(bytes);
  const sections = new SegmentSections(await SegmentBytes.ofFile('_0', file, () => {}), memory.sections, 0);
  return { memory, file, sections, field: new FieldNorms(sections, ref) };
}

const of = (...docs: number[]): NormDocs => ({ count: docs.length, docs: () => docs });
const bytesRead = ({ reads }: BytesFile): number => reads.reduce((sum, [from, to]) => sum + to - from, 0);

describe('norms that a kernel reads of some documents', () => {
  test('are theirs, whatever was held and evicted before', async () => {
    const docs = fc.array(fc.nat(DOCS - 1), { maxLength: 60 }).map((list) => list.sort((a, b) => a - b));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(docs, docs, fc.boolean()), { maxLength: 12 }), async (asks) => {
        const { memory, sections, field } = await open();
        for (const [first, second, isEvicted] of asks) {
          const held = field.hold([of(...first), of(...second)]) as HeldNorms;
          const seen = memory.kernels?.bytesAt(held.address, DOCS);
          for (const doc of [...first, ...second]) expect(seen?.[doc]).toBe(norms[doc]);
          held.release();
          if (isEvicted) while (memory.sections.dropOne());
        }
        sections.drop();
        expect(memory.kernels?.usedBytes).toBe(0);
      }),
      { seed: 11, numRuns: 60 },
    );
  });

  test('are read by their pages, each once, and with all others once half of them were', async () => {
    const { file, field } = await open();
    const ask = (...docs: number[]): number => {
      const before = bytesRead(file);
      field.hold([of(...docs)])?.release();
      return bytesRead(file) - before;
    };
    expect([ask(5, 70, 9_000), ask(6, 71, 9_001), ask(6, 200)]).toEqual([3 * PAGE_BYTES, 0, PAGE_BYTES]);
    // With the one at 9,000 that is more than half of the 157 pages.
    for (let page = 0; page < 78; page++) ask(page * PAGE_BYTES);
    expect(ask(9_990)).toBe(DOCS);
    expect(ask(5, 70)).toBe(0);
  });

  test('are read whole where the documents are many', async () => {
    const { file, field } = await open();
    field.hold([of(...Array.from({ length: 100 }, (_, i) => i * 100))])?.release();
    expect(bytesRead(file)).toBe(DOCS);
  });

  test('are not evicted while they are held', async () => {
    const { memory, field } = await open();
    const held = field.hold([of(3, 9_999)]) as HeldNorms;
    while (memory.sections.dropOne());
    expect(memory.kernels?.bytesAt(held.address, DOCS)[9_999]).toBe(norms[9_999]);
    held.release();
    while (memory.sections.dropOne());
    expect(memory.kernels?.usedBytes).toBe(0);
  });

  test('are refused where their page is damaged, and held no more', async () => {
    const { memory, field } = await open(2 ** 28, (bytes) => {
      bytes[16 + 130] = (bytes[16 + 130] ?? 0) ^ 1;
    });
    field.hold([of(5, 9_000)])?.release();
    expect(() => field.hold([of(5, 129)])).toThrow(/page 2 of the section/);
    while (memory.sections.dropOne());
    expect(memory.kernels?.usedBytes).toBe(0);
  });

  test('are none without room', async () => {
    const { field } = await open(DOCS);
    expect(field.hold([of(5)])).toBeNull();
  });
});
