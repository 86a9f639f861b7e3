import { readFileSync } from 'node:fs';
import { createAnalyzers } from '@shoal/analysis';
import { describe, expect, test } from 'vitest';
import { HashedTerm } from '../bytes/hashed-term.ts';
import { PLAIN_MEMORY, type SegmentMemory } from '../memory/segment-memory.ts';
import { createSegmentMemory } from '../memory/thread-memory.ts';
import type { QueryContext } from '../phases/context/query-context.ts';
import { runQuery } from '../phases/query/memory-searcher.test-support.ts';
import { SegmentBuffer } from '../write/buffer/segment-buffer.ts';
import { mergeInMemory } from '../write/merge/merge-in-memory.test-support.ts';
import { FlatSegment } from './flat-segment.ts';
import {
  addFormat4Documents,
  FORMAT_4_DOCS,
  format4Analyzer,
  format4Mapping,
  format4Source,
} from './format-4-documents.test-support.ts';
import { dumpSegment } from './segment-dump.test-support.ts';
import { StoredBytes } from './stored/stored-bytes.ts';

/** Committed segments, as programs of earlier versions wrote them, the format version of each, and whether its ids have a filter. */
const OLDER = [
  ['format-4', 4, false],
  ['format-5-without-filter', 5, false],
  ['format-5', 5, true],
] as const;

const fixture = (folder: string, name: string): Uint8Array =>
  Uint8Array.from(readFileSync(new URL(`../../fixtures/${folder}/${name}`, import.meta.url)));

/** A committed segment, all of it verified. */
function openFixture(folder: string, memory: SegmentMemory): FlatSegment {
  const stored = StoredBytes.ofMemory('_0.docs', fixture(folder, '_0.docs'));
  return FlatSegment.open(fixture(folder, '_0.seg'), '_0.seg', memory, { stored, isTrusted: false });
}

function writtenNow(memory: SegmentMemory = PLAIN_MEMORY): FlatSegment {
  const buffer = new SegmentBuffer(() => format4Analyzer);
  addFormat4Documents(buffer);
  return buffer.seal('_0', memory);
}

function contextOf(segment: FlatSegment): QueryContext {
  const views = [{ segment, liveDocs: null, liveCount: segment.docCount, docBase: 0 }];
  const searcher = { generation: 1, views, maxDoc: segment.docCount, liveCount: segment.docCount };
  const index = { index: 'test', indexUuid: 'uuid', number: 0 };
  return { searcher, mapping: format4Mapping, settings: {}, analyzers: createAnalyzers({}), index, after: null };
}

const versionOf = (segment: FlatSegment): number => Buffer.from(segment.bytes).readUInt32LE(8);

describe.each(OLDER)('a segment written as %s', (folder, version, hasFilter) => {
  test('answers everything that the same documents written now answer', () => {
    const old = openFixture(folder, PLAIN_MEMORY);
    const now = writtenNow();
    expect([versionOf(old), versionOf(now)]).toEqual([version, 6]);
    expect(old.fieldNames).toEqual(now.fieldNames);
    expect(dumpSegment(old)).toEqual(dumpSegment(now));
  });

  test.each([
    ['without kernels', PLAIN_MEMORY],
    ['with kernels', createSegmentMemory({ bytesMax: 2 ** 28 })],
  ])('%s is searched as the same documents written now are', async (_name, memory) => {
    const body = {
      query: { bool: { must: { match: { body: 'common third' } }, filter: { range: { counter: { gte: 1_010 } } } } },
      sort: ['_score', { day: 'desc' }, 'body.raw'],
      aggs: { tags: { terms: { field: 'tag' } }, ratio: { avg: { field: 'ratio' } } },
    };
    const [old, now] = await Promise.all(
      [openFixture(folder, memory), writtenNow(memory)].map((segment) =>
        runQuery(contextOf(segment), body, { topN: 20 }),
      ),
    );
    expect([old?.ords.length, old?.total?.value]).toEqual([20, FORMAT_4_DOCS - 10]);
    expect(old).toEqual(now);
  });

  test.each([
    ['without kernels', PLAIN_MEMORY],
    ['with kernels', createSegmentMemory({ bytesMax: 2 ** 28 })],
  ])('%s is merged into one of version 6, with deleted documents and one of its own kind', (_name, memory) => {
    const live = new Uint8Array(Math.ceil(FORMAT_4_DOCS / 8)).fill(0xff);
    live[3] = 0;
    const inputs = [
      { segment: openFixture(folder, memory), live },
      { segment: openFixture(folder, memory), live: null },
    ];
    const same = inputs.map(({ live: alive }) => ({ segment: writtenNow(), live: alive }));
    const merged = mergeInMemory('_1', inputs, memory)?.segment;
    const expected = mergeInMemory('_1', same, PLAIN_MEMORY)?.segment;
    if (merged === undefined || expected === undefined) return expect.unreachable('documents are left');
    expect([versionOf(merged), merged.docCount]).toEqual([6, FORMAT_4_DOCS * 2 - 8]);
    expect(dumpSegment(merged)).toEqual(dumpSegment(expected));
    expect(new TextDecoder().decode(merged.source(FORMAT_4_DOCS - 8))).toBe(format4Source(0));
    merged.release();
  });

  test('finds its ids with a filter and without, and has one when it is merged', () => {
    const old = openFixture(folder, PLAIN_MEMORY);
    const merged = mergeInMemory('_1', [{ segment: old, live: null }], PLAIN_MEMORY)?.segment;
    if (merged === undefined) return expect.unreachable('documents are left');
    expect(old.parts('_id')?.filter != null).toBe(hasFilter);
    expect(merged.parts('_id')?.filter).not.toBeNull();
    for (const segment of [old, merged]) {
      const docOf = (id: string): number => segment.findLive(new HashedTerm(Buffer.from(id)), null, null);
      for (let i = 0; i < FORMAT_4_DOCS; i++) expect(docOf(`id${i}`)).toBe(i);
      expect([docOf(`id${FORMAT_4_DOCS}`), docOf('a'), docOf('z'), docOf('')]).toEqual([-1, -1, -1, -1]);
    }
  });

  test('with any byte changed gives what was written or is refused', () => {
    const whole = fixture(folder, '_0.seg');
    for (let at = 0; at < whole.length; at += 97) {
      const damaged = whole.slice();
      damaged[at] = (damaged[at] ?? 0) ^ 0x10;
      const stored = StoredBytes.ofMemory('_0.docs', fixture(folder, '_0.docs'));
      const open = () => FlatSegment.open(damaged, '_0.seg', PLAIN_MEMORY, { stored, isTrusted: false });
      expect(open, `byte ${at}`).toThrow(/corrupt|damaged|version/);
    }
  });
});
