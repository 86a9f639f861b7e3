import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesFile } from '../format/container/bytes-file.test-support.ts';
import { ContainerBytes } from '../format/container/container-bytes.ts';
import { ContainerWriter } from '../format/container/container-writer.ts';
import type { SectionRef } from '../format/container/section-ref.ts';
import { SegmentBytes } from '../format/container/segment-bytes.ts';
import { type SectionGroup, SegmentSections } from '../format/container/segment-sections.ts';
import { SectionCache } from './section-cache.ts';
import { PLAIN_MEMORY } from './segment-memory.ts';
import { createSegmentMemory } from './thread-memory.ts';

const SECTIONS = 12;
const SECTION_BYTES = 40_000;

const contentOf = (section: number): Uint8Array =>
  Uint8Array.from({ length: SECTION_BYTES }, (_, i) => (i * 31 + section * 7) & 0xff);

/** A container of sections, as a file would have them, and where they stand. */
async function container(): Promise<{ readonly bytes: SegmentBytes; readonly refs: readonly SectionRef[] }> {
  const content = new ContainerBytes(1_000);
  const writer = new ContainerWriter(content);
  const refs = Array.from({ length: SECTIONS }, (_, section) => writer.section(contentOf(section)));
  writer.finish(new Uint8Array(0));
  return { bytes: await SegmentBytes.ofFile('x', bytesFile(content.written()), () => {}), refs };
}

const only = ([bytes]: readonly Uint8Array[]): Uint8Array => bytes ?? new Uint8Array(0);

function groupsOf(sections: SegmentSections, refs: readonly SectionRef[]): readonly SectionGroup<Uint8Array>[] {
  return refs.map((ref) => sections.group([ref], only));
}

describe('sections of a segment', () => {
  test('are dropped, the least recently used first, and read again when asked for', async () => {
    const { bytes, refs } = await container();
    const cache: SectionCache = new SectionCache(null, (more) => {
      while (cache.plainBytes + more > SECTION_BYTES * 3) if (!cache.dropOne()) return false;
      return true;
    });
    const groups = groupsOf(new SegmentSections(bytes, cache), refs);
    for (const [i, group] of groups.entries()) {
      expect(Buffer.compare(group.get(), contentOf(i))).toBe(0);
      expect(groups[0]?.get().length).toBe(SECTION_BYTES);
      expect(cache.plainBytes).toBeLessThanOrEqual(SECTION_BYTES * 3);
      expect(groups[0]?.loadedBytes).toBe(SECTION_BYTES);
    }
  });

  test('stay as they were for whoever was given them, whatever is dropped and read meanwhile', async () => {
    const { bytes, refs } = await container();
    const action = fc.record({
      section: fc.nat(SECTIONS - 1),
      what: fc.constantFrom('read', 'hold', 'release', 'begin', 'end'),
    });
    fc.assert(
      fc.property(fc.array(action, { maxLength: 120 }), (actions) => {
        const memory = createSegmentMemory({ bytesMax: SECTION_BYTES * 6 });
        const sections = new SegmentSections(bytes, memory.sections);
        const groups = groupsOf(sections, refs);
        const held: { readonly section: number; readonly address: number }[] = [];
        /** Views of the running requests; a view that outlives its request was read outside of one. */
        let views: { readonly section: number; readonly view: Uint8Array }[] = [];
        const kept: typeof views = [];
        let requests = 0;
        for (const { section, what } of actions) {
          const group = groups[section];
          if (group === undefined) continue;
          if (what === 'begin') {
            requests++;
            sections.pin();
          } else if (what === 'end' && requests > 0) {
            sections.unpin();
            if (--requests === 0) views = [];
          } else if (what === 'read') {
            (requests > 0 ? views : kept).push({ section, view: group.get() });
          } else if (what === 'hold') {
            const address = group.hold()?.[0];
            if (address !== undefined) held.push({ section, address });
          } else if (what === 'release') {
            const last = held.pop();
            if (last !== undefined) groups[last.section]?.release();
          }
          for (const one of [...views, ...kept]) expect(Buffer.compare(one.view, contentOf(one.section))).toBe(0);
          for (const one of held) {
            const there = memory.kernels?.bytesAt(one.address, SECTION_BYTES) ?? new Uint8Array(0);
            expect(Buffer.compare(there, contentOf(one.section))).toBe(0);
          }
        }
        for (const one of held) groups[one.section]?.release();
        for (; requests > 0; requests--) sections.unpin();
        sections.drop();
        expect(memory.usedBytes).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  test('in the memory of this process are views of it, which are made anew when a file has them', async () => {
    const content = new ContainerBytes(1_000);
    const writer = new ContainerWriter(content);
    const ref = writer.section(contentOf(3));
    writer.finish(new Uint8Array(0));
    const bytes = SegmentBytes.ofMemory('x', PLAIN_MEMORY.place(content.written()));
    const sections = new SegmentSections(bytes, null);
    const group = sections.group([ref], only);
    const before = group.get();
    expect([group.loadedBytes, Buffer.compare(before, contentOf(3))]).toEqual([0, 0]);
    sections.dropViews();
    expect(group.get()).not.toBe(before);
  });
});
