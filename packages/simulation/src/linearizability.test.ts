/** The checker itself, with violations planted in histories that are right without them. */
import { describe, expect, test } from 'vitest';
import { isLinearizable, type RegisterCall } from './linearizability.ts';
import { seededRandom } from './seeded-random.ts';

const write = (calledAt: number, returnedAt: number, value: string | null): RegisterCall => ({
  calledAt,
  returnedAt,
  effect: { kind: 'write', value },
});
const read = (calledAt: number, returnedAt: number, value: string | null): RegisterCall => ({
  calledAt,
  returnedAt,
  effect: { kind: 'read', value },
});
const conditional = (calledAt: number, returnedAt: number, expects: string | null, value: string): RegisterCall => ({
  calledAt,
  returnedAt,
  effect: { kind: 'conditionalWrite', expects, value },
});
const NEVER = Number.POSITIVE_INFINITY;

describe('a history of one document is linearizable', () => {
  test.each<[string, readonly RegisterCall[]]>([
    ['when it is sequential', [write(0, 1, 'a'), read(2, 3, 'a'), write(4, 5, null), read(6, 7, null)]],
    ['when calls at the same time may be ordered so', [write(0, 10, 'a'), write(0, 10, 'b'), read(11, 12, 'a')]],
    [
      'when an unknown write took effect late',
      [write(0, NEVER, 'a'), write(1, 2, 'b'), read(3, 4, 'b'), read(5, 6, 'a')],
    ],
    ['when an unknown write never did', [write(0, NEVER, 'a'), read(3, 4, null)]],
    ['when a document was created again after its deletion', [write(0, 1, null), conditional(2, 3, null, 'a')]],
    ['when conditions held in turn', [write(0, 1, 'a'), conditional(2, 3, 'a', 'b'), conditional(4, 5, 'b', 'c')]],
  ])('%s', (_name, calls) => {
    expect(isLinearizable(calls)).toBe(true);
  });
});

describe('a history of one document is refused', () => {
  test.each<[string, readonly RegisterCall[]]>([
    ['when an acknowledged write is lost', [write(0, 1, 'a'), write(2, 3, 'b'), read(4, 5, 'a')]],
    ['when a read sees what comes only later', [read(0, 1, 'a'), write(2, 3, 'a')]],
    ['when a value that was shown is gone', [write(0, NEVER, 'a'), read(1, 2, 'a'), read(3, 4, null)]],
    [
      'when two conditional writes upon one value succeed',
      [write(0, 1, 'a'), conditional(2, 5, 'a', 'b'), conditional(2, 5, 'a', 'c')],
    ],
    ['when a document is created that is there', [write(0, 1, 'a'), conditional(2, 3, null, 'b')]],
    [
      'when an unknown write takes effect twice',
      [write(0, NEVER, 'a'), read(1, 2, 'a'), write(3, 4, 'b'), read(5, 6, 'b'), read(7, 8, 'a')],
    ],
  ])('%s', (_name, calls) => {
    expect(isLinearizable(calls)).toBe(false);
  });
});

test('a long history that ran is accepted, and refused with one stale read in it', () => {
  for (let seed = 1; seed <= 50; seed++) {
    const random = seededRandom(`register/${seed}`);
    const calls: RegisterCall[] = [];
    let value: string | null = null;
    let staleAt = -1;
    for (let at = 0; at < 60; at++) {
      // Takes effect at `at`, called before and returned after it, so that calls overlap.
      const [calledAt, returnedAt] = [at - random.unit() * 3, at + random.unit() * 3];
      if (random.chance(0.5)) {
        value = `v${at}`;
        calls.push(write(calledAt, random.chance(0.1) ? NEVER : returnedAt, value));
      } else {
        if (at > 30) staleAt = calls.length;
        calls.push(read(calledAt, returnedAt, value));
      }
    }
    expect(isLinearizable(calls), `seed ${seed}`).toBe(true);
    const stale = calls[staleAt]!;
    const old = calls.find(({ effect, returnedAt }) => effect.kind === 'write' && returnedAt < 10)!;
    const planted = { ...stale, effect: { kind: 'read', value: old.effect.value } } as const;
    const overwritten = calls.some(
      ({ effect, calledAt, returnedAt }) =>
        effect.kind === 'write' && calledAt > old.returnedAt && returnedAt < stale.calledAt,
    );
    if (overwritten) expect(isLinearizable(calls.with(staleAt, planted)), `seed ${seed}`).toBe(false);
  }
});
