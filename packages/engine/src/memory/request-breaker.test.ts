import { describe, expect, test } from 'vitest';
import { breakerMemory, RequestBreaker } from './request-breaker.ts';

const LIMIT = 1_000;
const NO_PARENT = { limitBytes: Number.MAX_SAFE_INTEGER, residentBytes: null };
const MEBIBYTE = 1024 * 1024;

describe('the request breaker', () => {
  test('counts over all threads, and refuses what is too much with the numbers', () => {
    const shared = breakerMemory(2);
    const [one, two] = [0, 1].map((slot) => new RequestBreaker(shared, slot, LIMIT, NO_PARENT)) as [
      RequestBreaker,
      RequestBreaker,
    ];
    const first = one.open('<agg>');
    first.set(700);
    const second = two.open('<fetched documents>');
    second.set(300);
    expect(one.read()).toEqual({ limitBytes: LIMIT, usedBytes: 1_000, trips: 0 });
    expect(() => second.set(301)).toThrow(
      expect.objectContaining({
        type: 'circuit_breaking_exception',
        status: 429,
        message: expect.stringContaining(
          '[request] Data too large, data for [<fetched documents>] would be [1001/1001b], which is larger than the limit of [1000/1000b]',
        ),
      }),
    );
    first.close();
    second.set(900);
    second.close();
    expect(two.read()).toEqual({ limitBytes: LIMIT, usedBytes: 0, trips: 1 });
  });

  test('forgets what a thread held that ended, not what others hold', () => {
    const shared = breakerMemory(2);
    new RequestBreaker(shared, 0, LIMIT, NO_PARENT).open('<agg>').set(400);
    new RequestBreaker(shared, 1, LIMIT, NO_PARENT).open('<agg>').set(50);
    const main = new RequestBreaker(shared, 0, LIMIT, NO_PARENT);
    main.forget(0);
    expect(main.read().usedBytes).toBe(50);
  });
});

describe('the breaker of the whole process', () => {
  const LARGE = 1024 * MEBIBYTE;

  /** A process that holds what the test says. */
  class Process {
    residentBytes = 0;
    looks = 0;
    readonly breaker: RequestBreaker;

    constructor(limitBytes: number) {
      const residentBytes = (): number => {
        this.looks++;
        return this.residentBytes;
      };
      this.breaker = new RequestBreaker(breakerMemory(2), 1, LARGE, { limitBytes, residentBytes });
    }
  }

  test('refuses what does not fit beside what the process really holds, whoever holds it', () => {
    const node = new Process(100 * MEBIBYTE);
    node.residentBytes = 95 * MEBIBYTE;
    const account = node.breaker.open('<agg>');
    account.set(5 * MEBIBYTE);
    expect(() => account.set(11 * MEBIBYTE)).toThrow(
      expect.objectContaining({
        status: 429,
        message: expect.stringMatching(
          /^\[parent\] Data too large, data for \[<agg>\] would be \[\d+\/101mb\], which is larger than the limit of \[104857600\/100mb\], real usage: \[\d+\/95mb\], new bytes reserved: \[\d+\/6mb\], usages \[request=\d+\/5mb\]/,
        ),
      }),
    );
    expect(node.breaker.readParent()).toEqual({ limitBytes: 100 * MEBIBYTE, usedBytes: 95 * MEBIBYTE, trips: 1 });
    expect(node.breaker.read()).toMatchObject({ usedBytes: 5 * MEBIBYTE, trips: 0 });
  });

  test('looks again before it refuses: memory may have been given back', () => {
    const node = new Process(100 * MEBIBYTE);
    node.residentBytes = 99.5 * MEBIBYTE;
    const account = node.breaker.open('<agg>');
    account.set(0.4 * MEBIBYTE);
    node.residentBytes = 50 * MEBIBYTE;
    account.set(40 * MEBIBYTE);
    expect(node.breaker.readParent().trips).toBe(0);
  });

  test('looks once for many small reservations', () => {
    const node = new Process(100 * MEBIBYTE);
    for (let i = 0; i < 100; i++) node.breaker.open('<hits>').set(1_000);
    expect(node.looks).toBe(1);
    node.breaker.open('<hits>').set(2 * MEBIBYTE);
    expect(node.looks).toBe(2);
  });

  test('goes by what the breakers count where nobody knows what the process holds', () => {
    const breaker = new RequestBreaker(breakerMemory(1), 0, LARGE, { limitBytes: MEBIBYTE, residentBytes: null });
    const account = breaker.open('<agg>');
    account.set(MEBIBYTE);
    expect(() => account.set(MEBIBYTE + 1)).toThrow('[parent] Data too large');
    expect(breaker.readParent()).toEqual({ limitBytes: MEBIBYTE, usedBytes: MEBIBYTE, trips: 1 });
  });
});
