/**
 * What `shoal test-node` does: the node of `shoal/testing` in this process, its address on standard output, and its end.
 */
import { startShoal, type Visibility } from '@shoal/testing';
import { readAssignments } from '../options/setting-sources.ts';
import { untilEnded } from '../processes/ended-from-outside.ts';

export interface TestNodeOptions {
  readonly json?: boolean;
  readonly outliveParent?: boolean;
  readonly visibility: Visibility;
  readonly set: readonly string[];
}

/** A node in memory keeps no process alive by itself; a timer this long is only there to do so. */
const EVER_MS = 2 ** 30;

export async function runTestNode(options: TestNodeOptions): Promise<void> {
  const end = untilEnded({ withStarter: options.outliveParent !== true });
  const alive = setInterval(() => {}, EVER_MS);
  const node = await startShoal({ visibility: options.visibility, settings: readAssignments(options.set) });
  const { url } = node;
  const ready = options.json ? JSON.stringify({ event: 'ready', url, pid: process.pid }) : `ready: ${url}`;
  process.stdout.write(`${ready}\n`);
  await end;
  clearInterval(alive);
  await node.close();
}
