/**
 * Nodes for the tests of vitest, as fixtures for `test.extend`. A file whose tests do not ask for `shoal` starts nothing.
 */
import type { ShoalNode } from '../start/shoal-node.ts';
import { LeasedNode, type ShoalOfRun } from './leased-node.ts';
import { PreparedNode, type RunnerOptions } from './prepared-node.ts';

/** Hands a value to the tests; resolves when they have ended. */
export type UseFixture<T> = (value: T) => Promise<void>;

/** What brings the node of a file to the state in which each test begins. */
export interface FileOfTests<T> {
  readonly shoal: T;
  readonly beginTest: () => Promise<void>;
}

/** What tests have of these fixtures, for functions that take the context of a test. */
export interface ShoalContext<T = ShoalNode> {
  shoalFile: FileOfTests<T>;
  shoal: T;
}

/** Fixtures for `test.extend`: `shoal` for tests, and what it stands on, once for each file. */
export interface ShoalFixtures<T> {
  /**
   * A function in a list with its options: by the type of a list `test.extend` could not tell what the fixture is, and would have to be
   * told by `test.extend<ShoalContext>`.
   */
  // biome-ignore lint/complexity/noBannedTypes: the context of a fixture that asks for no other.
  shoalFile: (context: {}, use: UseFixture<FileOfTests<T>>) => Promise<void>;
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
  // biome-ignore lint/correctness/noEmptyPattern: it needs none.
  const shoalFile: ShoalFixtures<T>['shoalFile'] = ({}, use) => file(use);
  return {
    // Vitest looks for a list where options are; see the type for why it does not say so.
    shoalFile: [shoalFile, { scope: 'file' }] as unknown as ShoalFixtures<T>['shoalFile'],
    shoal: async ({ shoalFile }, use) => {
      await shoalFile.beginTest();
      await use(shoalFile.shoal);
    },
  };
}
