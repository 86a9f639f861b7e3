/**
 * One action asked of the shards of one node in one message.
 */
import { asShoalError, assert, type CancelFlag, isAssertionFailure, isShoalError, type ShoalError } from '@shoal/core';
import { SHARD_BATCH_MAX, SHARD_BATCH_SECTIONS_MAX, type ShardBatchAnswer, shardBatch } from '@shoal/protocol';
import type { ActionCodec, WireBody } from '@shoal/transport';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import type { PerNodeLimit } from '../targets/per-node-limit.ts';
import { type ItemAnswer, NodeBatches } from './node-batches.ts';
import { batchOptions, sendOptions, shardTimeoutMs } from './query-plan.ts';

export interface ShardBatchPlan {
  readonly limit: PerNodeLimit;
  /** How long a shard may take; null: as long as it takes, up to the phase's own limit. */
  readonly timeoutMs: number | null;
  readonly signal: CancelFlag | null;
  /** Shards that a message leaves unanswered are asked one by one: what they have may be too large for a message of many. */
  readonly asksRestAlone: boolean;
}

export class ShardBatches<Req, Res> {
  readonly #context: CoordinatorContext;
  readonly #codec: ActionCodec<Req, Res>;
  readonly #plan: ShardBatchPlan;
  readonly #batches: NodeBatches<Req, Res>;

  constructor(context: CoordinatorContext, codec: ActionCodec<Req, Res>, plan: ShardBatchPlan) {
    this.#context = context;
    this.#codec = codec;
    this.#plan = plan;
    this.#batches = new NodeBatches({
      itemsMax: SHARD_BATCH_MAX,
      ask: (nodeId, requests) => this.#ask(nodeId, requests),
      settled: () => Promise.resolve(),
    });
  }

  /** Asks one shard of the node, together with the others that are asked for in the same turn. */
  send(nodeId: string, request: Req): Promise<Res> {
    return this.#batches.send(nodeId, request);
  }

  async #ask(nodeId: string, requests: readonly Req[]): Promise<readonly ItemAnswer<Res>[]> {
    const { limit } = this.#plan;
    const [first] = requests;
    assert(first !== undefined, `no shard of node ${nodeId} is asked`);
    if (requests.length === 1) return [await this.#sendAlone(nodeId, first)];
    const written = requests.map((request) => this.#codec.writeRequest(request));
    const asked = written.slice(0, fitting(written));
    const message = { requests: asked, concurrency: limit.max, waitMs: shardTimeoutMs(this.#plan.timeoutMs) };
    const options = batchOptions(this.#plan, { shardCount: asked.length, concurrency: limit.max });
    const { answers } = await this.#context.cluster.send(nodeId, shardBatch(this.#codec), message, options);
    return Promise.all(requests.map((request, i) => this.#answerOf(nodeId, request, answers[i] ?? null)));
  }

  async #answerOf(nodeId: string, request: Req, answer: ShardBatchAnswer): Promise<ItemAnswer<Res>> {
    if (isShoalError(answer) || (answer === null && !this.#plan.asksRestAlone)) return answer;
    return orError(async () =>
      answer === null
        ? this.#plan.limit.run(nodeId, () => this.#sendAlone(nodeId, request))
        : this.#codec.readResponse(answer),
    );
  }

  #sendAlone(nodeId: string, request: Req): Promise<Res> {
    return this.#context.cluster.send(nodeId, this.#codec, request, sendOptions(this.#plan));
  }
}

/** What is wrong with one shard is its answer, and says nothing of the others. */
async function orError<Res>(work: () => Promise<Res>): Promise<Res | ShoalError> {
  try {
    return await work();
  } catch (error) {
    if (isAssertionFailure(error)) throw error;
    return asShoalError(error);
  }
}

/** How many of the requests have room in one message; at least one. */
function fitting(requests: readonly WireBody[]): number {
  let sections = 0;
  const end = requests.findIndex((request) => {
    sections += request.sections?.length ?? 0;
    return sections > SHARD_BATCH_SECTIONS_MAX;
  });
  return end < 0 ? requests.length : Math.max(1, end);
}
