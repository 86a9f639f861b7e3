/**
 * The first N groups of one segment, each by its first document in the order asked for.
 *
 * A group that falls behind N others may come back only with a better document than the last of those, so that what is
 * behind it can be forgotten: memory is bounded by N and not by the number of groups.
 */

import { assert } from '@shoal/core';
import type { SegmentKey } from '../by-keys/segment-key.ts';
import type { SegmentEntries } from '../by-keys/top-sorted.ts';
import type { HitCollector } from '../walk/match-walk.ts';
import type { SegmentGroup, SegmentGroups } from './group-key.ts';

/** Entries kept beyond N before those behind are dropped: sorting is then rare. */
const SLACK_MIN = 256;

interface Entry {
  readonly group: SegmentGroup;
  doc: number;
  keys: Float64Array;
  score: number;
}

export interface CollapsedEntries {
  readonly entries: SegmentEntries;
  /** Value of each entry's group; null for the group without one. */
  readonly groups: readonly (Uint8Array | null)[];
}

export class CollapsedTop implements HitCollector {
  private readonly sources: readonly SegmentKey[];
  private readonly groups: SegmentGroups;
  private readonly capacity: number;
  private readonly hasScores: boolean;
  /** Keys that groups stand behind; null: all groups are asked for. */
  private readonly after: Float64Array | null;
  private readonly entries = new Map<SegmentGroup, Entry>();
  private readonly candidate: Float64Array;
  /** Keys of the last of N groups; null until there are so many. */
  private last: Float64Array | null = null;
  /** Highest score offered; -1 before any. */
  maxScore = -1;

  constructor(
    sources: readonly SegmentKey[],
    groups: SegmentGroups,
    options: { readonly capacity: number; readonly hasScores: boolean; readonly after: Float64Array | null },
  ) {
    const { capacity, hasScores, after } = options;
    this.after = after;
    this.sources = sources;
    assert(sources.length > 0 && capacity > 0, `the first ${capacity} groups by ${sources.length} keys`);
    this.groups = groups;
    this.capacity = capacity;
    this.hasScores = hasScores;
    this.candidate = new Float64Array(sources.length);
  }

  collect(docs: Uint32Array, scores: Float32Array, count: number): void {
    for (let i = 0; i < count; i++) this.offer(docs[i] as number, scores[i] as number);
  }

  private offer(doc: number, score: number): void {
    if (score > this.maxScore) this.maxScore = score;
    const { candidate, sources, last } = this;
    for (let k = 0; k < sources.length; k++) candidate[k] = (sources[k] as SegmentKey).key(doc, score);
    if (this.after !== null && !isBefore(this.after, candidate)) return;
    // Documents come in ascending order: of equal ones the first stays.
    if (last !== null && !isBefore(candidate, last)) return;
    const group = this.groups.group(doc);
    const known = this.entries.get(group);
    if (known === undefined) {
      this.entries.set(group, { group, doc, keys: candidate.slice(), score });
      if (this.entries.size >= this.capacity + Math.max(SLACK_MIN, this.capacity)) this.prune();
    } else if (isBefore(candidate, known.keys)) {
      known.doc = doc;
      known.keys = candidate.slice();
      known.score = score;
    }
  }

  private prune(): void {
    const kept = this.ordered();
    this.entries.clear();
    for (const entry of kept) this.entries.set(entry.group, entry);
    this.last = kept.at(-1)?.keys ?? null;
  }

  private ordered(): Entry[] {
    const all = [...this.entries.values()];
    return all.sort((a, b) => compareKeys(a.keys, b.keys) || a.doc - b.doc).slice(0, this.capacity);
  }

  /** First entry first. */
  finish(docBase: number): CollapsedEntries {
    const kept = this.ordered();
    const entries: SegmentEntries = {
      sources: this.sources,
      docBase,
      docs: Uint32Array.from(kept, ({ doc }) => doc),
      keys: this.sources.map((_, k) => Float64Array.from(kept, ({ keys }) => keys[k] ?? 0)),
      scores: this.hasScores ? Float32Array.from(kept, ({ score }) => score) : null,
    };
    return { entries, groups: kept.map(({ group }) => this.groups.value(group)) };
  }
}

function isBefore(a: Float64Array, b: Float64Array): boolean {
  return compareKeys(a, b) < 0;
}

function compareKeys(a: Float64Array, b: Float64Array): number {
  for (let k = 0; k < a.length; k++) {
    const x = a[k] as number;
    const y = b[k] as number;
    if (x !== y) return x < y ? -1 : 1;
  }
  return 0;
}
