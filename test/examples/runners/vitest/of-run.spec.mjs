import { shoalOfRunFixtures } from 'shoal/testing/vitest';
import { test as base, expect } from 'vitest';

const test = base.extend(shoalOfRunFixtures());

async function ask(url, method = 'GET', body) {
  const init = { method, headers: { 'content-type': 'application/json' }, ...(body && { body: JSON.stringify(body) }) };
  return (await fetch(url, init)).json();
}

test('a book is added over the address of the node', async ({ shoal }) => {
  await ask(`${shoal.url}/books/_doc/b`, 'PUT', { title: 'Persuasion' });
  expect((await ask(`${shoal.url}/books/_count`)).count).toBe(2);
});

test('the next test does not see it', async ({ shoal }) => {
  expect((await ask(`${shoal.url}/books/_count`)).count).toBe(1);
});
