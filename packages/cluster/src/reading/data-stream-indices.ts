/**
 * Indices of data streams, backing and failure ones: their names, and which stream one belongs to.
 */

import type { ClusterState, DataStream, StreamComponent } from '@shoal/cluster-state';
import { assert } from '@shoal/core';

/** Beginning of the name of every index that a stream made. */
const PREFIXES: Readonly<Record<StreamComponent, string>> = { data: '.ds-', failures: '.fs-' };
const GENERATION_DIGITS = 6;

/** Name of a new index of a stream: the stream, the day in UTC and the generation. */
export function streamIndexName(
  stream: string,
  generation: number,
  nowMs: number,
  component: StreamComponent = 'data',
): string {
  const day = new Date(nowMs).toISOString().slice(0, 10).replaceAll('-', '.');
  return `${PREFIXES[component]}${stream}-${day}-${String(generation).padStart(GENERATION_DIGITS, '0')}`;
}

/** Streams by the names of their indices, of each list of streams that was asked for. */
const STREAMS_BY_INDEX = new WeakMap<ReadonlyMap<string, DataStream>, ReadonlyMap<string, DataStream>>();

/** The data stream that an index belongs to; null: it is an index of its own. */
export function dataStreamOf(state: ClusterState, index: string): DataStream | null {
  const { dataStreams } = state.metadata;
  if (dataStreams.size === 0) return null;
  const known = STREAMS_BY_INDEX.get(dataStreams);
  if (known !== undefined) return known.get(index) ?? null;
  const byIndex = new Map(
    [...dataStreams.values()].flatMap((stream) => everyIndexOf(stream).map((name) => [name, stream])),
  );
  STREAMS_BY_INDEX.set(dataStreams, byIndex);
  return byIndex.get(index) ?? null;
}

/** Names of all indices of a stream, the failure indices last. */
export function everyIndexOf({ indices, failureIndices }: DataStream): readonly string[] {
  return [...indices, ...failureIndices];
}

/** Names of the indices of one of the two lists of a stream, oldest first. */
export function indicesOfComponent(stream: DataStream, component: StreamComponent): readonly string[] {
  return component === 'data' ? stream.indices : stream.failureIndices;
}

/** The stream with other indices in one of its two lists. */
export function withIndicesOfComponent(
  stream: DataStream,
  component: StreamComponent,
  indices: readonly string[],
): DataStream {
  return component === 'data' ? { ...stream, indices } : { ...stream, failureIndices: indices };
}

/** The list that an index of the stream is in. */
export function componentOf(stream: DataStream, index: string): StreamComponent {
  return stream.failureIndices.includes(index) ? 'failures' : 'data';
}

/** Whether an index of the stream takes the writes of its list. */
export function isWriteIndexOf(stream: DataStream, index: string): boolean {
  return stream.indices.at(-1) === index || stream.failureIndices.at(-1) === index;
}

/** The backing index that takes the writes. */
export function writeIndexOf(stream: DataStream): string {
  const last = stream.indices.at(-1);
  assert(last !== undefined, `data stream [${stream.name}] has no backing index`);
  return last;
}
