/**
 * A point in time over indices: a reader of every shard, named by one id that any node can search with.
 */
import { checkBlock } from '@shoal/cluster';
import { ShoalError } from '@shoal/core';
import { OPEN_READER, type OpenReaderRequest, type OpenReaderResponse } from '@shoal/protocol';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import { askUntilCurrent } from '../../documents/ask-until-current.ts';
import type { IndicesOptions } from '../../indices/indices-options.ts';
import { resolveIndices } from '../../indices/resolve-indices.ts';
import { allShardsFailed, type ShardCounts, type ShardFailure } from '../phases/search-failures.ts';
import { ShardBatches } from '../phases/shard-batches.ts';
import { type HeldContext, writeContextId } from '../targets/context-ids.ts';
import { PerNodeLimit } from '../targets/per-node-limit.ts';
import { type SearchTarget, searchTargets } from '../targets/search-targets.ts';
import { freeHeldContexts } from './execute-scroll.ts';

export interface OpenPointInTimeInput {
  readonly expression: string | null;
  readonly indicesOptions: IndicesOptions;
  readonly routings: readonly string[];
  readonly keepAliveMs: number;
  /** Shards that are not there are left out, instead of an error. */
  readonly allowPartial: boolean;
  /** Readers that one node opens at a time, at least 1; null: `CONCURRENT_OPENS`. */
  readonly maxConcurrentOpens: number | null;
}

export interface OpenedPointInTime {
  readonly id: string;
  readonly shards: ShardCounts;
  readonly createdAtMs: number;
}

const OPEN_TIMEOUT_MS = 60_000;
/** Readers that one node opens at a time: each takes next to nothing. */
const CONCURRENT_OPENS = 64;

export async function openPointInTime(
  context: CoordinatorContext,
  input: OpenPointInTimeInput,
): Promise<OpenedPointInTime> {
  const state = context.cluster.state();
  checkBlock(state, 'read', []);
  const nowMs = context.runtime.clock.wallMs();
  const indices = resolveIndices(state, input.expression, input.indicesOptions, nowMs);
  const names = indices.map((resolved) => resolved.index.name);
  checkBlock(state, 'read', names);
  const targets = searchTargets(indices, input.routings, context.reads.shards);
  const held: HeldContext[] = [];
  const failures: ShardFailure[] = [];
  const limit = new PerNodeLimit(input.maxConcurrentOpens ?? CONCURRENT_OPENS);
  const asked = { limit, timeoutMs: OPEN_TIMEOUT_MS, signal: null, asksRestAlone: false };
  const batches = new ShardBatches(context, OPEN_READER, asked);
  const opened = await Promise.all(targets.map((target) => openReader(context, target, input.keepAliveMs, batches)));
  for (const one of opened) {
    if ('contextId' in one) held.push(one);
    else failures.push(one);
  }
  if (failures.length > 0 && (!input.allowPartial || held.length === 0)) {
    await freeHeldContexts(context, [{ held, filters: {} }]);
    throw allShardsFailed(failures, 'open_search_context');
  }
  const filters: Record<string, string> = {};
  for (const { shard, aliasFilter } of targets) {
    if (aliasFilter !== null) filters[shard.index] = Buffer.from(aliasFilter).toString('utf8');
  }
  const { length: total } = targets;
  const shards = { total, successful: held.length, skipped: 0, failed: failures.length, failures };
  return { id: writeContextId('pit', { held, filters }), shards, createdAtMs: nowMs };
}

async function openReader(
  context: CoordinatorContext,
  target: SearchTarget,
  keepAliveMs: number,
  batches: ShardBatches<OpenReaderRequest, OpenReaderResponse>,
): Promise<HeldContext | ShardFailure> {
  const { shard } = target;
  const outcome = await askUntilCurrent(context, shard, null, (copy) =>
    batches.send(copy.nodeId, { target: copy.target, keepAliveMs }),
  );
  switch (outcome.kind) {
    case 'missing':
      return { target, nodeId: null, error: noCopy(target) };
    case 'failed':
      return { target, nodeId: outcome.nodeId, error: outcome.error };
    case 'answered': {
      const { copy, response } = outcome;
      const { allocationId } = copy.target;
      return { shard, nodeId: copy.nodeId, allocationId, contextId: response.contextId };
    }
  }
}

function noCopy({ shard }: SearchTarget): ShoalError {
  return new ShoalError(
    'no_shard_available_action_exception',
    503,
    `No shard available for [${shard.index}][${shard.number}]`,
  );
}
