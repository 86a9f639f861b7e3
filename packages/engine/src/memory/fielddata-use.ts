/**
 * Memory that one shard's fields hold beside their segments: the common numbers of their terms, and values made of postings, by field.
 */
import { assert } from '@shoal/core';

export interface FielddataStats {
  /** Memory held now, in bytes. */
  readonly fielddataBytes: number;
  /** Entries evicted for want of room since start. */
  readonly fielddataEvictions: number;
}

export class ShardFielddata {
  evictions = 0;
  private bytes = 0;
  private readonly fields = new Map<string, number>();

  /** Bytes by field; no field has none. */
  get byField(): ReadonlyMap<string, number> {
    return this.fields;
  }

  /** `bytes` below 0: they are held no more. */
  add(field: string, bytes: number): void {
    const held = (this.fields.get(field) ?? 0) + bytes;
    this.bytes += bytes;
    assert(held >= 0 && this.bytes >= held, `field ${field} holds ${held} of ${this.bytes} bytes`);
    if (held === 0) this.fields.delete(field);
    else this.fields.set(field, held);
  }

  stats(): FielddataStats {
    return { fielddataBytes: this.bytes, fielddataEvictions: this.evictions };
  }
}
