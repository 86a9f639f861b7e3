/**
 * One of several parts of the documents, for readers who share the work of an export.
 *
 * Within a point in time every reader sees the same ordinals, so that a part is a range of them. Other readers may see
 * other segments: there a document's id says which part it is in.
 */
import { assert, murmur3 } from '@shoal/core';
import type { Slice } from '@shoal/query';
import { NO_MORE_DOCS, type SegmentReader } from '../../format/reader/segment-reader.ts';
import { allDocsWeight, constantWeight } from '../bits/constant-weight.ts';
import type { DocIterator } from '../weight/doc-iterator.ts';
import { TestedDocs } from '../weight/tested-docs.ts';
import { NONE_WEIGHT, type Weight } from '../weight/weight.ts';

export interface SlicedShard {
  readonly number: number;
  /** Shards of the index. */
  readonly shardCount: number;
  readonly isPointInTime: boolean;
}

/** Slices share out whole shards first; only where they are more than the shards does one hold several. */
export function sliceWeight(slice: Slice, shard: SlicedShard): Weight {
  const within = sliceWithin(slice, shard);
  const { id, max } = slice;
  assert(id >= 0 && id < max, `slice ${id} of ${max}`);
  assert(shard.number < shard.shardCount, `shard ${shard.number} of ${shard.shardCount}`);
  if (within === null) return NONE_WEIGHT;
  if (within.max === 1) return allDocsWeight(1);
  assert(
    within.id < within.max,
    `slice ${id} of ${max} is part ${within.id} of ${within.max} of shard ${shard.number}`,
  );
  return constantWeight(({ segment }) => {
    return shard.isPointInTime ? new OrdinalRangeDocs(segment.docCount, within) : hashedDocs(segment, within);
  }, 1);
}

/** The part of this shard that a slice of the whole is; null when it has none of it. */
function sliceWithin({ id, max }: Slice, { number, shardCount }: SlicedShard): Slice | null {
  if (max < shardCount) return number % max === id ? { id: 0, max: 1 } : null;
  if (id % shardCount !== number) return null;
  const parts = Math.floor(max / shardCount) + (max % shardCount > number ? 1 : 0);
  return { id: Math.floor(id / shardCount), max: parts };
}

class OrdinalRangeDocs implements DocIterator {
  doc = -1;
  readonly cost: number;
  private readonly from: number;
  private readonly to: number;

  constructor(docCount: number, { id, max }: Slice) {
    this.from = Math.floor((docCount * id) / max);
    this.to = Math.floor((docCount * (id + 1)) / max);
    this.cost = this.to - this.from;
    assert(this.to <= docCount && this.cost >= 0, `slice ${this.from}..${this.to} of ${docCount} documents`);
  }

  next(): number {
    return this.advance(this.doc + 1);
  }

  advance(target: number): number {
    const doc = Math.max(target, this.from);
    return (this.doc = doc >= this.to ? NO_MORE_DOCS : doc);
  }
}

function hashedDocs(segment: SegmentReader, { id, max }: Slice): DocIterator {
  return new TestedDocs(segment.docCount, (doc) => (murmur3(segment.id(doc)) >>> 0) % max === id);
}
