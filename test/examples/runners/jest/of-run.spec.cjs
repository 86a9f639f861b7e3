/**
 * @jest-environment ./environment-of-run.mjs
 */
/* global shoal */
async function ask(path, method = 'GET', body) {
  const init = { method, headers: { 'content-type': 'application/json' }, ...(body && { body: JSON.stringify(body) }) };
  return (await fetch(`${shoal.url}${path}`, init)).json();
}

test('a book is added over the address of the node', async () => {
  await ask('/books/_doc/b', 'PUT', { title: 'Persuasion' });
  expect((await ask('/books/_count')).count).toBe(2);
});

test('the next test does not see it', async () => {
  expect((await ask('/books/_count')).count).toBe(1);
});
