import { describe, expect, test } from 'vitest';
import { AnswerCache } from './answer-cache.ts';

function counting(): { ask(question: string): Promise<number | undefined>; pass(ms: number): void; drop(): void } {
  let [nowMs, count] = [0, 0];
  const latest = new AnswerCache({ monotonicMs: () => nowMs, wallMs: () => nowMs });
  return {
    ask: async (question) => (await latest.get(question, async () => Uint8Array.of(++count)))?.[0],
    pass: (ms) => {
      nowMs += ms;
    },
    drop: () => latest.drop(),
  };
}

describe('the latest answer', () => {
  test('is given again to the same question, for a short while', async () => {
    const { ask, pass } = counting();
    expect([await ask('a'), await ask('a')]).toEqual([1, 1]);
    pass(49);
    expect(await ask('a')).toBe(1);
    pass(1);
    expect(await ask('a')).toBe(2);
  });

  test('is never older than an answer to something else', async () => {
    const { ask, drop } = counting();
    expect([await ask('a'), await ask('b'), await ask('a')]).toEqual([1, 2, 3]);
    drop();
    expect(await ask('a')).toBe(4);
  });
});
