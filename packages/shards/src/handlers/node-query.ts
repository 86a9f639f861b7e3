/**
 * The query phase of several shards of this node, asked for in one message: those of one worker thread are handed to it together,
 * since waking a thread for each would cost more than most queries do.
 */
import { asShoalError, assert, type CancelFlag, fromWireError, isAssertionFailure, type ShoalError } from '@shoal/core';
import { NODE_QUERY, type NodeQueryRequest, type NodeShardQuery } from '@shoal/protocol';
import type { InboundRequest } from '@shoal/transport';
import { unpackBody } from '../calls/packed-body.ts';
import { shardTooLate } from '../calls/shard-errors.ts';
import type { GroupAnswer, ShardKey } from '../calls/worker-calls.ts';
import type { WorkerThread } from '../worker/worker-thread.ts';
import { ANSWER_BYTES_MAX, type AnsweredShard, type NodeAnswer } from './node-answer.ts';
import { type ShardActionOptions, withinTime } from './shard-actions.ts';

/** Shards that a thread is handed at a time: what is answered is taken, and a cancelled search noticed, between two of them. */
const GROUP_SHARDS_MAX = 64;
/** How much longer a thread is waited for than its shards may take. */
const THREAD_GRACE_MS = 500;

export interface NodeQueryPlan {
  readonly request: NodeQueryRequest;
  readonly inbound: InboundRequest;
  /** Longest time that a context is kept. */
  readonly keepAliveMs: number;
  /** The open shard and its thread. @throws ShoalError when it cannot be asked */
  readonly find: (shard: NodeShardQuery) => Promise<{ readonly key: ShardKey; readonly worker: WorkerThread }>;
}

interface FoundShard {
  readonly position: number;
  readonly key: ShardKey;
  readonly asked: NodeShardQuery;
}

/** Asks the shards and takes what they answer. What went wrong with one is its answer, and the others go on. */
export async function queryNode(options: ShardActionOptions, plan: NodeQueryPlan, answer: NodeAnswer): Promise<void> {
  const byWorker = new Map<WorkerThread, FoundShard[]>();
  for (const [position, asked] of plan.request.shards.entries()) {
    try {
      const { key, worker } = await plan.find(asked);
      const shards = byWorker.get(worker);
      if (shards === undefined) byWorker.set(worker, [{ position, key, asked }]);
      else shards.push({ position, key, asked });
    } catch (error) {
      await answer.take(position, shardError(error));
    }
  }
  const concurrency = Math.max(1, Math.ceil(plan.request.concurrency / Math.max(1, byWorker.size)));
  await Promise.all(
    [...byWorker].map(async ([worker, shards]) => {
      for (let from = 0; from < shards.length; from += GROUP_SHARDS_MAX) {
        if (answer.isFull || plan.inbound.signal.cancelled) return;
        const group = { worker, shards: shards.slice(from, from + GROUP_SHARDS_MAX), concurrency };
        const answers = await askGroup(options, plan, group);
        // In order and one by one: an answer that has no room is let go of before the next is looked at.
        for (const [i, { position }] of group.shards.entries()) await answer.take(position, answers[i] ?? null);
      }
    }),
  );
}

interface Group {
  readonly worker: WorkerThread;
  readonly shards: readonly FoundShard[];
  readonly concurrency: number;
}

type ShardAnswer = AnsweredShard | ShoalError | null;

async function askGroup(
  options: ShardActionOptions,
  { request, inbound, keepAliveMs }: NodeQueryPlan,
  group: Group,
): Promise<readonly ShardAnswer[]> {
  const { worker, shards, concurrency } = group;
  const { query, waitMs } = request;
  const [first] = shards;
  assert(first !== undefined, 'a group without a shard');
  const args = {
    key: first.key,
    query: { ...query, keepAliveMs: Math.min(query.keepAliveMs, keepAliveMs) },
    shards: shards.map(({ key, asked: { aliasFilter, shardIndex, reader, indexBoost } }) => {
      return { key, aliasFilter, shardIndex, reader, indexBoost };
    }),
    concurrency,
    waitMs,
    bytesMax: ANSWER_BYTES_MAX,
  };
  const rounds = Math.ceil(shards.length / concurrency);
  // The thread itself ends what takes too long; a thread that does not answer at all is not waited for.
  const timed = { waitMs: waitMs * rounds + THREAD_GRACE_MS, signal: inbound.signal, action: NODE_QUERY.name };
  const nodeName = options.cluster.localNode.name;
  try {
    const { answers } = await withinTime(options, timed, async (signal: CancelFlag) => {
      const found = await worker.queryShards(args, signal);
      const answers = shards.map((shard, i) => shardAnswer({ worker, shard, waitMs, nodeName }, found[i] ?? null));
      return { answers, discard: () => discardAll(answers) };
    });
    return answers;
  } catch (error) {
    const reason = shardError(error);
    return shards.map(() => reason);
  }
}

interface AnswerOf {
  readonly worker: WorkerThread;
  readonly shard: FoundShard;
  readonly waitMs: number;
  readonly nodeName: string;
}

function shardAnswer({ worker, shard, waitMs, nodeName }: AnswerOf, answer: GroupAnswer | null): ShardAnswer {
  if (answer === null) return null;
  switch (answer.kind) {
    case 'failed':
      return fromWireError(answer.error);
    case 'late':
      return shardTooLate(nodeName, NODE_QUERY.name, waitMs);
    case 'answered': {
      const { contextId, body } = answer;
      const { key, asked } = shard;
      const discard = async (): Promise<void> => {
        if (contextId !== null && asked.reader === null)
          await worker.call('freeContexts', { key, contextIds: [contextId] });
      };
      return { body: unpackBody(body), discard };
    }
  }
}

async function discardAll(answers: readonly ShardAnswer[]): Promise<void> {
  for (const answer of answers) if (answer !== null && 'discard' in answer) await answer.discard();
}

function shardError(error: unknown): ShoalError {
  if (isAssertionFailure(error)) throw error;
  return asShoalError(error);
}
