/* global shoal */
import { expect, test } from '@jest/globals';

const count = async () => (await (await shoal.fetch('/books/_count')).json()).count;

test('a book is added', async () => {
  await shoal.fetch('/books/_doc/b', { method: 'PUT', body: { title: 'Persuasion' } });
  expect(await count()).toBe(2);
});

test('the next test does not see it', async () => {
  expect(await count()).toBe(1);
});
