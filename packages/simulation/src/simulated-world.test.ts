import type { Runtime } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { createWorld, type SimulatedWorld } from './simulated-world.ts';

/** A program that uses everything: timers, random numbers, files, a connection to the next node. */
async function program(runtime: Runtime, name: string, peer: string): Promise<void> {
  await runtime.net.listen({ host: name, port: 9300 }, (socket) => {
    socket.on({ data: (chunk) => socket.write([chunk]), closed: (reason) => runtime.log.info('closed', { reason }) });
  });
  const file = await runtime.disk.open('log', 'create');
  for (let round = 0; round < 20; round++) {
    await new Promise<void>((resolve) => void runtime.sched.after(runtime.random.below(50), resolve));
    await file.write(runtime.random.bytes(100), round * 100);
    if (round % 5 === 0) await file.sync();
    try {
      const socket = await runtime.net.dial({ host: peer, port: 9300 }, { connectTimeoutMs: 100 });
      socket.on({ data: () => socket.end(), closed: () => undefined });
      socket.write([runtime.random.bytes(50)]);
    } catch (error) {
      runtime.log.info('dial failed', { error: String(error) });
    }
  }
}

async function runOnce(seed: number): Promise<{ hash: string; lines: readonly string[] }> {
  const world = createWorld({ seed, network: { spikes: 0.1 } });
  const names = ['a', 'b', 'c'];
  const start = (at: number): void => {
    const name = names[at]!;
    // The program of a crashed process never ends, nor fails.
    void program(world.node(name).runtime, name, names[(at + 1) % 3]!);
  };
  for (const at of names.keys()) start(at);
  await world.run(200);
  world.partition(['a'], ['b', 'c']);
  await world.run(400);
  world.node('b').crash();
  world.heal();
  await world.run(600);
  world.node('b').restart();
  start(1);
  await world.run(10_000);
  return { hash: world.traceHash, lines: world.logLines };
}

describe('a world', () => {
  test('goes the same way twice from one seed, and another way from another', async () => {
    const first = await runOnce(1);
    expect(await runOnce(1)).toEqual(first);
    expect((await runOnce(2)).hash).not.toBe(first.hash);
  });

  test('jumps over idle time', async () => {
    const world = createWorld({ seed: 1 });
    let fired = 0;
    world.node('a').runtime.sched.after(86_400_000, () => {
      fired = world.nowMs;
    });
    await world.run(() => fired > 0);
    expect(fired).toBe(86_400_000);
  });

  test('runs what is due soon before any timer of the same time, and a cancelled timer never', async () => {
    const world = createWorld({ seed: 1 });
    const { sched } = world.node('a').runtime;
    const order: string[] = [];
    sched.after(0, () => order.push('timer'));
    sched.after(0, () => order.push('cancelled'))();
    sched.soon(() => order.push('soon'));
    await world.run(1);
    expect(order).toEqual(['soon', 'timer']);
  });

  test('never calls a crashed process again', async () => {
    const world = createWorld({ seed: 1 });
    const node = world.node('a');
    const calls: string[] = [];
    node.runtime.sched.after(10, () => calls.push('timer'));
    void node.runtime.disk.exists('x').then(() => calls.push('disk'));
    node.crash();
    node.restart().sched.after(20, () => calls.push('next process'));
    await world.run(100);
    expect(calls).toEqual(['next process']);
  });

  test('lets a paused process run late, all at once', async () => {
    const world = createWorld({ seed: 1 });
    const node = world.node('a');
    const times: number[] = [];
    for (const ms of [10, 20, 2_000]) node.runtime.sched.after(ms, () => times.push(world.nowMs));
    node.pause(1_000);
    await world.run(5_000);
    expect(times).toEqual([1_000, 1_000, 2_000]);
  });

  test('says what is waited for when nothing can happen any more', async () => {
    const world: SimulatedWorld = createWorld({ seed: 1 });
    world.node('a');
    await expect(world.settle(new Promise(() => undefined))).rejects.toThrow(/deadlock.*something real is waited for/s);
  });

  test('keeps wall clocks apart and monotonic ones going', async () => {
    const world = createWorld({ seed: 1, work: { betweenReadingsMaxMs: 0 } });
    const { clock } = world.node('a').runtime;
    const before = { wall: clock.wallMs(), monotonic: clock.monotonicMs() };
    world.node('a').jumpWallClock(-3_600_000);
    await world.run(1_000);
    expect(clock.monotonicMs() - before.monotonic).toBe(1_000);
    expect(clock.wallMs() - before.wall).toBe(1_000 - 3_600_000);
    expect(world.node('b').runtime.clock.wallMs()).not.toBe(clock.wallMs());
  });

  test('runs workers inline, by messages that are cloned', async () => {
    const world = createWorld({ seed: 1 });
    const worker = world.node('a').runtime.workers.spawn(
      {
        module: new URL('file:///none'),
        start: (port) => port.onMessage((message) => port.post({ echo: message })),
      },
      'echo',
    );
    const heard: unknown[] = [];
    worker.onMessage((message) => heard.push(message));
    worker.post({ n: 1 });
    await world.run(10);
    expect(heard).toEqual([{ echo: { n: 1 } }]);
  });

  test('fails the run when a check of every event fails', async () => {
    const world = createWorld({ seed: 1 });
    world.node('a').runtime.sched.after(5, () => undefined);
    world.onEveryEvent(() => {
      if (world.nowMs >= 5) throw new Error('broken at 5');
    });
    await expect(world.run(10)).rejects.toThrow('broken at 5');
  });
});

