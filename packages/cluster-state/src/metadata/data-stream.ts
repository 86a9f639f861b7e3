/**
 * Data streams in the cluster state, on the wire and on disk: a name for hidden indices, of which the last takes the writes. Beside
 * them a stream may have failure indices, which keep the documents that it could not take.
 */
import { type ItemReader, ValueReader } from '@shoal/core';
import { readPlainObject } from '../json/plain-json.ts';

export interface DataStream {
  readonly name: string;
  /** Names of the backing indices, oldest first; never empty. Writes go to the last. */
  readonly indices: readonly string[];
  /** Number of the last index, backing or failure; grows with every rollover of either and never falls. */
  readonly generation: number;
  /** Wildcards find it only when they look for hidden indices. */
  readonly isHidden: boolean;
  /** `_meta` of the template that it was created from; null without one. */
  readonly meta: Readonly<Record<string, unknown>> | null;
  /** What becomes of the backing indices that no lifecycle policy manages; null: they are kept as they are. */
  readonly lifecycle: DataStreamLifecycle | null;
  /** The next write rolls the stream over first. */
  readonly rollsOverOnWrite: boolean;
  /** Names of the failure indices, oldest first; empty until one is needed. Failed documents go to the last. */
  readonly failureIndices: readonly string[];
  /** The next failed document rolls the failure indices over first. */
  readonly failuresRollOverOnWrite: boolean;
  /** What its options say of failures; null: nothing. */
  readonly failureStore: FailureStoreOptions | null;
}

/** Which of the two lists of indices of a data stream is meant. */
export type StreamComponent = 'data' | 'failures';
export const STREAM_COMPONENTS: readonly StreamComponent[] = ['data', 'failures'];

/** `failure_store` of the options of a data stream; one member at least is given. */
export interface FailureStoreOptions {
  /** Whether failed documents are kept; null: `data_streams.failure_store.enabled` decides. */
  readonly isEnabled: boolean | null;
  /** What becomes of failure indices; null: the one that all have. */
  readonly lifecycle: DataStreamLifecycle | null;
}

export interface DataStreamLifecycle {
  /** false: it is shown, and does nothing. */
  readonly isEnabled: boolean;
  /** Time from the rollover of a backing index to its deletion, as it was given; null: it is never deleted. */
  readonly retention: string | null;
}

export const DATA_STREAMS_MAX = 10_000;
const BACKING_INDICES_MAX = 10_000;

export function writeDataStreams(streams: ReadonlyMap<string, DataStream>): readonly Record<string, unknown>[] {
  return [...streams.values()].map((stream) => ({
    ...stream,
    indices: [...stream.indices],
    failureIndices: [...stream.failureIndices],
    failureStore: stream.failureStore === null ? null : { ...stream.failureStore },
  }));
}

export const readDataStreamLifecycle: ItemReader<DataStreamLifecycle> = (value, field) => {
  const r = ValueReader.of(value, field);
  return { isEnabled: r.boolean('isEnabled'), retention: r.optionalString('retention') };
};

export const readFailureStoreOptions: ItemReader<FailureStoreOptions> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    isEnabled: r.optional('isEnabled', ValueReader.asBoolean),
    lifecycle: r.optional('lifecycle', readDataStreamLifecycle),
  };
};

export const readDataStream: ItemReader<DataStream> = (value, field) => {
  const r = ValueReader.of(value, field);
  const indices = r.list('indices', ValueReader.asString, BACKING_INDICES_MAX);
  if (indices.length === 0) r.refuse('indices', 'at least one backing index');
  return {
    name: r.string('name'),
    indices,
    generation: r.integer('generation', 1, Number.MAX_SAFE_INTEGER),
    isHidden: r.boolean('isHidden'),
    meta: r.optional('meta', readPlainObject),
    // States of versions before it have none.
    lifecycle: r.optional('lifecycle', readDataStreamLifecycle),
    // States of versions before it have none.
    rollsOverOnWrite: r.optional('rollsOverOnWrite', ValueReader.asBoolean) ?? false,
    // States of versions before them have none of the three.
    failureIndices: r.has('failureIndices') ? r.list('failureIndices', ValueReader.asString, BACKING_INDICES_MAX) : [],
    failuresRollOverOnWrite: r.optional('failuresRollOverOnWrite', ValueReader.asBoolean) ?? false,
    failureStore: r.optional('failureStore', readFailureStoreOptions),
  };
};

/** All data streams of a state, by name. */
export const readDataStreams: ItemReader<ReadonlyMap<string, DataStream>> = (value, field) => {
  const streams = new ValueReader({ streams: value }, field).list('streams', readDataStream, DATA_STREAMS_MAX);
  return new Map(streams.map((stream) => [stream.name, stream]));
};
