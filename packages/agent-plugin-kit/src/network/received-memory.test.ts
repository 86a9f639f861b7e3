import { createNodeRuntime, createSilentLog, type Scheduler } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { ReceivedMemory, receivedMemory } from './received-memory.ts';

/** A scheduler whose timers run when the test says so. */
function manual(): { readonly sched: Scheduler; run(): void } {
  const due = new Set<() => void>();
  const { sched } = createNodeRuntime({ log: createSilentLog() });
  const after: Scheduler['after'] = (_ms, run) => {
    due.add(run);
    return () => void due.delete(run);
  };
  return {
    sched: { ...sched, after },
    run: () => {
      for (const run of [...due]) {
        due.delete(run);
        run();
      }
    },
  };
}

function shares(memory: ReceivedMemory, count: number) {
  const woken: number[] = [];
  const at = (n: number) => list[n] ?? expect.unreachable();
  const list = Array.from({ length: count }, (_, n) =>
    memory.share(() => {
      if (at(n).mayTake()) woken.push(n);
    }),
  );
  return { at, woken };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('what connections have received', () => {
  test('holds back all who want more at the limit, and lets them go on in their order', async () => {
    const memory = new ReceivedMemory(100, manual().sched);
    const { at, woken } = shares(memory, 3);
    let release = (): void => {};
    at(0).leaves(100, new Promise<void>((resolve) => (release = resolve)));
    expect([at(2).mayTake(), at(1).mayTake()]).toEqual([false, false]);
    release();
    await settled();
    expect(woken).toEqual([2, 1]);
    expect(memory.bytes).toBe(0);
    expect(at(1).mayTake()).toBe(true);
  });

  test('is given back when the queue refuses it, too', async () => {
    const memory = new ReceivedMemory(100, manual().sched);
    memory.share(() => {}).leaves(100, Promise.reject(new Error('full')));
    await settled();
    expect(memory.bytes).toBe(0);
  });

  test('goes on with one connection where all wait for their senders', () => {
    const memory = new ReceivedMemory(100, manual().sched);
    const { at, woken } = shares(memory, 3);
    for (let n = 0; n < 3; n++) at(n).holds(50);
    expect([at(0).mayTake(), at(1).mayTake(), at(2).mayTake()]).toEqual([true, false, false]);
    at(0).holds(500);
    expect(at(0).mayTake()).toBe(true);
    expect(woken).toEqual([]);
    at(0).holds(0);
    expect(woken).toEqual([1]);
    expect([at(1).mayTake(), at(0).mayTake()]).toEqual([true, false]);
    at(1).end();
    // What is left is below the limit again.
    expect(woken).toEqual([1, 2, 0]);
  });

  test('goes on with another one when nothing comes from that', () => {
    const { sched, run } = manual();
    const memory = new ReceivedMemory(100, sched);
    const { at, woken } = shares(memory, 2);
    for (let n = 0; n < 2; n++) at(n).holds(50);
    expect([at(0).mayTake(), at(1).mayTake()]).toEqual([true, false]);
    run();
    expect(woken).toEqual([1]);
    expect([at(1).mayTake(), at(0).mayTake()]).toEqual([true, false]);
  });
});

test('the memory is one for a machine, and a part of it', () => {
  const { machine, sched } = createNodeRuntime({ log: createSilentLog() });
  const of = (totalMemoryBytes: number): number =>
    receivedMemory({ machine: { ...machine, totalMemoryBytes }, sched }).bytesMax / 1024 / 1024;
  expect([of(0), of(2 ** 30), of(2 ** 40)]).toEqual([16, 32, 256]);
  expect(receivedMemory({ machine, sched })).toBe(receivedMemory({ machine, sched }));
});
