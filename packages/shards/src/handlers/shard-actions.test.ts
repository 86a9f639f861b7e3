import { CancelSource, ShoalError } from '@shoal/core';
import type { ClusterService } from '@shoal/membership';
import { OPEN_READER, type OpenReaderRequest, shardBatch } from '@shoal/protocol';
import type { Runtime } from '@shoal/runtime';
import type { InboundRequest, RequestHandler } from '@shoal/transport';
import { describe, expect, test } from 'vitest';
import type { AnsweredShard } from './node-answer.ts';
import { handleShardAction, type RunShard } from './shard-actions.ts';

const MEBIBYTE = 1024 * 1024;
const opens = shardBatch(OPEN_READER);

/** A node that opens readers, under a clock that a test moves. */
class Node {
  readonly #handlers = new Map<string, RequestHandler>();
  readonly discarded: number[] = [];
  readonly cancel = new CancelSource();
  #timers: (() => void)[] = [];

  constructor(run: RunShard<OpenReaderRequest>, isOnce = false) {
    const handle = (name: string, handler: RequestHandler): void => void this.#handlers.set(name, handler);
    const cluster = { transport: { handle }, localNode: { name: 'n1' } } as unknown as ClusterService;
    const after = (_: number, fn: () => void): (() => void) => {
      this.#timers.push(fn);
      return () => {
        this.#timers = this.#timers.filter((timer) => timer !== fn);
      };
    };
    handleShardAction(
      { cluster, runtime: { sched: { after } } as unknown as Runtime },
      {
        codec: OPEN_READER,
        run,
        isOnce,
      },
    );
  }

  answer(contextId: number, bytes = 0): AnsweredShard {
    const discard = async (): Promise<void> => void this.discarded.push(contextId);
    return { body: { message: { contextId }, sections: [new Uint8Array(bytes)] }, discard };
  }

  /** Everything that is waited for takes too long. */
  timeOut(): void {
    for (const timer of this.#timers.splice(0)) timer();
  }

  async ask(shardCount: number, concurrency: number): Promise<readonly unknown[]> {
    const requests = Array.from({ length: shardCount }, (_, shard) =>
      OPEN_READER.writeRequest({
        target: { index: 'i', indexUuid: 'u', shard, allocationId: 'a', stateVersion: 1 },
        keepAliveMs: 1,
      }),
    );
    const body = opens.writeRequest({ requests, concurrency, waitMs: 1_000 });
    const inbound = { ...body, timeoutMs: 5_000, signal: this.cancel.flag } as unknown as InboundRequest;
    const handler = this.#handlers.get(opens.name);
    if (handler === undefined) throw new Error(`no handler of ${opens.name}`);
    const { answers } = opens.readResponse(await handler(inbound));
    return answers.map((answer) =>
      answer === null || answer instanceof ShoalError
        ? (answer?.type ?? null)
        : (answer.message as { readonly contextId: number }).contextId,
    );
  }
}

describe('shards that are asked in one message', () => {
  test('answer in their order, and one that cannot says why beside the others', async () => {
    const node = new Node(async ({ target: { shard } }) => {
      if (shard === 1) throw new ShoalError('x_exception', 500, 'why');
      return node.answer(shard);
    });
    expect(await node.ask(4, 2)).toEqual([0, 1, 2, 3].map((shard) => (shard === 1 ? 'x_exception' : shard)));
    expect(node.discarded).toEqual([]);
  });

  test('are not waited for longer than each may take, and what comes late is let go of', async () => {
    const late: (() => void)[] = [];
    const node = new Node(async ({ target: { shard } }) => {
      if (shard === 1) await new Promise<void>((resolve) => late.push(resolve));
      if (shard === 2) node.timeOut();
      return node.answer(shard);
    });
    // The third is late by its own doing; the fourth has its time before it.
    expect(await node.ask(4, 2)).toEqual([
      0,
      'receive_timeout_transport_exception',
      'receive_timeout_transport_exception',
      3,
    ]);
    for (const end of late) end();
    await Promise.resolve();
    await Promise.resolve();
    expect([...node.discarded].sort()).toEqual([1, 2]);
  });

  test('let go of what they keep for a sender that is gone', async () => {
    const node = new Node(async ({ target: { shard } }) => {
      if (shard === 2) node.cancel.cancel('gone');
      return node.answer(shard);
    });
    await expect(node.ask(3, 1)).rejects.toMatchObject({ type: 'task_cancelled_exception' });
    expect(node.discarded).toEqual([0, 1, 2]);
  });

  test('are asked again where their answers have no room, or not at all when they answer only once', async () => {
    const again = new Node(async ({ target: { shard } }) => again.answer(shard, 7 * MEBIBYTE));
    expect(await again.ask(5, 2)).toEqual([0, 1, null, null, null]);
    expect(again.discarded).toContain(2);
    const limits: number[] = [];
    const once = new Node(async ({ target: { shard } }, { bytesMax }) => {
      limits.push(bytesMax);
      return shard === 1 ? null : once.answer(shard, 7 * MEBIBYTE);
    }, true);
    // The one that ran beside the last that had room is sent too, the one that was too large by itself is not.
    expect(await once.ask(6, 2)).toEqual([0, null, 2, 3, null, null]);
    expect(once.discarded).toEqual([]);
    expect(new Set(limits)).toEqual(new Set([8 * MEBIBYTE]));
  });
});
