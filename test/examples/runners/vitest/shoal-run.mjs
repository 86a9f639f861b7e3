import { shoalRun } from 'shoal/testing/vitest';

export const { start: setup, stop: teardown } = shoalRun({
  setup: (node) => node.load([{ isbn: 'a', title: 'Emma' }], { index: 'books', id: 'isbn' }),
});
