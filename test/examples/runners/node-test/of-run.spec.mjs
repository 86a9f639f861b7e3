import assert from 'node:assert/strict';
import { it } from 'node:test';
import { useShoalOfRun } from 'shoal/testing/node-test';

const shoal = useShoalOfRun();

async function ask(path, method = 'GET', body) {
  const init = { method, headers: { 'content-type': 'application/json' }, ...(body && { body: JSON.stringify(body) }) };
  return (await fetch(`${shoal.url}${path}`, init)).json();
}

it('adds a book over the address of the node', async () => {
  await ask('/books/_doc/b', 'PUT', { title: 'Persuasion' });
  assert.equal((await ask('/books/_count')).count, 2);
});

it('does not see it in the next test', async () => {
  assert.equal((await ask('/books/_count')).count, 1);
});
