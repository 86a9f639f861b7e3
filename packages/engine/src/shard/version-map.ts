/**
 * Ids written since the last refresh, and recent deletes: where a document's newest state is when no segment knows yet.
 *
 * Columns beside one Map, so that an entry costs no object. Deletes stay for `index.gc_deletes`, so that a delayed write
 * with an older external version is still refused.
 */
import { GrowableF64 } from '../bytes/growable-arrays.ts';

export interface VersionEntry {
  readonly version: number;
  readonly seqNo: number;
  readonly primaryTerm: number;
  /** Ordinal in the segment being written; -1 when deleted. */
  readonly doc: number;
}

const ENTRY_BYTES = 140;

export class VersionMap {
  private slots = new Map<string, number>();
  private versions = new GrowableF64();
  private seqNos = new GrowableF64();
  private primaryTerms = new GrowableF64();
  private docs = new GrowableF64();
  private deletedAtMs = new GrowableF64();

  get sizeBytes(): number {
    return this.slots.size * ENTRY_BYTES;
  }

  get(id: string): VersionEntry | null {
    const slot = this.slots.get(id);
    if (slot === undefined) return null;
    return {
      version: this.versions.at(slot),
      seqNo: this.seqNos.at(slot),
      primaryTerm: this.primaryTerms.at(slot),
      doc: this.docs.at(slot),
    };
  }

  set(id: string, entry: VersionEntry, nowMs: number): void {
    const slot = this.slots.get(id);
    if (slot === undefined) {
      this.slots.set(id, this.versions.length);
      this.versions.push(entry.version);
      this.seqNos.push(entry.seqNo);
      this.primaryTerms.push(entry.primaryTerm);
      this.docs.push(entry.doc);
      this.deletedAtMs.push(nowMs);
      return;
    }
    this.versions.values[slot] = entry.version;
    this.seqNos.values[slot] = entry.seqNo;
    this.primaryTerms.values[slot] = entry.primaryTerm;
    this.docs.values[slot] = entry.doc;
    this.deletedAtMs.values[slot] = nowMs;
  }

  /** The segment was finished: its documents are found there; deletes younger than `gcDeletesMs` stay. */
  afterSeal(nowMs: number, gcDeletesMs: number): VersionMap {
    const next = new VersionMap();
    for (const [id, slot] of this.slots) {
      if (this.docs.at(slot) >= 0 || nowMs - this.deletedAtMs.at(slot) > gcDeletesMs) continue;
      const entry = this.get(id);
      if (entry !== null) next.set(id, entry, this.deletedAtMs.at(slot));
    }
    return next;
  }
}
