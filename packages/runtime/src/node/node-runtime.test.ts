import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPinoLog } from '../log/pino-log.ts';
import { createSilentLog } from '../log/recording-log.ts';
import { createNodeRuntime } from './node-runtime.ts';

const runtime = createNodeRuntime({ log: createSilentLog() });

describe('the scheduler', () => {
  test('runs soon-calls in order, later than this turn and before any timer', async () => {
    const order: string[] = [];
    await new Promise<void>((resolve) => {
      runtime.sched.after(0, () => {
        order.push('timer');
        resolve();
      });
      const end = performance.now() + 3;
      while (performance.now() < end);
      runtime.sched.soon(() => order.push('first'));
      runtime.sched.soon(() => order.push('second'));
      order.push('now');
    });
    expect(order).toEqual(['now', 'first', 'second', 'timer']);
  });

  test('does not run what was cancelled', async () => {
    const cancel = runtime.sched.after(1, () => expect.unreachable());
    cancel();
    cancel();
    await new Promise<void>((resolve) => void runtime.sched.after(5, resolve));
  });
});

describe('random numbers', () => {
  test('stay below their bound and reach every value', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 32 }), (n) => {
        const value = runtime.random.below(n);
        expect(Number.isInteger(value) && value >= 0 && value < n).toBe(true);
      }),
    );
    expect(new Set(Array.from({ length: 500 }, () => runtime.random.below(5))).size).toBe(5);
    expect(runtime.random.bytes(9)).toHaveLength(9);
    expect(() => runtime.random.below(0)).toThrow('outside 1..2^32');
  });
});

describe('the machine', () => {
  test('collects what nobody uses when it is told to', async () => {
    const { machine } = runtime;
    let pieces: Uint8Array[] | null = Array.from({ length: 64 }, () => new Uint8Array(1024 * 1024));
    const held = process.memoryUsage().arrayBuffers;
    expect(pieces.length).toBe(64);
    pieces = null;
    machine.collectGarbage?.();
    // Buffers are freed beside the thread, some moments later.
    for (let i = 0; i < 200 && process.memoryUsage().arrayBuffers > held - 48 * 1024 * 1024; i++)
      await new Promise<void>((resolve) => void runtime.sched.after(10, resolve));
    expect(process.memoryUsage().arrayBuffers).toBeLessThan(held - 48 * 1024 * 1024);
  });

  test('tells what it knows of itself', () => {
    const { machine } = runtime;
    expect(machine.cpuCount).toBeGreaterThan(0);
    expect(machine.totalMemoryBytes).toBeGreaterThan(0);
    const sample = machine.sample();
    expect(sample.pid).toBe(process.pid);
    for (const name of ['residentBytes', 'heapUsedBytes', 'heapMaxBytes', 'uptimeMs'] as const) {
      expect(sample[name]).toBeGreaterThan(0);
    }
    expect(machine.sample().eventLoopDelayMsP99).toBeGreaterThanOrEqual(0);
  });
});

describe('the log', () => {
  test('writes one JSON object a line with the field names of the Elastic Common Schema', () => {
    const lines: string[] = [];
    const log = createPinoLog({
      level: 'info',
      fields: { 'node.name': 'n1' },
      destination: { write: (line) => lines.push(line) },
    });
    log.debug('unseen');
    log.child({ shard: 3 }).warn('disk is slow', { tookMs: 12, error: new Error('late') });
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      'log.level': 'warn',
      '@timestamp': expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      'node.name': 'n1',
      shard: 3,
      message: 'disk is slow',
      tookMs: 12,
      error: { message: 'late' },
    });
  });
});
