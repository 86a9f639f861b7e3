/**
 * First entry of each group among merged entries: shards have each sent one entry a group, several shards may have the same.
 */
import { type ShardQueryResult, sortValueForHit } from '@shoal/shard-api';
import type { MergedEntries } from '../../paging/merge-results.ts';
import type { PageEntry } from '../phases/fetch-page.ts';

/** Entries from..to of the groups, in order. */
export function firstOfGroups(
  { shards, positions }: MergedEntries,
  results: readonly (ShardQueryResult | null)[],
  from: number,
  to: number,
): readonly PageEntry[] {
  const seen = new Set<unknown>();
  const entries: PageEntry[] = [];
  for (let i = 0; i < shards.length && seen.size < to; i++) {
    const target = shards[i] ?? 0;
    const position = positions[i] ?? 0;
    const groups = results[target]?.groups ?? null;
    const value = groups === null ? null : sortValueForHit(groups, position);
    if (seen.has(value)) continue;
    if (seen.size >= from) entries.push({ target, position });
    seen.add(value);
  }
  return entries;
}
