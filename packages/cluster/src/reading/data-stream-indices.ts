/**
 * Backing indices of data streams: their names, and which stream one belongs to.
 */

import type { ClusterState, DataStream } from '@shoal/cluster-state';
import { assert } from '@shoal/core';

/** Beginning of the name of every backing index that a stream made, and of no other index that a user may create. */
const BACKING_PREFIX = '.ds-';
const GENERATION_DIGITS = 6;

/** Name of a new backing index: the stream, the day in UTC and the generation. */
export function backingIndexName(stream: string, generation: number, nowMs: number): string {
  const day = new Date(nowMs).toISOString().slice(0, 10).replaceAll('-', '.');
  return `${BACKING_PREFIX}${stream}-${day}-${String(generation).padStart(GENERATION_DIGITS, '0')}`;
}

/** Streams by the names of their backing indices, of each list of streams that was asked for. */
const STREAMS_BY_INDEX = new WeakMap<ReadonlyMap<string, DataStream>, ReadonlyMap<string, DataStream>>();

/** The data stream that an index belongs to; null: it is an index of its own. */
export function dataStreamOf(state: ClusterState, index: string): DataStream | null {
  const { dataStreams } = state.metadata;
  if (dataStreams.size === 0) return null;
  const known = STREAMS_BY_INDEX.get(dataStreams);
  if (known !== undefined) return known.get(index) ?? null;
  const byIndex = new Map([...dataStreams.values()].flatMap((stream) => stream.indices.map((name) => [name, stream])));
  STREAMS_BY_INDEX.set(dataStreams, byIndex);
  return byIndex.get(index) ?? null;
}

/** The backing index that takes the writes. */
export function writeIndexOf(stream: DataStream): string {
  const last = stream.indices.at(-1);
  assert(last !== undefined, `data stream [${stream.name}] has no backing index`);
  return last;
}