describe('the trace hash of a run', () => {
  async function hashOf(act: (a: Runtime, b: Runtime) => Promise<void>): Promise<string> {
    const world = createWorld({ seed: 1 });
    await world.settle(act(world.node('a').runtime, world.node('b').runtime));
    await world.run(1_000);
    return world.traceHash;
  }

  test('changes with one byte that is written to a disk', async () => {
    const writing = (byte: number) =>
      hashOf(async ({ disk }) => {
        const file = await disk.open('a', 'create');
        await file.write(new Uint8Array([1, 2, byte]), 0);
        await file.close();
      });
    expect(await writing(3)).toBe(await writing(3));
    expect(await writing(3)).not.toBe(await writing(4));
  });

  test('changes with one byte of a message', async () => {
    const sending = (byte: number) =>
      hashOf(async (a, b) => {
        await b.net.listen({ host: 'b', port: 9300 }, (socket) =>
          socket.on({ data: () => undefined, closed: () => undefined }),
        );
        const socket = await a.net.dial({ host: 'b', port: 9300 }, { connectTimeoutMs: 100 });
        socket.write([new Uint8Array([1, 2, byte])]);
      });
    expect(await sending(3)).toBe(await sending(3));
    expect(await sending(3)).not.toBe(await sending(4));
  });
});

describe('time inside an event', () => {
  /** Long work that lets others run whenever 5 ms have passed; the lengths of its slices. */
  function slicesOf(runtime: Runtime, readings: number): Promise<readonly number[]> {
    const slices: number[] = [];
    return new Promise((resolve) => {
      let left = readings;
      const slice = (): void => {
        const startMs = runtime.clock.monotonicMs();
        let nowMs = startMs;
        while (left > 0 && nowMs - startMs < 5) {
          left -= 1;
          nowMs = runtime.clock.monotonicMs();
        }
        slices.push(nowMs - startMs);
        if (left === 0) resolve(slices);
        else runtime.sched.soon(slice);
      };
      slice();
    });
  }

  test('goes on with each reading of the clock, so that long work is cut into slices, the same from one seed', async () => {
    const run = async (seed: number): Promise<readonly number[]> => {
      const world = createWorld({ seed, work: { betweenReadingsMaxMs: 1 } });
      return world.settle(slicesOf(world.node('a').runtime, 100));
    };
    const slices = await run(1);
    expect(slices.length).toBeGreaterThan(5);
    for (const ms of slices) expect(ms).toBeLessThan(6);
    expect(await run(1)).toEqual(slices);
    expect(await run(2)).not.toEqual(slices);
  });

  test('delays the next event of the busy process, and of no other', async () => {
    const world = createWorld({ seed: 1, work: { betweenReadingsMaxMs: 0, stalls: 1, stallMs: 50 } });
    const [a, b] = [world.node('a').runtime, world.node('b').runtime];
    const ran: [string, number][] = [];
    a.sched.after(10, () => {
      a.clock.monotonicMs();
      a.sched.soon(() => ran.push(['soon of a', world.nowMs]));
    });
    a.sched.after(11, () => ran.push(['timer of a', world.nowMs]));
    b.sched.after(12, () => ran.push(['timer of b', world.nowMs]));
    await world.run(1_000);
    expect(ran).toEqual([
      ['timer of b', 12],
      ['soon of a', 60],
      ['timer of a', 60],
    ]);
  });

  test('holds a message back until the work before it is done', async () => {
    const world = createWorld({ seed: 1, network: { latencyMinMs: 1, latencyMaxMs: 1 } });
    const [a, b] = [world.node('a'), world.node('b')];
    let arrivedAtMs = 0;
    const listening = b.runtime.net.listen({ host: 'b', port: 9300 }, (socket) =>
      socket.on({
        data: () => {
          arrivedAtMs = world.nowMs;
        },
        closed: () => undefined,
      }),
    );
    await world.settle(listening);
    const socket = await world.settle(a.runtime.net.dial({ host: 'b', port: 9300 }, { connectTimeoutMs: 100 }));
    a.setWorkTimes({ betweenReadingsMaxMs: 0, stalls: 1, stallMs: 50 });
    const beganAtMs = world.nowMs;
    a.runtime.clock.monotonicMs();
    socket.write([new Uint8Array([1])]);
    await world.run(1_000);
    expect(arrivedAtMs).toBe(beganAtMs + 51);
  });
});
