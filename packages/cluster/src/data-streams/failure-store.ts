/**
 * Whether a data stream keeps the documents that it cannot take, and for how long: its options say so, or settings of the cluster.
 */
import type { DataStream, DataStreamLifecycle } from '@shoal/cluster-state';
import { matchesAny, parseTimeValue } from '@shoal/core';
import type { ClusterSettings } from '../reading/cluster-settings.ts';

const ENABLED = 'data_streams.failure_store.enabled';
const RETENTION = 'data_streams.lifecycle.retention.failures_default';
const RETENTION_DEFAULT = '30d';

/** What becomes of the failure indices of a stream. */
export interface FailuresLifecycle {
  readonly lifecycle: DataStreamLifecycle;
  /** Time that failure indices are kept, as it was given; null: they are never deleted. */
  readonly effectiveRetention: string | null;
  /** Who gave the effective retention. */
  readonly determinedBy: 'data_stream_configuration' | 'default_failures_retention';
}

/** Whether failed documents of a stream are kept. The options of the stream win over the patterns of the setting. */
export function keepsFailures(
  { name, failureStore }: Pick<DataStream, 'name' | 'failureStore'>,
  settings: ClusterSettings,
): boolean {
  return failureStore?.isEnabled ?? matchesAny(patternsOf(settings), name);
}

function patternsOf(settings: ClusterSettings): readonly string[] {
  return (settings[ENABLED] ?? '').split(',').map((pattern) => pattern.trim());
}

/** null: the stream has no failure indices, and gets none. */
export function failuresLifecycleOf(stream: DataStream, settings: ClusterSettings): FailuresLifecycle | null {
  const own = stream.failureStore?.lifecycle ?? null;
  if (own === null && stream.failureIndices.length === 0 && !keepsFailures(stream, settings)) return null;
  const lifecycle = own ?? { isEnabled: true, retention: null };
  const { retention } = lifecycle;
  if (retention !== null)
    return { lifecycle, effectiveRetention: retention, determinedBy: 'data_stream_configuration' };
  return { lifecycle, effectiveRetention: defaultRetention(settings), determinedBy: 'default_failures_retention' };
}

/** null: the setting says that they are never deleted. */
function defaultRetention(settings: ClusterSettings): string | null {
  const text = settings[RETENTION] ?? RETENTION_DEFAULT;
  return parseTimeValue(text, RETENTION) < 0 ? null : text;
}
