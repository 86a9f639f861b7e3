import { shoalRun } from 'shoal/testing/node-test';

export const { start: globalSetup, stop: globalTeardown } = shoalRun({
  setup: (node) => node.load([{ isbn: 'a', title: 'Emma' }], { index: 'books', id: 'isbn' }),
});
