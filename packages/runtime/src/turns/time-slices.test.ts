import { CancelSource, type Steps } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { TimeSlices } from './time-slices.ts';

/** A clock that each step moves by a millisecond, and turns that a test gives. */
class Bench {
  ms = 0;
  readonly soon: (() => void)[] = [];
  readonly turns = new TimeSlices(
    { soon: (fn) => void this.soon.push(fn), after: () => () => {} },
    { monotonicMs: () => this.ms, wallMs: () => this.ms },
  );

  *steps(count: number, log: string[] = [], name = ''): Steps<number> {
    for (let i = 0; i < count; i++) {
      this.ms++;
      log.push(name);
      yield;
    }
    return count;
  }

  async turn(): Promise<void> {
    this.soon.shift()?.();
    // Whoever waited goes on in a microtask or two.
    for (let i = 0; i < 5; i++) await Promise.resolve();
  }
}

describe('work in slices', () => {
  test('that is short is done at once', async () => {
    const bench = new Bench();
    expect(await bench.turns.run(bench.steps(4), null)).toBe(4);
    expect(bench.soon).toEqual([]);
  });

  test('stops after five milliseconds until its next turn', async () => {
    const bench = new Bench();
    const log: string[] = [];
    const done = bench.turns.run(bench.steps(12, log), null);
    expect(log).toHaveLength(5);
    await bench.turn();
    expect(log).toHaveLength(10);
    await bench.turn();
    expect(await done).toBe(12);
  });

  test('takes turns with other work: one slice of one of them in a turn of the loop', async () => {
    const bench = new Bench();
    const log: string[] = [];
    const all = Promise.all([
      bench.turns.run(bench.steps(8, log, 'a'), null),
      bench.turns.run(bench.steps(8, log, 'b'), null),
    ]);
    expect(log.join('')).toBe('aaaaabbbbb');
    await bench.turn();
    expect(log.join('')).toBe('aaaaabbbbbaaa');
    await bench.turn();
    await all;
    expect(log.join('')).toBe('aaaaabbbbbaaabbb');
  });

  test('ends at its next turn when nobody waits for it any more', async () => {
    const bench = new Bench();
    const client = new CancelSource();
    const log: string[] = [];
    const work = bench.turns.run(bench.steps(100, log), client);
    client.cancel('http channel closed');
    const refused = expect(work).rejects.toThrow('http channel closed');
    await bench.turn();
    await refused;
    expect(log).toHaveLength(5);
  });

  test('that fails rejects with its error', async () => {
    const bench = new Bench();
    // biome-ignore lint/correctness/useYield: it fails before it would.
    const failing = function* (): Steps<number> {
      throw new Error('broken');
    };
    await expect(bench.turns.run(failing(), null)).rejects.toThrow('broken');
  });
});
