/**
 * How far documents by query are: the counts of one slice, or of all slices together, in the shape that `_tasks` and the answer
 * show.
 */
import { FloatNumber } from '@shoal/core';
import type { ByQueryKind } from './by-query-request.ts';

/** Counts of one slice, which its work changes. */
export class ByQueryCounts {
  total = 0;
  updated = 0;
  created = 0;
  deleted = 0;
  batches = 0;
  versionConflicts = 0;
  noops = 0;
  bulkRetries = 0;
  searchRetries = 0;

  /** Documents that were written. */
  get written(): number {
    return this.updated + this.created + this.deleted;
  }

  add(other: ByQueryCounts): void {
    this.total += other.total;
    this.updated += other.updated;
    this.created += other.created;
    this.deleted += other.deleted;
    this.batches += other.batches;
    this.versionConflicts += other.versionConflicts;
    this.noops += other.noops;
    this.bulkRetries += other.bulkRetries;
    this.searchRetries += other.searchRetries;
  }
}

export interface ByQueryPace {
  readonly throttledMs: number;
  /** Infinity: no limit. */
  readonly requestsPerSecond: number;
  /** What is left of the present wait. */
  readonly throttledUntilMs: number;
}

export interface ByQueryStatus {
  readonly kind: ByQueryKind;
  /** Number of the slice; null when this is not a slice of several. */
  readonly sliceId: number | null;
  readonly counts: ByQueryCounts;
  readonly pace: ByQueryPace;
  /** Why it was stopped; null when nobody did. */
  readonly cancelled: string | null;
  /** Slices that have ended, null for the others; empty without slices. */
  readonly slices: readonly (ByQueryStatus | null)[];
}

type Json = Readonly<Record<string, unknown>>;

const NO_LIMIT = -1;

/** Form in which a status is shown. */
export interface StatusView {
  /** Shows counts that cannot be anything but zero, which `_tasks` does and the answer does not. */
  readonly showsAllCounts: boolean;
  /** Text of a duration for people; null where only numbers are shown. */
  readonly durationText: ((ms: number) => string) | null;
}

/** Form of a status in `_tasks`. */
export const TASK_STATUS_VIEW: StatusView = { showsAllCounts: true, durationText: null };

export function renderByQueryStatus(status: ByQueryStatus, view: StatusView): Json {
  const { kind, sliceId, counts, pace, cancelled, slices } = status;
  const { showsAllCounts, durationText } = view;
  const { requestsPerSecond: pacePerSecond } = pace;
  const throttledMs = Math.round(pace.throttledMs);
  const throttledUntilMs = Math.round(pace.throttledUntilMs);
  return {
    slice_id: sliceId ?? undefined,
    total: counts.total,
    updated: showsAllCounts || kind !== 'delete' ? counts.updated : undefined,
    created: showsAllCounts || kind === 'reindex' ? counts.created : undefined,
    deleted: counts.deleted,
    batches: counts.batches,
    version_conflicts: counts.versionConflicts,
    noops: counts.noops,
    retries: { bulk: counts.bulkRetries, search: counts.searchRetries },
    throttled: durationText?.(throttledMs),
    throttled_millis: throttledMs,
    requests_per_second: new FloatNumber(pacePerSecond === Number.POSITIVE_INFINITY ? NO_LIMIT : pacePerSecond),
    canceled: cancelled ?? undefined,
    throttled_until: durationText?.(throttledUntilMs),
    throttled_until_millis: throttledUntilMs,
    slices:
      slices.length === 0
        ? undefined
        : slices.map((slice) => (slice === null ? null : renderByQueryStatus(slice, view))),
  };
}

/** Status of a whole of which these slices have ended. */
export function joinedStatus(
  kind: ByQueryKind,
  slices: readonly (ByQueryStatus | null)[],
  cancelled: string | null,
): ByQueryStatus {
  const counts = new ByQueryCounts();
  let throttledMs = 0;
  let requestsPerSecond = 0;
  let throttledUntilMs = Number.POSITIVE_INFINITY;
  for (const slice of slices) {
    if (slice === null) continue;
    counts.add(slice.counts);
    throttledMs += slice.pace.throttledMs;
    requestsPerSecond += slice.pace.requestsPerSecond;
    throttledUntilMs = Math.min(throttledUntilMs, slice.pace.throttledUntilMs);
  }
  if (throttledUntilMs === Number.POSITIVE_INFINITY) throttledUntilMs = 0;
  const pace = { throttledMs, requestsPerSecond, throttledUntilMs };
  return { kind, sliceId: null, counts, pace, cancelled, slices };
}
