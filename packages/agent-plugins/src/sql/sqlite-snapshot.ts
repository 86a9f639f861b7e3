/**
 * A copy of a SQLite file for an engine that knows nothing of the locks of other processes.
 *
 * The copy is one state of the file: nobody is in the middle of a commit before and behind it (there is no journal), and the file's
 * own counter of commits is the same.
 */
import { rmSync } from 'node:fs';
import { copyFile, mkdtemp, open, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ShoalError } from '@shoal/core';
import type { Scheduler } from '@shoal/runtime';

const ATTEMPTS_MAX = 20;
const WAIT_MS = 100;
const COUNTER_AT = 24;
const JOURNAL_MAGIC = 'd9d505f920a163d7';

export class SqliteSnapshot {
  private readonly path: string;
  private readonly sched: Pick<Scheduler, 'after'>;
  private folder: string | null = null;
  private version = '';

  constructor(path: string, sched: Pick<Scheduler, 'after'>) {
    this.path = path;
    this.sched = sched;
  }

  /** Path of a copy of what the file holds now; null when the copy of before still is one. */
  async renewed(): Promise<string | null> {
    const { mtimeMs, size } = await stat(this.path);
    const version = `${mtimeMs} ${size} ${await this.counter()}`;
    if (version === this.version) return null;
    this.folder ??= await mkdtemp(join(tmpdir(), 'shoal-sqlite-'));
    const copy = join(this.folder, 'copy.db');
    for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts++) {
      const before = await this.state();
      if (before !== null) {
        await copyFile(this.path, copy);
        if ((await this.state()) === before) {
          this.version = version;
          return copy;
        }
      }
      await new Promise<void>((resolve) => void this.sched.after(WAIT_MS, resolve));
    }
    throw new ShoalError('illegal_argument_exception', 400, `the file [${this.path}] is written to all the time`);
  }

  /** At once: the process may end behind it. */
  remove(): void {
    if (this.folder !== null) rmSync(this.folder, { recursive: true, force: true });
    this.folder = null;
    this.version = '';
  }

  /** null while a process writes. */
  private async state(): Promise<string | null> {
    if (((await sizeOf(`${this.path}-wal`)) ?? 0) > 0)
      throw new ShoalError(
        'illegal_argument_exception',
        400,
        `the file [${this.path}] has a write-ahead log, which needs the SQLite of Node 22.13 or newer`,
      );
    if ((await firstBytes(`${this.path}-journal`, 0, 8)) === JOURNAL_MAGIC) return null;
    const { mtimeMs, size } = await stat(this.path);
    return `${mtimeMs} ${size} ${await this.counter()}`;
  }

  private async counter(): Promise<string> {
    return (await firstBytes(this.path, COUNTER_AT, 4)) ?? '';
  }
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch {
    // There is none, which is how it should be.
    return null;
  }
}

async function firstBytes(path: string, at: number, length: number): Promise<string | null> {
  try {
    await using file = await open(path, 'r');
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
    return buffer.subarray(0, bytesRead).toString('hex');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
