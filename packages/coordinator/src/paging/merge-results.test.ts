import type { SortField } from '@shoal/query';
import type { ShardQueryResult, SortColumn } from '@shoal/shard-api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeResults } from './merge-results.ts';

function fieldOf(order: 'asc' | 'desc'): SortField {
  return {
    kind: 'field',
    field: 'f',
    order,
    mode: null,
    missing: '_last',
    unmappedType: null,
    numericType: null,
    format: null,
  };
}

function resultOf(columns: readonly SortColumn[], count: number): ShardQueryResult {
  return {
    contextId: 1,
    total: { value: count, relation: 'eq' },
    maxScore: null,
    columns,
    scores: null,
    ords: Uint32Array.from({ length: count }, (_, i) => i),
    timedOut: false,
    terminatedEarly: false,
    isSkipped: false,
    aggregations: null,
    groups: null,
    profile: null,
  };
}

function stringColumn(values: readonly string[]): SortColumn {
  const parts = values.map((value) => new TextEncoder().encode(value));
  const offsets = new Uint32Array(values.length + 1);
  for (const [i, part] of parts.entries()) offsets[i + 1] = (offsets[i] ?? 0) + part.length;
  return {
    kind: 'string',
    shown: 'text',
    offsets,
    bytes: Buffer.concat(parts),
    missing: new Uint8Array(values.length),
  };
}

function merged(sort: readonly SortField[], results: readonly (ShardQueryResult | null)[], wanted: number) {
  const { shards, positions } = mergeResults(sort, results, wanted);
  return Array.from(shards, (shard, i) => [shard, positions[i]]);
}

describe('the merge of sorted shards equals a full sort by (keys, shard, position)', () => {
  const shardsOf = <T>(value: fc.Arbitrary<T>) =>
    fc.array(fc.option(fc.array(value, { maxLength: 20 })), { maxLength: 9 });

  test('by score', () => {
    fc.assert(
      fc.property(shardsOf(fc.integer({ min: 0, max: 5 })), fc.nat(120), (shards, wanted) => {
        const sorted = shards.map((scores) => (scores === null ? null : scores.toSorted((a, b) => b - a)));
        const results = sorted.map((scores) =>
          scores === null ? null : resultOf([{ kind: 'score', values: Float32Array.from(scores) }], scores.length),
        );
        const all = sorted.flatMap((scores, s) => (scores ?? []).map((score, p) => ({ score, s, p })));
        all.sort((a, b) => b.score - a.score || a.s - b.s || a.p - b.p);
        expect(merged([], results, wanted)).toEqual(all.slice(0, wanted).map(({ s, p }) => [s, p]));
      }),
    );
  });

  test('by a string, then a number downwards', () => {
    const entry = fc.record({ name: fc.constantFrom('', 'a', 'ab', 'é', '😀'), n: fc.integer({ min: -2, max: 2 }) });
    const order = (a: { name: string; n: number }, b: { name: string; n: number }) =>
      Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)) || b.n - a.n;
    fc.assert(
      fc.property(shardsOf(entry), fc.nat(120), (shards, wanted) => {
        const sorted = shards.map((entries) => (entries === null ? null : entries.toSorted(order)));
        const results = sorted.map((entries) =>
          entries === null
            ? null
            : resultOf(
                [
                  stringColumn(entries.map((e) => e.name)),
                  { kind: 'integer', values: Float64Array.from(entries, (e) => e.n) },
                ],
                entries.length,
              ),
        );
        const all = sorted.flatMap((entries, s) => (entries ?? []).map((e, p) => ({ ...e, s, p })));
        all.sort((a, b) => order(a, b) || a.s - b.s || a.p - b.p);
        expect(merged([fieldOf('asc'), fieldOf('desc')], results, wanted)).toEqual(
          all.slice(0, wanted).map(({ s, p }) => [s, p]),
        );
      }),
    );
  });
});
