import { type OpenShardOptions, openShard } from '@shoal/engine';
import { createMemoryDisk, createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { packOperations } from '@shoal/shard-api';
import { expect, test } from 'vitest';
import { EngineCopyStore } from './engine-copy-store.ts';

const OPTIONS: OpenShardOptions = {
  shard: { index: 'books', indexUuid: 'uuid', number: 0 },
  path: 'indices/uuid/0',
  allocationId: 'a1',
  primaryTerm: 1,
  bootstrap: 'create',
  settings: {},
  mapping: {},
};

test('what a sole copy has is agreed until other copies may come, and what it executes from then on is not', async () => {
  const shard = await openShard(
    { ...createNodeRuntime({ log: createSilentLog() }), disk: createMemoryDisk() },
    OPTIONS,
  );
  const unused = (): never => {
    throw new Error('nothing is opened here');
  };
  const engine = {
    options: () => OPTIONS,
    openShard: unused,
    beginFiles: unused,
    nowMs: () => 0,
    shardChanged: unused,
  };
  const store = new EngineCopyStore(engine, shard);
  const remove = packOperations([
    {
      kind: 'delete',
      id: '1',
      routing: null,
      conditions: { ifSeqNo: null, ifPrimaryTerm: null, version: null, versionType: 'internal' },
    },
  ]);
  await shard.write(remove, 0, null);
  expect((await store.stored()).globalCheckpoint).toBe(0);
  await store.write(remove, 0, null, false);
  await store.sync();
  expect(shard.history).toMatchObject({ persistedCheckpoint: 1, globalCheckpoint: 0 });
  await shard.close();
});
