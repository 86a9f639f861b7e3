import { shoalRun } from 'shoal/testing/jest';

export const run = shoalRun({
  setup: (node) => node.load([{ isbn: 'a', title: 'Emma' }], { index: 'books', id: 'isbn' }),
});
