/**
 * Data streams in the cluster state, on the wire and on disk: a name for hidden indices, of which the last takes the writes.
 */
import { type ItemReader, ValueReader } from '@shoal/core';
import { readPlainObject } from '../json/plain-json.ts';

export interface DataStream {
  readonly name: string;
  /** Names of the backing indices, oldest first; never empty. Writes go to the last. */
  readonly indices: readonly string[];
  /** Number of the last backing index; grows with every rollover and never falls. */
  readonly generation: number;
  /** Wildcards find it only when they look for hidden indices. */
  readonly isHidden: boolean;
  /** `_meta` of the template that it was created from; null without one. */
  readonly meta: Readonly<Record<string, unknown>> | null;
  /** What becomes of the backing indices that no lifecycle policy manages; null: they are kept as they are. */
  readonly lifecycle: DataStreamLifecycle | null;
  /** The next write rolls the stream over first. */
  readonly rollsOverOnWrite: boolean;
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
  return [...streams.values()].map((stream) => ({ ...stream, indices: [...stream.indices] }));
}

export const readDataStreamLifecycle: ItemReader<DataStreamLifecycle> = (value, field) => {
  const r = ValueReader.of(value, field);
  return { isEnabled: r.boolean('isEnabled'), retention: r.optionalString('retention') };
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
  };
};

/** All data streams of a state, by name. */
export const readDataStreams: ItemReader<ReadonlyMap<string, DataStream>> = (value, field) => {
  const streams = new ValueReader({ streams: value }, field).list('streams', readDataStream, DATA_STREAMS_MAX);
  return new Map(streams.map((stream) => [stream.name, stream]));
};
