/**
 * The queries of one search, gathered by node: all shards of a node are asked in one message, or in few where they are many.
 *
 * One message is under way to each node at a time. The node itself runs a bounded number of the shards at once, and what it
 * leaves unanswered is asked again.
 */
import { assert, isShoalError, malformedMessage } from '@shoal/core';
import {
  NODE_QUERY,
  NODE_QUERY_SHARDS_MAX,
  type NodeShardAnswer,
  type NodeShardQuery,
  QUERY_PHASE,
  type QueryPhaseResponse,
} from '@shoal/protocol';
import type { SendOptions } from '@shoal/transport';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import { type QueryPlan, sendOptions, shardQuery, shardTimeoutMs } from './query-plan.ts';

interface AskedShard {
  readonly asked: NodeShardQuery;
  readonly resolve: (response: QueryPhaseResponse) => void;
  readonly reject: (error: unknown) => void;
}

/** How much longer a node is waited for than its shards may take. */
const ANSWER_GRACE_MS = 1_000;

export class NodeBatches {
  readonly #context: CoordinatorContext;
  readonly #plan: QueryPlan;
  readonly #reduced: () => Promise<void>;
  /** Shards by node that were not asked yet; a node without an entry has no message under way. */
  readonly #queues = new Map<string, AskedShard[]>();

  /** @param reduced resolves when the results that were handed out before are dealt with */
  constructor(context: CoordinatorContext, plan: QueryPlan, reduced: () => Promise<void>) {
    this.#context = context;
    this.#plan = plan;
    this.#reduced = reduced;
  }

  query(nodeId: string, asked: NodeShardQuery): Promise<QueryPhaseResponse> {
    return new Promise((resolve, reject) => {
      const queue = this.#queues.get(nodeId);
      if (queue !== undefined) {
        queue.push({ asked, resolve, reject });
        return;
      }
      const started: AskedShard[] = [{ asked, resolve, reject }];
      this.#queues.set(nodeId, started);
      // Behind the calls of this turn, which name the other shards of the node.
      void Promise.resolve().then(() => this.#drain(nodeId, started));
    });
  }

  async #drain(nodeId: string, queue: AskedShard[]): Promise<void> {
    while (queue.length > 0) {
      const shards = queue.splice(0, NODE_QUERY_SHARDS_MAX);
      try {
        const answers = await this.#ask(nodeId, shards);
        queue.unshift(...settle(shards, answers));
      } catch (error) {
        for (const { reject } of shards) reject(error);
      }
      // Results that arrived are reduced before more are asked for.
      await this.#reduced();
    }
    this.#queues.delete(nodeId);
  }

  async #ask(nodeId: string, shards: readonly AskedShard[]): Promise<readonly NodeShardAnswer[]> {
    const { cluster } = this.#context;
    const { query, limit, timeoutMs } = this.#plan;
    const [first] = shards;
    assert(first !== undefined, `no shard of node ${nodeId} is asked`);
    if (shards.length === 1) {
      const { target, ...own } = first.asked;
      const message = { target, query: shardQuery(query, own), fetchPage: null };
      return [await cluster.send(nodeId, QUERY_PHASE, message, sendOptions(this.#plan))];
    }
    const waitMs = shardTimeoutMs(timeoutMs);
    const rounds = Math.ceil(shards.length / limit.max);
    const options: SendOptions = { ...sendOptions(this.#plan), timeoutMs: waitMs * rounds + ANSWER_GRACE_MS };
    const message = { query, shards: shards.map(({ asked }) => asked), concurrency: limit.max, waitMs };
    const { answers } = await cluster.send(nodeId, NODE_QUERY, message, options);
    const isUseful = answers.length === shards.length && answers.some((answer) => answer !== null);
    if (!isUseful) throw malformedMessage(`node [${nodeId}] has no answer for any of ${shards.length} shards`);
    return answers;
  }
}

/** Hands out the answers. @returns the shards without one */
function settle(shards: readonly AskedShard[], answers: readonly NodeShardAnswer[]): readonly AskedShard[] {
  return shards.filter(({ resolve, reject }, i) => {
    const answer = answers[i] ?? null;
    if (answer === null) return true;
    if (isShoalError(answer)) reject(answer);
    else resolve(answer);
    return false;
  });
}
