/* global shoal */
const count = async () => (await (await shoal.fetch('/books/_count')).json()).count;

beforeAll(async () => {
  await shoal.fetch('/authors/_doc/a', { method: 'PUT', body: { name: 'Jane Austen' } });
});

test('a book is added', async () => {
  await shoal.fetch('/books/_doc/b', { method: 'PUT', body: { title: 'Persuasion' } });
  expect(await count()).toBe(2);
});

test('the next test does not see it, and has what the file began with', async () => {
  expect(await count()).toBe(1);
  expect((await shoal.fetch('/authors/_doc/a')).status).toBe(200);
});
