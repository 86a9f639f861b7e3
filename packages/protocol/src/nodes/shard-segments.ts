/** Segments of the shards of one node: any node → data node. Channel `reg`. */
import { type ItemReader, ValueReader } from '@shoal/core';
import type { SegmentInfo } from '@shoal/shard-api';
import type { ActionCodec } from '@shoal/transport';
import { SHARD_NUMBER_MAX } from '../documents/shard-target.ts';

export interface ShardSegmentsRequest {
  /** Names of concrete indices. */
  readonly indices: readonly string[];
}

export interface ShardSegmentsEntry {
  readonly index: string;
  readonly shard: number;
  readonly allocationId: string;
  readonly segments: readonly SegmentInfo[];
}

export interface ShardSegmentsResponse {
  readonly shards: readonly ShardSegmentsEntry[];
}

const INDICES_MAX = 100_000;
/** Most shards that one node holds. */
const SHARDS_MAX = 100_000;
const SEGMENTS_MAX = 100_000;

const readSegment: ItemReader<SegmentInfo> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    name: r.string('name'),
    liveCount: r.integer('liveCount', 0, Number.MAX_SAFE_INTEGER),
    deletedCount: r.integer('deletedCount', 0, Number.MAX_SAFE_INTEGER),
    sizeBytes: r.integer('sizeBytes', 0, Number.MAX_SAFE_INTEGER),
    memoryBytes: r.integer('memoryBytes', 0, Number.MAX_SAFE_INTEGER),
    isCommitted: r.boolean('isCommitted'),
    isSearchable: r.boolean('isSearchable'),
  };
};

const readEntry: ItemReader<ShardSegmentsEntry> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    index: r.string('index'),
    shard: r.integer('shard', 0, SHARD_NUMBER_MAX),
    allocationId: r.string('allocationId'),
    segments: r.list('segments', readSegment, SEGMENTS_MAX),
  };
};

export const SHARD_SEGMENTS: ActionCodec<ShardSegmentsRequest, ShardSegmentsResponse> = {
  name: 'indices:monitor/segments[n]',
  writeRequest: ({ indices }) => ({ message: { indices: [...indices] } }),
  readRequest: (body) => ({ indices: ValueReader.of(body.message).list('indices', ValueReader.asString, INDICES_MAX) }),
  writeResponse: ({ shards }) => ({
    message: {
      shards: shards.map((entry) => ({ ...entry, segments: entry.segments.map((segment) => ({ ...segment })) })),
    },
  }),
  readResponse: (body) => ({ shards: ValueReader.of(body.message).list('shards', readEntry, SHARDS_MAX) }),
};
