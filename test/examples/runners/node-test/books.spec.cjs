const assert = require('node:assert/strict');
const { it } = require('node:test');
const { useShoal } = require('shoal/testing/node-test');

const shoal = useShoal({
  setup: (node) => node.load([{ isbn: 'a', title: 'Emma' }], { index: 'books', id: 'isbn' }),
});
const count = async () => (await (await shoal.node.fetch('/books/_count')).json()).count;

it('adds a book', async () => {
  await shoal.node.fetch('/books/_doc/b', { method: 'PUT', body: { title: 'Persuasion' } });
  assert.equal(await count(), 2);
});

it('does not see it in the next test', async () => {
  assert.equal(await count(), 1);
});
