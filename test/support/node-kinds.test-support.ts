/**
 * Nodes whose answers must be equal: the node of `shoal up`, and the node of a test in each of its visibilities, all asked over HTTP.
 *
 * Suites that ask over HTTP run for each of them: what an application learns from a node in its tests holds for the server too.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { endWithTests } from './end-with-tests.test-support.ts';
import { shoalBinary, startUp } from './shoal-process.test-support.ts';

export interface AskedNode {
  readonly url: string;
  end(): Promise<void>;
}

export interface NodeKind {
  readonly title: string;
  start(): Promise<AskedNode>;
}

function inTest(visibility: 'immediate' | 'elasticsearch'): NodeKind {
  return {
    title: `a node of a test, visibility ${visibility}`,
    start: async () => {
      const args = ['test-node', '--json', '--visibility', visibility, '--set', 'cluster.name=shoal'];
      const child = spawn(process.execPath, [shoalBinary, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
      endWithTests(child);
      const closed = once(child, 'close');
      const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
      return {
        url: JSON.parse(line).url,
        end: async () => {
          child.kill('SIGTERM');
          await closed;
        },
      };
    },
  };
}

export const NODE_KINDS: readonly NodeKind[] = [
  { title: 'a node of `shoal up`', start: () => startUp(['--nodes', '1', '--ephemeral', '--no-sample']) },
  inTest('immediate'),
  inTest('elasticsearch'),
];
