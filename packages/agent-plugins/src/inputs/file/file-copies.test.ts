import { appendFile, copyFile, type FileHandle, open, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../plugin-instance.test-support.ts';
import { statOf } from './file-contents.ts';
import { copyVerdict } from './file-copies.ts';
import { lookAtHead, type ReadableFile, tailOf } from './file-fingerprint.ts';
import { fileIdentity, Sincedb } from './file-sincedb.ts';

describe('a copy that changes while it is looked at', () => {
  let path = '';
  const handles: FileHandle[] = [];
  beforeEach(async () => {
    path = join(await temporaryFolder(), 'a.log');
  });
  afterEach(async () => {
    for (const handle of handles.splice(0)) await handle.close();
  });

  /** Reads as the file does; `meanwhile` happens behind the first of those calls. */
  async function fileThatChanges(behind: 'stat' | 'read', meanwhile: () => Promise<void>): Promise<ReadableFile> {
    const handle = await open(`${path}.1`, 'r');
    handles.push(handle);
    let change: (() => Promise<void>) | null = meanwhile;
    const changed = async (call: 'stat' | 'read'): Promise<void> => {
      if (call !== behind) return;
      const due = change;
      change = null;
      await due?.();
    };
    const calls = {
      stat: async () => {
        const found = await handle.stat();
        await changed('stat');
        return found;
      },
      read: async (buffer: Uint8Array, offset: number, length: number, position: number) => {
        const found = await handle.read(buffer, offset, length, position);
        await changed('read');
        return found;
      },
    };
    return new Proxy(handle, { get: (target, name) => Reflect.get(name in calls ? calls : target, name) });
  }

  /** Everything of the original has been read. */
  async function knownOriginal(): Promise<Sincedb> {
    const sincedb = new Sincedb(null, 1_000);
    const found = await statOf(path);
    const handle = await open(path, 'r');
    handles.push(handle);
    const { head } = await lookAtHead(handle);
    if (found === null || head === null) throw new Error('no original');
    sincedb.set(fileIdentity(found), { position: found.size, lastActive: 0, path });
    sincedb.fingerprints.set(fileIdentity(found), { head, tail: await tailOf(handle, found.size) });
    return sincedb;
  }

  const lines = (count: number): string => 'a line of twenty bytes\n'.repeat(count);

  test('waits when it is begun anew', async () => {
    await writeFile(path, lines(8));
    const sincedb = await knownOriginal();
    await copyFile(path, `${path}.1`);
    const file = await fileThatChanges('stat', () => truncate(`${path}.1`));
    expect(await copyVerdict(`${path}.1`, file, sincedb)).toEqual({ kind: 'wait' });
  });
  test('waits when a shorter one is completed and the original cut', async () => {
    await writeFile(path, lines(6));
    await copyFile(path, `${path}.1`);
    await appendFile(path, lines(2));
    const sincedb = await knownOriginal();
    const file = await fileThatChanges('stat', async () => {
      await copyFile(path, `${path}.1`);
      await truncate(path);
    });
    expect(await copyVerdict(`${path}.1`, file, sincedb)).toEqual({ kind: 'wait' });
  });
  test('waits when the original is cut beside a shorter one', async () => {
    await writeFile(path, lines(6));
    await copyFile(path, `${path}.1`);
    await appendFile(path, lines(2));
    const sincedb = await knownOriginal();
    // Two reads take its start, up to its end; the third is that of the bytes compared with the original.
    const handle = await fileThatChanges('read', async () => {});
    let reads = 0;
    const file = new Proxy(handle, {
      get: (target, name) =>
        name !== 'read'
          ? Reflect.get(target, name)
          : async (...args: Parameters<FileHandle['read']>) => {
              const found = await Reflect.apply(target.read, target, args);
              if (++reads === 3) await truncate(path);
              return found;
            },
    });
    expect(await copyVerdict(`${path}.1`, file, sincedb)).toEqual({ kind: 'wait' });
  });
});
