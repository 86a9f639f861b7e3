import { describe, expect, test } from 'vitest';
import { breakerMemory, RequestBreaker } from './request-breaker.ts';

const LIMIT = 1_000;

describe('the request breaker', () => {
  test('counts over all threads, and refuses what is too much with the numbers', () => {
    const shared = breakerMemory(2);
    const [one, two] = [0, 1].map((seat) => new RequestBreaker(shared, seat, LIMIT)) as [
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
    new RequestBreaker(shared, 0, LIMIT).open('<agg>').set(400);
    new RequestBreaker(shared, 1, LIMIT).open('<agg>').set(50);
    const main = new RequestBreaker(shared, 0, LIMIT);
    main.forget(0);
    expect(main.read().usedBytes).toBe(50);
  });
});
