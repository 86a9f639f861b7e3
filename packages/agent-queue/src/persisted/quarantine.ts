/**
 * What of a persisted queue cannot be read is copied aside before its page goes: somebody may still make something of it.
 */
import { type Disk, DiskError, type Log } from '@shoal/runtime';
import type { DamagedRange } from './page-reader.ts';
import type { QueuePage } from './queue-page.ts';

const COPY_BYTES = 1024 * 1024;

/** Copies to `page.N.damaged.OFFSET`. false when that failed: then the page must stay. */
export async function quarantine(disk: Disk, log: Log, page: QueuePage, { from, to }: DamagedRange): Promise<boolean> {
  const path = `${page.path}.damaged.${from}`;
  try {
    if (await disk.exists(path)) return true;
    const part = `${path}.tmp`;
    const copy = await disk.open(part, 'create');
    try {
      for (let at = from; at < to; at += COPY_BYTES)
        await copy.write(await page.file.read(at, Math.min(COPY_BYTES, to - at)), at - from);
      await copy.sync();
    } finally {
      await copy.close();
    }
    await disk.rename(part, path);
    return true;
  } catch (error) {
    // Disks fail; the page itself is still there, and is looked at again by the next start.
    if (!(error instanceof DiskError)) throw error;
    log.warn('damage of a queue page not copied aside', { path, error: error.message });
    return false;
  }
}
