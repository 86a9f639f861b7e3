import { breakerMemory, recoveryMemory, scrollMemory } from '@shoal/engine';
import { BULK_RESULTS, GET_DOCUMENTS } from '@shoal/protocol';
import { createMemoryDisk, createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { packOperations, type WriteOperation } from '@shoal/shard-api';
import { describe, expect, test } from 'vitest';
import { unpackBody } from '../calls/packed-body.ts';
import { StopSlots } from '../calls/stop-slots.ts';
import type { FromWorker, WorkerCallName, WorkerCalls, WriteAnswer } from '../calls/worker-calls.ts';
import { start } from './shard-worker.ts';

const KEY = 'uuid/0';
const CLAIM = { allocationId: 'a1', primaryTerm: 1 };

const indexing = (id: string): WriteOperation => ({
  kind: 'index',
  opType: 'index',
  id,
  routing: null,
  isAutoId: false,
  source: Buffer.from('{}'),
  conditions: { ifSeqNo: null, ifPrimaryTerm: null, version: null, versionType: 'internal' },
});

/** The program of a worker with one open shard, and calls to it. */
class Worker {
  #receive: (message: unknown) => void = () => {};
  readonly #waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: unknown) => void }>();
  #calls = 0;

  constructor() {
    const runtime = createNodeRuntime({ log: createSilentLog() });
    const port = {
      post: (messages: unknown): void => {
        for (const message of messages as readonly FromWorker[]) {
          if (message.kind === 'result') this.#waiting.get(message.id)?.resolve(message.value);
          if (message.kind === 'error') this.#waiting.get(message.id)?.reject(message.error);
        }
      },
      onMessage: (handler: (message: unknown) => void): void => {
        this.#receive = handler;
      },
    };
    start(port, { ...runtime, disk: createMemoryDisk() });
    const parent = { limitBytes: 2 ** 30, usesRealMemory: false };
    this.#receive([
      {
        kind: 'begin',
        stopBytes: new StopSlots().shared,
        memoryBytesMax: 2 ** 26,
        requestCacheBytesMax: 0,
        breaker: { shared: breakerMemory(1), slot: 0, limitBytes: 2 ** 26, parent },
        scrolls: scrollMemory(1),
        recoveries: recoveryMemory(1),
        refreshesBeforeSearch: false,
        hasOthers: false,
      },
    ]);
  }

  call<Name extends WorkerCallName>(
    name: Name,
    args: Omit<WorkerCalls[Name]['args'], 'key'>,
  ): Promise<WorkerCalls[Name]['result']> {
    const id = this.#calls++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.#receive([{ kind: 'call', id, name, args: { key: KEY, ...args } }]);
    });
  }

  open(settings: Readonly<Record<string, string>> = {}): Promise<unknown> {
    const shard = { index: 'books', indexUuid: 'uuid', number: 0 };
    const options = {
      shard,
      path: 'indices/uuid/0',
      ...CLAIM,
      bootstrap: 'create',
      settings,
      mapping: {},
    } as const;
    return this.call('open', { options, isTarget: false });
  }

  write(id: string, claim: typeof CLAIM): Promise<readonly number[]> {
    const { bytes } = packOperations([indexing(id)]);
    return this.call('write', { claim, operations: bytes, from: 0, activeCopiesMin: 0 }).then(termsOf);
  }
}

/** Primary terms of the operations that were done. */
function termsOf({ results }: WriteAnswer): readonly number[] {
  return [...BULK_RESULTS.read(unpackBody(results)).columns().primaryTerms];
}

describe('writes of a worker', () => {
  test('are executed by the copy and in the term that they name, and by no other', async () => {
    const worker = new Worker();
    await worker.open();
    expect(await worker.write('1', CLAIM)).toEqual([1]);
    await expect(worker.write('2', { ...CLAIM, primaryTerm: 2 })).rejects.toMatchObject({
      type: 'shard_not_found_exception',
      status: 404,
      reason: 'expected allocation id [a1] with term [2] but found [1]',
    });
    await expect(worker.write('2', { ...CLAIM, allocationId: 'a2' })).rejects.toMatchObject({
      reason: 'expected allocation id [a2] but found [a1]',
    });
    const { maxSeqNo } = await worker.call('stats', {});
    expect(maxSeqNo).toBe(0);
  });

  test('that came before the term grew end in the old one; later ones must name the new one; the shard stays open', async () => {
    const worker = new Worker();
    await worker.open();
    const before = worker.write('1', CLAIM);
    const led = worker.call('lead', { primaryTerm: 3 });
    const after = worker.write('2', { ...CLAIM, primaryTerm: 3 });
    const late = worker.write('3', CLAIM);
    await expect(late).rejects.toMatchObject({ reason: 'expected allocation id [a1] with term [1] but found [3]' });
    expect([await before, await led, await after]).toEqual([[1], null, [3]]);
    await expect(worker.call('lead', { primaryTerm: 2 })).rejects.toMatchObject({
      type: 'illegal_state_exception',
      reason: '[books][0] operation primary term [2] is too old (current [3])',
    });
  });
});

test('a get that is not realtime finds on an idle shard what the next search would find', async () => {
  const worker = new Worker();
  await worker.open({ 'index.search.idle.after': '0ms' });
  await worker.write('1', CLAIM);
  const body = await worker.call('get', { refresh: false, gets: [{ id: '1', realtime: false }] });
  const { documents } = GET_DOCUMENTS.readResponse(unpackBody(body));
  expect(documents).toMatchObject([{ id: '1' }]);
});
