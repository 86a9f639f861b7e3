import { describe, expect, test } from 'vitest';
import { TakingTurns } from './taking-turns.ts';

describe('addresses that take turns', () => {
  const at = (addresses: string[]) => {
    const clock = { nowMs: 0, monotonicMs: () => clock.nowMs, wallMs: () => clock.nowMs };
    return { clock, turns: new TakingTurns(addresses, clock) };
  };
  const several = (turns: TakingTurns, count: number) => Array.from({ length: count }, () => turns.next()).join('');

  test('come one after the other', () => {
    expect(several(at(['a', 'b', 'c']).turns, 7)).toBe('abcabca');
  });

  test('leave out one that failed, for a minute', () => {
    const { turns, clock } = at(['a', 'b', 'c']);
    turns.failed('b');
    expect(several(turns, 4)).toBe('acac');
    clock.nowMs = 60_000;
    expect(several(turns, 3)).toBe('abc');
  });

  test('try the one that failed first when all have failed', () => {
    const { turns, clock } = at(['a', 'b']);
    turns.failed('b');
    clock.nowMs = 1;
    turns.failed('a');
    expect(several(turns, 2)).toBe('bb');
    turns.failed('b');
    expect(turns.next()).toBe('a');
  });
});
