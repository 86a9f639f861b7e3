import type { SortField } from '@shoal/query';
import type { SortColumn } from '@shoal/shard-api';
import { describe, expect, test } from 'vitest';
import { mergeSegments } from './merge-segments.ts';
import type { SegmentKey } from './segment-key.ts';
import { type SegmentEntries, SegmentTop } from './top-sorted.ts';

const BY_NAME: SortField = {
  kind: 'field',
  field: 'name',
  order: 'asc',
  missing: '_last',
  mode: null,
  format: null,
  unmappedType: null,
  numericType: null,
} as SortField; // Only the order and the missing values matter here.

/** A segment whose documents have these values, in their order. */
function segmentOf(names: readonly string[], read: number[] = []): SegmentKey {
  const ordinals = [...new Set(names)].sort();
  return {
    key: (doc) => ordinals.indexOf(names[doc] ?? ''),
    keyOfValue: () => 0,
    column(docs): SortColumn {
      read.push(docs.length);
      const values = Array.from(docs, (doc) => Buffer.from(names[doc] ?? ''));
      const offsets = new Uint32Array(values.length + 1);
      values.forEach((value, i) => {
        offsets[i + 1] = (offsets[i] ?? 0) + value.length;
      });
      return {
        kind: 'string',
        shown: 'text',
        offsets,
        bytes: Buffer.concat(values),
        missing: new Uint8Array(values.length),
      };
    },
  };
}

function topOf(names: readonly string[], topN: number, docBase: number, read: number[] = []): SegmentEntries {
  const top = new SegmentTop([segmentOf(names, read)], Math.min(topN, names.length), { keys: null, doc: 0 }, false);
  const docs = Uint32Array.from(names, (_, doc) => doc);
  top.collect(docs, new Float32Array(docs.length), docs.length);
  return top.finish(docBase);
}

function namesOf(column: SortColumn | undefined): string[] {
  if (column?.kind !== 'string') return [];
  const { bytes, offsets } = column;
  return Array.from(offsets.subarray(1), (end, i) => Buffer.from(bytes.subarray(offsets[i], end)).toString());
}

describe('the first entries of a shard', () => {
  test('are those of a sort of all documents, ties by ordinal', () => {
    const first = ['pear', 'fig', 'apple', 'fig'];
    const second = ['fig', 'banana', 'zebra', 'apple', 'kiwi'];
    for (let topN = 1; topN <= 9; topN++) {
      const merged = mergeSegments([BY_NAME], [topOf(first, topN, 0), topOf(second, topN, 4)], topN);
      const all = [...first, ...second].map((name, ord) => ({ name, ord }));
      const expected = all.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.ord - b.ord)).slice(0, topN);
      expect(namesOf(merged.columns[0])).toEqual(expected.map(({ name }) => name));
      expect([...merged.ords]).toEqual(expected.map(({ ord }) => ord));
    }
  });

  test('read values only as far as the merge gets', () => {
    const read: number[] = [];
    const early = Array.from({ length: 1_000 }, (_, i) => `a${String(i).padStart(4, '0')}`);
    const late = early.map((name) => `z${name}`);
    const merged = mergeSegments([BY_NAME], [topOf(early, 600, 0), topOf(late, 600, 1_000, read)], 600);
    expect(namesOf(merged.columns[0])).toEqual(early.slice(0, 600));
    expect(read).toEqual([256]);
  });
});
