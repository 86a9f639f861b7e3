/** Segments of the shards of one node: any node → data node. Channel `reg`. */
import { assert, type ItemReader, ValueReader } from '@shoal/core';
import type { FieldDiskBytes, SegmentInfo } from '@shoal/shard-api';
import type { ActionCodec } from '@shoal/transport';
import { SHARD_NUMBER_MAX } from '../documents/shard-target.ts';

export interface ShardSegmentsRequest {
  /** Names of concrete indices. */
  readonly indices: readonly string[];
  /** Whether the answer tells what each field takes of the files. */
  readonly withFields: boolean;
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

const FIELDS_MAX = 1_000_000;
const BYTES_MAX = Number.MAX_SAFE_INTEGER;

const readField: ItemReader<FieldDiskBytes> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    name: r.string('name'),
    invertedIndex: r.integer('invertedIndex', 0, BYTES_MAX),
    storedFields: r.integer('storedFields', 0, BYTES_MAX),
    docValues: r.integer('docValues', 0, BYTES_MAX),
    points: r.integer('points', 0, BYTES_MAX),
    norms: r.integer('norms', 0, BYTES_MAX),
  };
};

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
    // A node of an earlier version does not tell.
    fields: r.has('fields') ? r.list('fields', readField, FIELDS_MAX) : [],
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
  writeRequest: ({ indices, withFields }) => ({ message: { indices: [...indices], withFields } }),
  readRequest: (body) => {
    const r = ValueReader.of(body.message);
    return {
      indices: r.list('indices', ValueReader.asString, INDICES_MAX),
      withFields: r.has('withFields') && r.boolean('withFields'),
    };
  },
  writeResponse: ({ shards }) => {
    assert(shards.length <= SHARDS_MAX, `segments of ${shards.length} shards of one node`);
    return {
      message: {
        shards: shards.map((entry) => ({
          ...entry,
          segments: entry.segments.map((segment) => ({
            ...segment,
            fields: segment.fields.map((field) => ({ ...field })),
          })),
        })),
      },
    };
  },
  readResponse: (body) => ({ shards: ValueReader.of(body.message).list('shards', readEntry, SHARDS_MAX) }),
};
