/**
 * Nodes for the tests of vitest, as fixtures for `test.extend`. A file whose tests do not ask for `shoal` starts nothing.
 */
import type { ShoalNode } from '../shoal-node.ts';
import { LeasedNode, type ShoalOfRun } from './leased-node.ts';
import { PreparedNode, type RunnerOptions } from './prepared-node.ts';

/** Hands a value to the tests; resolves when they have ended. */
export type UseFixture<T> = (value: T) => Promise<void>;

/** What brings the node of a file to the state in which each test begins. */
export interface FileOfTests<T> {
  readonly shoal: T;
  readonly beginTest: () => Promise<void>;
}

/** What tests have of these fixtures: in TypeScript `test.extend<ShoalContext>(shoalFixtures())`. */
export interface ShoalContext<T = ShoalNode> {
  shoalFile: FileOfTests<T>;
  shoal: T;
}

/** Fixtures for `test.extend`: `shoal` for tests, and what it stands on, once for each file. */
export interface ShoalFixtures<T> {
  // Vitest takes neither a readonly list nor an interface in its place.
  shoalFile: [
    // biome-ignore lint/complexity/noBannedTypes: the context of a fixture that asks for no other.
    (context: {}, use: UseFixture<FileOfTests<T>>) => Promise<void>,
    { scope: 'file' },
  ];
  shoal: (context: { readonly shoalFile: FileOfTests<T> }, use: UseFixture<T>) => Promise<void>;
}

/** Fixtures whose `shoal` is a node of the file. Each test that asks for it begins in the same state. */
export function shoalFixtures(options: RunnerOptions = {}): ShoalFixtures<ShoalNode> {
  return fixturesOf(async (use) => {
    const prepared = await PreparedNode.start(options);
    try {
      await use({ shoal: prepared.node, beginTest: () => prepared.beginTest() });
    } finally {
      await prepared.close();
    }
  });
}

/** Fixtures whose `shoal` is a node of the run. Each test that asks for it begins in the same state. */
export function shoalOfRunFixtures(): ShoalFixtures<ShoalOfRun> {
  return fixturesOf(async (use) => {
    const leased = await LeasedNode.lease();
    try {
      await use({ shoal: { url: leased.url }, beginTest: () => leased.beginTest() });
    } finally {
      await leased.release();
    }
  });
}

/** Vitest reads from the text of a fixture which others it needs: the first parameter is taken apart where it stands. */
function fixturesOf<T>(file: (use: UseFixture<FileOfTests<T>>) => Promise<void>): ShoalFixtures<T> {
  return {
    // biome-ignore lint/correctness/noEmptyPattern: it needs none.
    shoalFile: [({}, use) => file(use), { scope: 'file' }],
    shoal: async ({ shoalFile }, use) => {
      await shoalFile.beginTest();
      await use(shoalFile.shoal);
    },
  };
}
