/**
 * Documents that were deleted lately: what their ids are known by when no segment has them any more.
 *
 * Deletes stay for `index.gc_deletes`, so that a delayed write with an older external version is still refused, and as long as an
 * operation below them may still come, which must not bring the document back. Columns
 * beside one Map, so that an entry costs no object. Documents that are there need no entry: their segment, or the one being
 * written, knows them by their id.
 */
import { assert } from '@shoal/core';
import { GrowableF64 } from '../../bytes/growable-arrays.ts';
import type { DocMeta } from '../../format/reader/segment-reader.ts';

const ENTRY_BYTES = 132;

export class RecentDeletes {
  private readonly slots = new Map<string, number>();
  private readonly versions = new GrowableF64();
  private readonly seqNos = new GrowableF64();
  private readonly primaryTerms = new GrowableF64();
  private readonly timesMs = new GrowableF64();

  get sizeBytes(): number {
    return this.slots.size * ENTRY_BYTES;
  }

  get(id: string): DocMeta | null {
    if (this.slots.size === 0) return null;
    const slot = this.slots.get(id);
    return slot === undefined ? null : this.meta(slot);
  }

  private meta(slot: number): DocMeta {
    return {
      version: this.versions.at(slot),
      seqNo: this.seqNos.at(slot),
      primaryTerm: this.primaryTerms.at(slot),
    };
  }

  add(id: string, { version, seqNo, primaryTerm }: DocMeta, nowMs: number): void {
    assert(seqNo >= 0 && version >= 0, `delete of sequence number ${seqNo} and version ${version}`);
    this.slots.set(id, this.versions.length);
    this.versions.push(version);
    this.seqNos.push(seqNo);
    this.primaryTerms.push(primaryTerm);
    this.timesMs.push(nowMs);
  }

  /** The document is there again. */
  remove(id: string): void {
    if (this.slots.size > 0) this.slots.delete(id);
  }

  /** All of them, in the order in which they came. */
  *entries(): Generator<DocMeta & { readonly id: string; readonly timeMs: number }, void> {
    for (const [id, slot] of this.slots) yield { id, ...this.meta(slot), timeMs: this.timesMs.at(slot) };
  }

  get count(): number {
    return this.slots.size;
  }

  /** Those that are younger than `gcDeletesMs`, or above the local checkpoint. */
  since(nowMs: number, gcDeletesMs: number, localCheckpoint: number): RecentDeletes {
    const next = new RecentDeletes();
    for (const [id, slot] of this.slots) {
      const timeMs = this.timesMs.at(slot);
      const isNeeded = nowMs - timeMs <= gcDeletesMs || this.seqNos.at(slot) > localCheckpoint;
      if (isNeeded) next.add(id, this.meta(slot), timeMs);
    }
    return next;
  }
}
