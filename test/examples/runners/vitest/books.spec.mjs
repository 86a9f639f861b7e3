import { expect } from 'vitest';
import { test } from './shop-test.mjs';

async function count(shoal) {
  return (await (await shoal.fetch('/books/_count')).json()).count;
}

test('a book is added', async ({ shoal }) => {
  await shoal.fetch('/books/_doc/b', { method: 'PUT', body: { title: 'Persuasion' } });
  expect(await count(shoal)).toBe(2);
});

test('the next test does not see it', async ({ shoal }) => {
  expect(await count(shoal)).toBe(1);
});
