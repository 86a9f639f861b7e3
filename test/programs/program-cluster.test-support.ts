/**
 * What the tests of one program share: a cluster of their own and a folder for the files of the program. Both come before the first test and go
 * after the last; where all tests are skipped, neither is made.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type RunningCluster, startUp } from '../support/shoal-process.test-support.ts';

export class ProgramCluster {
  #cluster: RunningCluster | null = null;
  #folder: string | null = null;

  /** @param args more of the command that starts the nodes */
  constructor(nodes: number, args: readonly string[] = []) {
    beforeAll(async () => {
      this.#folder = mkdtempSync(join(tmpdir(), 'shoal-program-'));
      this.#cluster = await startUp(['--nodes', `${nodes}`, '--ephemeral', '--no-sample', ...args]);
    });
    afterAll(async () => {
      await this.#cluster?.end();
      rmSync(this.folder, { recursive: true });
    });
  }

  /** HTTP of the coordinator, or of the only node. */
  get url(): string {
    if (this.#cluster === null) throw new Error('the cluster starts before the first test');
    return this.#cluster.url;
  }

  /** Folder for the files of the program, empty at first. */
  get folder(): string {
    if (this.#folder === null) throw new Error('the folder is made before the first test');
    return this.#folder;
  }
}
