/**
 * Snapshots that are being made, in the cluster state, on the wire and on disk: whoever is the cluster manager makes them.
 *
 * The state says what is to be in a snapshot, not how far it has come: a cluster manager that takes over asks every shard again,
 * which copies nothing twice.
 */
import { type ItemReader, ValueReader } from '@shoal/core';
import { readPlainObject } from '../json/plain-json.ts';

export interface RunningSnapshot {
  readonly repository: string;
  readonly name: string;
  readonly uuid: string;
  /** Concrete names, sorted. */
  readonly indices: readonly string[];
  readonly dataStreams: readonly string[];
  readonly startMs: number;
  /** Goes on without the shards that have no primary. */
  readonly isPartial: boolean;
  readonly includesGlobalState: boolean;
  /** "metadata" of the request; null without. */
  readonly userMetadata: Readonly<Record<string, unknown>> | null;
  /** Deleted while it runs: it ends without a trace. */
  readonly isAborted: boolean;
}

export const RUNNING_SNAPSHOTS_MAX = 1_000;
const INDICES_MAX = 100_000;

export function writeRunningSnapshots(snapshots: readonly RunningSnapshot[]): readonly Record<string, unknown>[] {
  return snapshots.map((snapshot) => ({
    ...snapshot,
    indices: [...snapshot.indices],
    dataStreams: [...snapshot.dataStreams],
  }));
}

const readRunningSnapshot: ItemReader<RunningSnapshot> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    repository: r.string('repository'),
    name: r.string('name'),
    uuid: r.string('uuid'),
    indices: r.list('indices', ValueReader.asString, INDICES_MAX),
    dataStreams: r.list('dataStreams', ValueReader.asString, INDICES_MAX),
    startMs: r.integer('startMs', 0, Number.MAX_SAFE_INTEGER),
    isPartial: r.boolean('isPartial'),
    includesGlobalState: r.boolean('includesGlobalState'),
    userMetadata: r.optional('userMetadata', readPlainObject),
    isAborted: r.boolean('isAborted'),
  };
};

export const readRunningSnapshots: ItemReader<readonly RunningSnapshot[]> = (value, field) =>
  new ValueReader({ snapshots: value }, field).list('snapshots', readRunningSnapshot, RUNNING_SNAPSHOTS_MAX);
