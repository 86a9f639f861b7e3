/**
 * The first N groups of all segments of a shard, each by its first document.
 */

import { assert } from '@shoal/core';
import type { SortField } from '@shoal/query';
import { pickColumns, type SortColumn, stringColumn } from '@shoal/shard-api';
import { mergeSegments, type SortedEntries } from '../by-keys/merge-segments.ts';
import type { CollapsedEntries } from './collapsed-top.ts';

export interface GroupedEntries extends SortedEntries {
  /** Value of each entry's group. */
  readonly groups: SortColumn;
}

export function mergeGroups(
  sort: readonly SortField[],
  segments: readonly CollapsedEntries[],
  topN: number,
): GroupedEntries {
  const available = segments.reduce((sum, { groups }) => sum + groups.length, 0);
  const merged = mergeSegments(
    sort,
    segments.map(({ entries }) => entries),
    available,
  );
  assert(merged.ords.length === available, `${merged.ords.length} of ${available} groups were merged`);
  const valueOfOrd = new Map<number, Uint8Array | null>();
  for (const { entries, groups } of segments) {
    for (const [i, doc] of entries.docs.entries()) valueOfOrd.set(doc + entries.docBase, groups[i] ?? null);
  }
  assert(valueOfOrd.size === available, `${available} groups begin with ${valueOfOrd.size} documents`);
  const seen = new Set<string | null>();
  const kept: number[] = [];
  const values: (Uint8Array | null)[] = [];
  for (const [i, ord] of merged.ords.entries()) {
    const value = valueOfOrd.get(ord) ?? null;
    const name = value === null ? null : Buffer.from(value).toString('latin1');
    if (seen.has(name)) continue;
    if (kept.length === topN) break;
    seen.add(name);
    kept.push(i);
    values.push(value);
  }
  assert(kept.length === seen.size, `${kept.length} entries of ${seen.size} groups`);
  const picked = Uint32Array.from(kept);
  const { scores } = merged;
  return {
    columns: pickColumns(merged.columns, picked),
    ords: picked.map((i) => merged.ords[i] ?? 0),
    scores: scores === null ? null : Float32Array.from(picked, (i) => scores[i] ?? 0),
    groups: stringColumn(values),
  };
}
