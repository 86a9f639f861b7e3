import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type GatheredPage, gatherByMerge, gatherByRank, type PageRequest } from './gather-page.ts';
import { RankMemory } from './rank-memory.ts';
import { ASCENDING, RankedShards } from './ranked-shards.test-support.ts';

/** A generator of numbers that repeats itself: cases are told apart by one seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

type Keys = (random: () => number, shard: number) => number;

const KINDS: Readonly<Record<string, Keys>> = {
  uniform: (random) => random(),
  'like scores': (random) => Math.fround(-Math.log(random() + 1e-9) * (1 + random())),
  'fifty distinct': (random) => Math.floor(random() ** 2 * 50),
  'all equal': () => 7,
  'partitioned by range': (random, shard) => shard * 1_000 + Math.floor(random() * 1_000),
  'reversed range': (random, shard) => -shard * 1_000 + Math.floor(random() * 1_000),
};

interface Case {
  readonly seed: number;
  readonly kind: string;
  readonly shardCount: number;
  readonly sizes: 'equal' | 'uneven' | 'some empty';
  readonly entries: number;
}

const cases: fc.Arbitrary<Case> = fc.record({
  seed: fc.nat(),
  kind: fc.constantFrom(...Object.keys(KINDS)),
  shardCount: fc.integer({ min: 1, max: 12 }),
  sizes: fc.constantFrom('equal' as const, 'uneven' as const, 'some empty' as const),
  entries: fc.integer({ min: 0, max: 9_000 }),
});

function shardsOf({ seed, kind, shardCount, sizes, entries }: Case): RankedShards {
  const random = randomOf(seed);
  const keyOf = KINDS[kind] ?? (() => 0);
  const lists = Array.from({ length: shardCount }, (_, shard) => {
    const isEmpty = sizes === 'some empty' && random() < 0.4;
    const share = sizes === 'equal' ? 1 : random() ** 3 * 3;
    const length = isEmpty ? 0 : Math.floor((entries / shardCount) * share);
    return Float64Array.from({ length }, () => keyOf(random, shard));
  });
  return new RankedShards(lists);
}

const request = (from: number, size: number): PageRequest => ({ sort: ASCENDING, from, size, entriesMax: 1e9 });

/** Entries as [shard, ordinal]. */
function shown({ page, entries }: GatheredPage): unknown {
  return page.map(({ target, position }) => [target, entries[target]?.ords[position]]);
}

const place = fc.double({ min: 0, max: 1.05, noNaN: true });
const size = fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 3_000 }));

describe('a page of several sorted lists', () => {
  test('gathered by rank equals that of a full sort', async () => {
    await fc.assert(
      fc.asyncProperty(cases, place, size, async (one, at, length) => {
        const shards = shardsOf(one);
        const all = shards.sorted();
        const from = Math.floor(at * all.length);
        const found = await gatherByRank(shards, request(from, length), null);
        expect(shown(found)).toEqual(all.slice(from, from + length));
        expect(found.entriesMoved).toBe(shards.entriesMoved);
      }),
      { numRuns: 1_500 },
    );
  });

  test('gathered in pieces equals that of a full sort', async () => {
    await fc.assert(
      fc.asyncProperty(cases, place, size, async (one, at, length) => {
        const shards = shardsOf(one);
        const all = shards.sorted();
        const from = Math.floor(at * all.length);
        const found = await gatherByMerge(shards, request(from, length));
        expect(shown(found)).toEqual(all.slice(from, from + length));
      }),
      { numRuns: 700 },
    );
  });

  test('of a point in time equals it too, whichever pages were asked for before', async () => {
    await fc.assert(
      fc.asyncProperty(cases, fc.array(fc.tuple(place, size), { minLength: 2, maxLength: 6 }), async (one, pages) => {
        const shards = shardsOf(one);
        const all = shards.sorted();
        const memory = new RankMemory();
        for (const [at, length] of pages) {
          const from = Math.floor(at * all.length);
          const found = await gatherByRank(shards, request(from, length), memory);
          expect(shown(found)).toEqual(all.slice(from, from + length));
        }
      }),
      { numRuns: 400 },
    );
  });
});

describe('what a page costs', () => {
  const MATCHES = 1_000_000;

  test.each([3, 10, 50].flatMap((shardCount) => Object.keys(KINDS).map((kind) => ({ shardCount, kind }))))(
    '$shardCount shards, $kind: few entries and few rounds',
    async ({ shardCount, kind }) => {
      const sizes = kind === 'uniform' ? 'uneven' : 'equal';
      const shards = shardsOf({ seed: 11, kind, shardCount, sizes, entries: MATCHES });
      const limit = Math.max(6_144, 256 * shardCount);
      for (const from of [10_001, 123_456, 500_000, 999_990]) {
        shards.entriesMoved = 0;
        const found = await gatherByRank(shards, request(from, 10), null);
        expect(found.entriesMoved).toBeLessThanOrEqual(10 + limit);
        // The first, two that narrow, the last, and one for a shard that holds the page alone.
        expect(found.rounds).toBeLessThanOrEqual(5);
      }
    },
  );

  test('in a point in time the next page, the one before and any other come with the first answer', async () => {
    const shards = shardsOf({ seed: 5, kind: 'uniform', shardCount: 3, sizes: 'equal', entries: MATCHES });
    const memory = new RankMemory();
    const rounds: number[] = [];
    for (const from of [500_000, 500_010, 500_020, 500_010, 123_456, 123_466, 999_000, 0, 10]) {
      rounds.push((await gatherByRank(shards, request(from, 10), memory)).rounds);
    }
    expect(rounds).toEqual([expect.any(Number), 1, 1, 1, 1, 1, 1, 1, 1]);
  });
});
