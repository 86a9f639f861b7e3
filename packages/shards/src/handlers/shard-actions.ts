/**
 * Actions on shards of this node, each asked of one shard or of several in one message.
 */
import { asShoalError, assert, type CancelFlag, CancelSource, isAssertionFailure, ShoalError } from '@shoal/core';
import type { ClusterService } from '@shoal/membership';
import { shardBatch } from '@shoal/protocol';
import type { Runtime } from '@shoal/runtime';
import { type ActionCodec, handleWritten, type InboundRequest, type WireBody } from '@shoal/transport';
import { shardTooLate } from '../calls/shard-errors.ts';
import { ANSWER_BYTES_MAX, type AnsweredShard, NodeAnswer } from './node-answer.ts';

export interface ShardActionOptions {
  readonly runtime: Runtime;
  readonly cluster: ClusterService;
}

/** How a shard is asked. */
export interface ShardAsked {
  /** Time that the sender waits; null when only a disconnect ends its wait. */
  readonly timeoutMs: number | null;
  readonly signal: CancelFlag;
  /** Bytes of the answer that is sent beside those of other shards; infinite for a shard that is asked alone. */
  readonly bytesMax: number;
}

/** Asks one shard. null: its answer has more than `bytesMax`, and the shard can be asked again. */
export type RunShard<Req> = (request: Req, asked: ShardAsked) => Promise<AnsweredShard | null>;

export interface ShardAction<Req, Res> {
  readonly codec: ActionCodec<Req, Res>;
  readonly run: RunShard<Req>;
  /** The shard would not answer the same again: it keeps to `bytesMax`, and what it answers is always sent. */
  readonly isOnce: boolean;
}

/** Handles the action, and the message that asks it of several shards. */
export function handleShardAction<Req, Res>(
  options: ShardActionOptions,
  { codec, run, isOnce }: ShardAction<Req, Res>,
): void {
  const { transport } = options.cluster;
  handleWritten(transport, codec, async (request, { timeoutMs, signal }) => {
    const answer = await run(request, { timeoutMs, signal, bytesMax: Number.POSITIVE_INFINITY });
    assert(answer !== null, `no answer to ${codec.name}, which has no limit`);
    if (signal.cancelled) await answer.discard();
    refuseCancelled(signal);
    return answer.body;
  });
  const batch = shardBatch(codec);
  handleWritten(transport, batch, async ({ requests, concurrency, waitMs }, inbound) => {
    const answer = new NodeAnswer(requests.length, isOnce);
    // What runs beside the last one that had room is sent too.
    const bytesMax = ANSWER_BYTES_MAX / Math.max(1, Math.min(concurrency, requests.length));
    const runOne: RunOne = (body, signal) =>
      run(codec.readRequest(body), { timeoutMs: inbound.timeoutMs, signal, bytesMax });
    await answer.fill(concurrency, (position) =>
      runShard(options, { inbound, waitMs, action: batch.name, body: requests[position] }, runOne),
    );
    if (inbound.signal.cancelled) await answer.discard();
    refuseCancelled(inbound.signal);
    return batch.writeResponse({ answers: answer.answers });
  });
}

type RunOne = (body: WireBody, signal: CancelFlag) => Promise<AnsweredShard | null>;

interface ShardOfMessage {
  readonly inbound: InboundRequest;
  readonly waitMs: number;
  readonly action: string;
  readonly body: WireBody | undefined;
}

/** One shard of a message: what went wrong is its answer, and the others go on. */
async function runShard(
  options: ShardActionOptions,
  { inbound, waitMs, action, body }: ShardOfMessage,
  run: RunOne,
): Promise<AnsweredShard | ShoalError | null> {
  assert(body, `a request of ${action} is there`);
  try {
    return await withinTime(options, { waitMs, signal: inbound.signal, action }, (signal) => run(body, signal));
  } catch (error) {
    if (isAssertionFailure(error)) throw error;
    return asShoalError(error);
  }
}

export interface TimedWork {
  readonly waitMs: number;
  readonly signal: CancelFlag;
  /** Name of the action, for the error. */
  readonly action: string;
}

/** The work's result, unless it takes longer than it may: then the work is cancelled and an error is its result. */
export function withinTime<Answer extends Pick<AnsweredShard, 'discard'> | null>(
  { cluster, runtime }: ShardActionOptions,
  { waitMs, signal, action }: TimedWork,
  work: (signal: CancelFlag) => Promise<Answer>,
): Promise<Answer> {
  const cancel = new CancelSource();
  signal.onCancel(() => cancel.cancel(signal.reason ?? 'by request'));
  return new Promise((resolve, reject) => {
    let isLate = false;
    const stopTimer = runtime.sched.after(waitMs, () => {
      isLate = true;
      cancel.cancel('timed out');
      reject(shardTooLate(cluster.localNode.name, action, waitMs));
    });
    const finish = async (): Promise<void> => {
      try {
        const result = await work(cancel.flag);
        if (isLate) await result?.discard();
        resolve(result);
      } catch (error) {
        // After `reject` this does nothing: whoever waited was told of the time.
        reject(error);
      } finally {
        stopTimer();
      }
    };
    void finish();
  });
}

export function refuseCancelled(signal: CancelFlag): void {
  if (!signal.cancelled) return;
  throw new ShoalError('task_cancelled_exception', 400, `task cancelled [${signal.reason ?? 'by request'}]`);
}
