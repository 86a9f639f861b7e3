import { describe, expect, test } from 'vitest';
import { IdGenerator, randomUuid } from './id-generator.ts';

describe('time-based document ids', () => {
  test('have 20 url-safe characters and never repeat, also when the clock goes back', () => {
    const generator = new IdGenerator(new Uint8Array([1, 2, 3, 4, 5, 6, 255, 255, 250]));
    const ids = new Set<string>();
    for (let i = 0; i < 1_000; i++) ids.add(generator.next(1_700_000_000_000 - i));
    expect(ids.size).toBe(1_000);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{20}$/);
  });
});

test('a random UUID has 22 characters and says that it is of version 4', () => {
  const id = randomUuid(new Uint8Array(16).fill(255));
  expect(id).toHaveLength(22);
  expect((Buffer.from(id, 'base64url')[6] ?? 0) >> 4).toBe(4);
});
