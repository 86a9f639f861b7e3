import { ShoalError } from '@shoal/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytes, damage, nullable, overTheWire, target } from '../documents/message-arbitraries.test-support.ts';
import { FETCH_PHASE } from './fetch-phase.ts';
import { type ShardBatchAnswer, shardBatch } from './shard-batch.ts';
import { STATISTICS_PHASE } from './term-statistics-phase.ts';

const fetches = shardBatch(FETCH_PHASE);

const fetchRequests = fc.array(
  fc
    .record({
      target,
      fetch: fc.record({
        contextId: fc.nat(100),
        ords: fc.uint32Array({ maxLength: 6 }),
        consumed: nullable(fc.nat(6)),
        search: nullable(bytes),
      }),
    })
    .map(FETCH_PHASE.writeRequest),
  { maxLength: 5 },
);

const answers: fc.Arbitrary<readonly ShardBatchAnswer[]> = fc.array(
  fc.oneof(
    bytes.map((statistics) => ({ ...STATISTICS_PHASE.writeResponse({ statistics }), sections: [] })),
    fc.constant(new ShoalError('x_exception', 500, 'why')),
    fc.constant(null),
  ),
  { maxLength: 5 },
);

describe('one action asked of several shards', () => {
  test('arrives as it was sent, and so does what each answered', () => {
    fc.assert(
      fc.property(fetchRequests, answers, fc.nat(100), (requests, answered, limit) => {
        const sent = { requests, concurrency: limit + 1, waitMs: limit };
        expect(fetches.readRequest(overTheWire(fetches.writeRequest(sent)))).toEqual(sent);
        const response = { answers: answered };
        expect(fetches.readResponse(overTheWire(fetches.writeResponse(response)))).toEqual(response);
      }),
      { numRuns: 60 },
    );
  });

  test('that is damaged on the way is refused in words or read within limits', () => {
    fc.assert(
      fc.property(fetchRequests, answers, fc.nat(), (requests, answered, choice) => {
        const reads = [
          () => fetches.readRequest(damage(fetches.writeRequest({ requests, concurrency: 1, waitMs: 0 }), choice)),
          () => fetches.readResponse(damage(fetches.writeResponse({ answers: answered }), choice)),
        ];
        for (const read of reads) {
          try {
            read();
          } catch (error) {
            expect(error).toMatchObject({ type: 'malformed_message_exception', status: 400 });
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  test('carries a byte string that shards share once', () => {
    const search = new Uint8Array(1_000).fill(7);
    const own = { index: 'i', indexUuid: 'u', shard: 0, allocationId: 'a', stateVersion: 1 };
    const fetch = { contextId: 1, ords: new Uint32Array(0), consumed: null, search };
    const requests = Array.from({ length: 50 }, () => FETCH_PHASE.writeRequest({ target: own, fetch }));
    const { message } = fetches.writeRequest({ requests, concurrency: 1, waitMs: 0 });
    expect((message as { readonly shared: readonly Uint8Array[] }).shared).toEqual([search]);
    // Equal bytes of several answers are as good as the same.
    const statistics = shardBatch(STATISTICS_PHASE);
    const same = Array.from({ length: 50 }, () => STATISTICS_PHASE.writeResponse({ statistics: search.slice() }));
    const written = statistics.writeResponse({ answers: same }).message;
    expect((written as { readonly shared: readonly Uint8Array[] }).shared).toHaveLength(1);
  });

  test('sets no field of a message but one that stands for bytes', () => {
    const item = { message: { a: null, b: 1, c: { d: null } }, sections: 0 };
    const read = (path: readonly string[]): unknown => {
      const items = [{ ...item, bytes: [{ path, at: 0 }] }];
      const message = { items, shared: [Uint8Array.of(1)], concurrency: 1, waitMs: 0 };
      return fetches.readRequest({ message }).requests[0]?.message;
    };
    expect(read(['a'])).toEqual({ ...item.message, a: Uint8Array.of(1) });
    expect(read(['c', 'd'])).toEqual({ ...item.message, c: { d: Uint8Array.of(1) } });
    for (const path of [['b'], ['c'], ['a', 'd'], ['x'], ['c', 'x'], ['__proto__'], ['constructor', 'name'], []]) {
      expect(() => read(path)).toThrow(/bytes/);
    }
  });
});
