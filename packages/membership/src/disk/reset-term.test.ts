import { emptyClusterState, headerOf } from '@shoal/cluster';
import type { ClusterState } from '@shoal/cluster-state';
import { type DurableState, initialDurableState } from '@shoal/consensus';
import { createMemoryDisk, createNodeRuntime, createSilentLog, type Runtime } from '@shoal/runtime';
import { beforeEach, describe, expect, test } from 'vitest';
import { CoordinationLog } from './coordination-log.ts';
import { openDataPath } from './node-data-path.ts';
import { resetTerm } from './reset-term.ts';

const PATH = 'data';
const EMPTY = initialDurableState(emptyClusterState('c'));
const KEEP = { term: null, acceptedTerm: null };
const LAST = Number.MAX_SAFE_INTEGER;
let runtime: Runtime;

beforeEach(() => {
  runtime = { ...createNodeRuntime({ log: createSilentLog() }), disk: createMemoryDisk() };
});

async function withLog<T>(use: (log: CoordinationLog, durable: DurableState<ClusterState>) => Promise<T>): Promise<T> {
  const dataPath = await openDataPath(runtime, PATH);
  const { log, durable } = await CoordinationLog.open(runtime.disk, dataPath.stateFolder, EMPTY, runtime);
  try {
    return await use(log, durable);
  } finally {
    await log.close();
    await dataPath.release();
  }
}

function stopped(currentTerm: number, acceptedTerm: number): Promise<void> {
  const value = { ...emptyClusterState('c'), term: acceptedTerm, version: 5, stateUuid: 's' };
  return withLog((log) => log.save({ currentTerm, accepted: { ...headerOf(value), value } }));
}

const onDisk = (): Promise<DurableState<ClusterState>> => withLog(async (_log, durable) => durable);

describe('mending the term of a stopped node', () => {
  test('takes it back to that of its last state, which stays as it was', async () => {
    await stopped(LAST, 7);
    const { before, after } = await resetTerm(runtime, PATH, KEEP);
    expect([before.term, after.term, after.acceptedTerm, after.acceptedVersion]).toEqual([LAST, 7, 7, 5]);
    const durable = await onDisk();
    expect([durable.currentTerm, durable.accepted.term, durable.accepted.stateUuid]).toEqual([7, 7, 's']);
  });

  test('raises it where the node is too far behind', async () => {
    await stopped(7, 7);
    await resetTerm(runtime, PATH, { term: 5_000_000, acceptedTerm: null });
    expect((await onDisk()).currentTerm).toBe(5_000_000);
  });

  test('asks for the term of a state whose own is too high', async () => {
    await stopped(LAST, LAST - 1);
    await expect(resetTerm(runtime, PATH, KEEP)).rejects.toMatchObject({
      reason: expect.stringMatching(/version \[5\] of term \[9007199254740990\].*--accepted-term/),
    });
    await resetTerm(runtime, PATH, { term: null, acceptedTerm: 40 });
    const durable = await onDisk();
    expect([durable.currentTerm, durable.accepted.term, durable.accepted.value.term]).toEqual([40, 40, 40]);
  });

  test.each([
    [{ term: 6, acceptedTerm: null }, 'below the term [7]'],
    [{ term: LAST, acceptedTerm: null }, 'is above'],
  ])('refuses %o', async (options, reason) => {
    await stopped(LAST, 7);
    await expect(resetTerm(runtime, PATH, options)).rejects.toMatchObject({ reason: expect.stringContaining(reason) });
    expect((await onDisk()).currentTerm).toBe(LAST);
  });

  test('refuses a path that is none of a node, and one that is in use', async () => {
    await expect(resetTerm(runtime, 'elsewhere', KEEP)).rejects.toMatchObject({ status: 400 });
    await stopped(LAST, 7);
    const held = await openDataPath(runtime, PATH);
    await expect(resetTerm(runtime, PATH, KEEP)).rejects.toMatchObject({ type: 'illegal_state_exception' });
    await held.release();
  });
});
