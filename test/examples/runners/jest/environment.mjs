import { TestEnvironment } from 'jest-environment-node';
import { withShoal } from 'shoal/testing/jest';

/** The global `shoal` of tests is a node of the file. */
export default withShoal(TestEnvironment, {
  setup: (node) => node.load([{ isbn: 'a', title: 'Emma' }], { index: 'books', id: 'isbn' }),
});
