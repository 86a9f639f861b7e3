import { shoalRun } from 'shoal/testing/mocha';

export const { start: mochaGlobalSetup, stop: mochaGlobalTeardown } = shoalRun({
  setup: (node) => node.load([{ isbn: 'a', title: 'Emma' }], { index: 'books', id: 'isbn' }),
});
