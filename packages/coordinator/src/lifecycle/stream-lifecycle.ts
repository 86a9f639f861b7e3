/**
 * Lifecycle of data streams: the write index rolls over by size and age, and what was rolled over is deleted when its retention is
 * over; backing and failure indices each by a lifecycle of their own.
 * Decided by the cluster state alone, as lifecycle policies are; an index with a policy is left to that.
 */
import { type ClusterSettings, componentOf, dataStreamOf, failuresLifecycleOf, isWriteIndexOf } from '@shoal/cluster';
import type { ClusterState, DataStream, DataStreamLifecycle, IndexMetadata } from '@shoal/cluster-state';
import { parseTimeValue } from '@shoal/core';
import type { LifecycleAction } from './lifecycle-policy.ts';
import { parseConditions } from './rollover-conditions.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Ages at which a write index rolls over: the shorter documents are kept, the smaller the steps in which they go. */
const MAX_AGES: readonly { readonly upToMs: number; readonly maxAge: string }[] = [
  { upToMs: DAY_MS, maxAge: '1h' },
  { upToMs: 14 * DAY_MS, maxAge: '1d' },
  { upToMs: 90 * DAY_MS, maxAge: '7d' },
  { upToMs: Number.POSITIVE_INFINITY, maxAge: '30d' },
];

/** Who decides what becomes of an index of a data stream that has these settings. */
export function managerOf(
  lifecycle: DataStreamLifecycle | null,
  settings: Readonly<Record<string, string>>,
): 'policy' | 'stream' | 'nobody' {
  const hasPolicy = (settings['index.lifecycle.name'] ?? '') !== '';
  if (hasPolicy && prefersPolicy(settings)) return 'policy';
  if (lifecycle?.isEnabled === true) return 'stream';
  return hasPolicy ? 'policy' : 'nobody';
}

/** `index.lifecycle.prefer_ilm`, for an index that has both a policy and a stream with a lifecycle. */
export function prefersPolicy(settings: Readonly<Record<string, string>>): boolean {
  return settings['index.lifecycle.prefer_ilm'] !== 'false';
}

/** Lifecycle that decides about an index, with the retention in force; null: none does, or a lifecycle policy. */
export function streamLifecycleOf(
  state: ClusterState,
  index: IndexMetadata,
  settings: ClusterSettings,
): DataStreamLifecycle | null {
  const stream = dataStreamOf(state, index.name);
  if (stream === null) return null;
  const lifecycle = componentOf(stream, index.name) === 'data' ? stream.lifecycle : failuresOf(stream, settings);
  return managerOf(lifecycle, index.settings) === 'stream' ? lifecycle : null;
}

function failuresOf(stream: DataStream, settings: ClusterSettings): DataStreamLifecycle | null {
  const failures = failuresLifecycleOf(stream, settings);
  return failures === null ? null : { ...failures.lifecycle, retention: failures.effectiveRetention };
}

/** What is to be done now with an index of a data stream that has the lifecycle; null: nothing yet. */
export function streamAction(
  state: ClusterState,
  index: IndexMetadata,
  lifecycle: DataStreamLifecycle,
  nowMs: number,
): LifecycleAction | null {
  const stream = dataStreamOf(state, index.name);
  if (stream !== null && isWriteIndexOf(stream, index.name)) {
    return { kind: 'rollover', conditions: parseConditions({ conditions: rolloverConditions(lifecycle) }) };
  }
  const retentionMs = retentionOf(lifecycle);
  if (retentionMs === null || nowMs - generationStartMs(index) < retentionMs) return null;
  return { kind: 'delete' };
}

/** When no more documents came to an index: its rollover, or its creation where it was taken in as it was. */
export function generationStartMs({ rolledOverMs, creationDateMs }: IndexMetadata): number {
  return rolledOverMs ?? creationDateMs;
}

/** Conditions of a rollover as its API takes them. */
export function rolloverConditions(lifecycle: DataStreamLifecycle): Readonly<Record<string, string | number>> {
  const retentionMs = retentionOf(lifecycle) ?? Number.POSITIVE_INFINITY;
  const { maxAge } = MAX_AGES.find(({ upToMs }) => retentionMs <= upToMs) ?? { maxAge: '30d' };
  return { max_age: maxAge, max_primary_shard_size: '50gb', min_docs: 1, max_primary_shard_docs: 200_000_000 };
}

function retentionOf({ retention }: DataStreamLifecycle): number | null {
  return retention === null ? null : parseTimeValue(retention, 'data_retention');
}
