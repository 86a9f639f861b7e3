import { shoalFixtures } from 'shoal/testing/vitest';
import { test as base } from 'vitest';

/** `test` with a node of the file: `shoal`. */
export const test = base.extend(
  shoalFixtures({ setup: (node) => node.load([{ isbn: 'a', title: 'Emma' }], { index: 'books', id: 'isbn' }) }),
);
