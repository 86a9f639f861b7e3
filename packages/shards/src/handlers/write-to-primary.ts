/**
 * Writes of one request on one primary: handed to the engine, stopped where fields are new, confirmed by the cluster
 * manager, resumed.
 *
 * A field is indexed only after the cluster manager has confirmed it, so that two shards never disagree on its type. What
 * was done before stays done; each operation gets a result, whatever happens to the mapping.
 */

import { findIndexBlock } from '@shoal/cluster';
import type { IndexMetadata } from '@shoal/cluster-state';
import { asShoalError, assert, isAssertionFailure, ShoalError } from '@shoal/core';
import type { PrimaryClaim } from '@shoal/engine';
import type { ClusterService } from '@shoal/membership';
import { BULK_RESULTS } from '@shoal/protocol';
import { typedIndexSettings } from '@shoal/schema';
import { type PackedOperations, PackedResults } from '@shoal/shard-api';
import { unpackBody } from '../calls/packed-body.ts';
import type { LocalShard } from '../supervisor/local-shard.ts';
import type { WorkerThread } from '../worker/worker-thread.ts';

export interface PrimaryWriteOptions {
  readonly cluster: ClusterService;
  readonly shard: LocalShard;
  readonly worker: WorkerThread;
  /** Copy that the request names. */
  readonly claim: PrimaryClaim;
  /** Copies that must be active before anything is done. */
  readonly activeCopiesMin: number;
  /** Hands the mapping of the applied state to the engine. */
  readonly refreshMetadata: (shard: LocalShard) => Promise<void>;
  /** `indices.mapping.dynamic_timeout`: how long the cluster manager may take for new fields. */
  readonly mappingTimeoutMs: number;
}

/** Attempts with no operation done between them after which new fields count as refused. */
const ATTEMPTS_WITHOUT_PROGRESS_MAX = 3;

export interface PrimaryWriteAnswer {
  readonly results: PackedResults;
  /** Copies that have everything that was done, the primary among them. */
  readonly successful: number;
  /** Copies that are out for some of it. */
  readonly failed: number;
}

export async function writeToPrimary(
  operations: PackedOperations,
  options: PrimaryWriteOptions,
): Promise<PrimaryWriteAnswer> {
  const count = operations.length;
  // The worker owns the bytes while it has them, and gives them back when there is more to be done.
  let { bytes } = operations;
  let results = new PackedResults();
  let fruitless = 0;
  let successful: number | null = null;
  const failed = new Set<string>();
  const { claim, activeCopiesMin } = options;
  const { key } = options.shard;
  while (results.length < count) {
    const from = results.length;
    // Who routed it may not have seen the block, and fields may have been waited for meanwhile.
    const blocked = findIndexBlock(options.cluster.state(), 'write', options.shard.index);
    if (blocked !== null) {
      if (from === 0) throw blocked;
      while (results.length < count) results.push({ kind: 'failed', error: blocked });
      break;
    }
    const answer = await options.worker.write({ key, claim, operations: bytes, from, activeCopiesMin });
    for (const copy of answer.failed) failed.add(copy);
    const done = BULK_RESULTS.read(unpackBody(answer.results));
    assert(done.length <= count - results.length, 'the engine answered more operations than it was given');
    // What changed nothing was sent to no other copy.
    if (done.hasWritten) successful = Math.min(successful ?? answer.successful, answer.successful);
    if (results.length === 0) results = done;
    else results.append(done);
    if (answer.mappingUpdate === null) {
      assert(results.length === count, 'the engine left operations out without asking for new fields');
      break;
    }
    assert(answer.operations !== null, 'the engine asked for new fields and kept the operations');
    bytes = answer.operations;
    fruitless = done.length === 0 ? fruitless + 1 : 0;
    const refusal =
      fruitless >= ATTEMPTS_WITHOUT_PROGRESS_MAX ? unsettled() : await confirm(answer.mappingUpdate, options);
    if (refusal === null) continue;
    fruitless = 0;
    // Only the operation that stopped the engine is known to need the refused fields; the others are tried without.
    if (refusal.status < 500) results.push({ kind: 'failed', error: refusal });
    else while (results.length < count) results.push({ kind: 'failed', error: refusal });
  }
  return { results, successful: successful ?? 1, failed: failed.size };
}

/** Null when the fields are in the mapping and the engine has it; else why not. */
async function confirm(
  mapping: Readonly<Record<string, unknown>>,
  { cluster, shard, refreshMetadata, mappingTimeoutMs }: PrimaryWriteOptions,
): Promise<ShoalError | null> {
  const before = cluster.state().metadata.indices.get(shard.index);
  const current = () => cluster.state().metadata.indices.get(shard.index);
  // Committed, and some node did not apply it in time: perhaps another one than this.
  const applied = () =>
    cluster.waitForState(() => current()?.mappingVersion !== before?.mappingVersion, mappingTimeoutMs);
  try {
    const { acknowledged } = await cluster.admin.putMapping({
      indices: [shard.index],
      mapping,
      masterTimeoutMs: mappingTimeoutMs,
      timeoutMs: mappingTimeoutMs,
    });
    if (!acknowledged && !(await applied())) return mappingTimedOut(mappingTimeoutMs);
  } catch (error) {
    if (isAssertionFailure(error)) throw error;
    // Another request may have settled the fields, in another way: the engine decides with what holds now.
    const now = current();
    const isSettled = now?.mappingVersion !== before?.mappingVersion || leavesOutFields(now);
    if (now === undefined || !isSettled) return asShoalError(error);
  }
  await refreshMetadata(shard);
  return null;
}

/** Whether fields that are too many were left out by the engine, had it known the mapping that another request made. */
function leavesOutFields(index: IndexMetadata | undefined): boolean {
  return index !== undefined && typedIndexSettings(index.settings).leavesOutFieldsBeyondLimit;
}

function mappingTimedOut(afterMs: number): ShoalError {
  const reason = `failed to process cluster event (put-mapping) within ${afterMs / 1000}s`;
  return new ShoalError('process_cluster_event_timeout_exception', 503, reason);
}

function unsettled(): ShoalError {
  return new ShoalError('mapper_parsing_exception', 400, 'new fields are not in the mapping after it was updated');
}
