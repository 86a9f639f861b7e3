/**
 * What went wrong on which shard: how it is counted, grouped and told, and when it fails the whole search.
 */
import { renderCause, ShoalError } from '@shoal/core';
import type { SearchTarget } from '../targets/search-targets.ts';

export interface ShardFailure {
  readonly target: SearchTarget;
  /** null when no copy of the shard was there to be asked. */
  readonly nodeId: string | null;
  readonly error: ShoalError;
}

export interface ShardCounts {
  readonly total: number;
  /** Includes the skipped ones. */
  readonly successful: number;
  readonly skipped: number;
  /** Shards without a copy count here and are not among `failures`. */
  readonly failed: number;
  readonly failures: readonly ShardFailure[];
}

export type SearchPhaseName = 'query' | 'fetch' | 'open_search_context';

/** Foreign to Elasticsearch's own errors: their text is told once more as the cause of the whole. */
const PLATFORM_TYPES: ReadonlySet<string> = new Set([
  'illegal_argument_exception',
  'illegal_state_exception',
  'number_format_exception',
  'unsupported_operation_exception',
]);
/** Entries of `failures` shown; a search of thousands of shards says the rest in numbers. */
const SHOWN_MAX = 100;

/** One entry for all failures with the same index, type and reason. */
function groupFailures(failures: readonly ShardFailure[]): readonly ShardFailure[] {
  const groups = new Map<string, ShardFailure>();
  for (const failure of failures) {
    const key = JSON.stringify([failure.target.shard.index, failure.error.type, failure.error.reason]);
    if (!groups.has(key)) groups.set(key, failure);
  }
  return [...groups.values()].slice(0, SHOWN_MAX);
}

/** `_shards` of an answer. */
export function renderShardCounts(counts: ShardCounts): Readonly<Record<string, unknown>> {
  const { total, successful, skipped, failed } = counts;
  const failures = groupFailures(counts.failures).map(renderFailure);
  return { total, successful, skipped, failed, ...(failures.length > 0 ? { failures } : {}) };
}

function renderFailure(failure: ShardFailure): Readonly<Record<string, unknown>> {
  const { shard } = failure.target;
  return { shard: shard.number, index: shard.index, node: failure.nodeId, reason: renderCause(failure.error) };
}

/** Every shard failed, or none was there: the status is the worst of the causes, 503 without any. */
export function allShardsFailed(failures: readonly ShardFailure[], phase: SearchPhaseName): ShoalError {
  return phaseFailed('all shards failed', failures, phase);
}

/** With `allow_partial_search_results=false`: null when nothing is missing. */
export function partialResultsRefused(
  missing: readonly SearchTarget[],
  failures: readonly ShardFailure[],
  phase: SearchPhaseName,
): ShoalError | null {
  if (missing.length > 0) {
    const names = missing.map(({ shard }) => `[${shard.index}][${shard.number}]`).join(', ');
    const reason =
      `Search rejected due to missing shards [${names}]. ` +
      'Consider using `allow_partial_search_results` setting to bypass this error.';
    return phaseFailed(reason, [], phase);
  }
  return failures.length > 0 ? phaseFailed('Partial shards failure', failures, phase) : null;
}

function phaseFailed(reason: string, failures: readonly ShardFailure[], phase: SearchPhaseName): ShoalError {
  const groups = groupFailures(failures);
  const status = failures.reduce((worst, failure) => Math.max(worst, failure.error.status), 0) || 503;
  const [first] = groups;
  return new ShoalError('search_phase_execution_exception', status, reason, {
    details: { phase, grouped: true, failed_shards: groups.map(renderFailure) },
    rootCauses: groups.flatMap(({ error }) => (error.rootCauses.length > 0 ? error.rootCauses : [error])),
    ...(first !== undefined && shownCause(first.error)),
  });
}

/** Cause of the whole failure where it is another one than what the first shard says. */
function shownCause(error: ShoalError): { readonly causedBy: ShoalError } | undefined {
  const [root] = error.rootCauses;
  if (root !== undefined) return { causedBy: root };
  return PLATFORM_TYPES.has(error.type) ? { causedBy: causeOf(error) } : undefined;
}

function causeOf(error: ShoalError): ShoalError {
  const inner = new ShoalError(error.type, error.status, error.reason, {
    ...(error.causedBy ? { causedBy: error.causedBy } : {}),
  });
  return new ShoalError(error.type, error.status, error.reason, { causedBy: inner });
}
