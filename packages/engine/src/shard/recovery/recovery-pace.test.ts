import { createMemoryDisk } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { createTestRuntime } from '../lifecycle/shard-fixture.test-support.ts';
import { RecoveryPace, RecoveryRate, recoveryMemory } from './recovery-pace.ts';

const MIB = 1024 * 1024;
const runtime = () => createTestRuntime(createMemoryDisk());

/** Milliseconds after which `sends` are all over, to 10. */
async function timeOf(at: ReturnType<typeof runtime>, sends: readonly Promise<void>[]): Promise<number> {
  let isOver = false;
  void Promise.all(sends).then(() => {
    isOver = true;
  });
  for (let ms = 0; ms <= 10_000; ms += 10) {
    await at.advance(ms === 0 ? 0 : 10);
    if (isOver) return ms;
  }
  throw new Error('it does not end');
}

describe('files of shards that go to other copies', () => {
  test('take 40 MB a second where nobody says otherwise', async () => {
    const at = runtime();
    const pace = new RecoveryPace(at, new RecoveryRate(recoveryMemory(2), 0));
    expect(await timeOf(at, [pace.mayBeSent(80 * MIB)])).toBe(2_000);
  });

  test('take all of the limit from one thread, and share it when two send', async () => {
    const memory = recoveryMemory(2);
    const rates = [new RecoveryRate(memory, 0), new RecoveryRate(memory, 1)] as const;
    rates[0].setLimit(MIB);
    const at = runtime();
    const [first, second] = rates.map((rate) => new RecoveryPace(at, rate));
    expect(await timeOf(at, [first?.mayBeSent(MIB) ?? Promise.reject()])).toBe(1_000);
    rates[1].begin();
    expect(rates[0].bytesPerSecond).toBe(MIB);
    expect(await timeOf(at, [first?.mayBeSent(MIB) ?? Promise.reject()])).toBe(2_000);
    // The thread of the second one ended while it sent.
    rates[0].forget(1);
    expect(await timeOf(at, [second?.mayBeSent(MIB) ?? Promise.reject()])).toBe(1_000);
  });

  test.each([0, -1])('wait for nothing with a limit of %i', async (limit) => {
    const rate = new RecoveryRate(recoveryMemory(1), 0);
    rate.setLimit(limit);
    const at = runtime();
    expect(await timeOf(at, [new RecoveryPace(at, rate).mayBeSent(2 ** 40)])).toBe(0);
  });

  test('take less or more from the next piece on when the limit changes', async () => {
    const rate = new RecoveryRate(recoveryMemory(1), 0);
    const at = runtime();
    const pace = new RecoveryPace(at, rate);
    rate.setLimit(MIB);
    expect(await timeOf(at, [pace.mayBeSent(MIB)])).toBe(1_000);
    rate.setLimit(4 * MIB);
    expect(await timeOf(at, [pace.mayBeSent(MIB)])).toBe(250);
  });
});
