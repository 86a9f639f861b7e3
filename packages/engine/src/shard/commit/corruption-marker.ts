/**
 * Marker of a shard folder in which damage was found while the shard was open.
 *
 * Files are verified as they are read, so that a shard whose damaged part nobody has read yet opens without a complaint: it
 * would be green, and fail again with the next search of that part. The marker keeps it closed. It goes with the folder when
 * the index is deleted or the copy is replaced, and by hand once the file was restored.
 */
import { ByteSink, ShoalError } from '@shoal/core';
import { type Disk, finalSyncDir, type Runtime } from '@shoal/runtime';
import { openContent, replaceFile, sealContent } from './durable-file.ts';

const FOLDER = '_state';
const NAME = 'corrupted';
const MAGIC = 'SHOALCORRUPT';
const VERSION = 1;
const REASON_LENGTH_MAX = 2_000;

/** Whether a failure means that the shard's files are not what was written. */
function isDamage(error: ShoalError): boolean {
  return error.type === 'corrupt_index_exception';
}

async function markCorrupted(disk: Disk, shardPath: string, error: ShoalError): Promise<void> {
  const sink = new ByteSink();
  sink.text(error.message.slice(0, REASON_LENGTH_MAX));
  await replaceFile(disk, `${shardPath}/${FOLDER}`, NAME, sealContent(MAGIC, VERSION, sink.written()));
  await finalSyncDir(disk, shardPath);
}

/** All files of the folder were replaced. Durable with the next sync of the folder of the shard's state. */
export async function removeCorruptionMarker(disk: Disk, shardPath: string): Promise<void> {
  const path = `${shardPath}/${FOLDER}/${NAME}`;
  if (await disk.exists(path)) await disk.unlink(path);
}

/** Throws `corrupt_index_exception` when damage was found in the folder before. */
export async function checkNotCorrupted(disk: Disk, shardPath: string): Promise<void> {
  const path = `${shardPath}/${FOLDER}/${NAME}`;
  if (!(await disk.exists(path))) return;
  const reason = openContent(MAGIC, VERSION, path, await disk.readFile(path)).text();
  throw new ShoalError(
    'corrupt_index_exception',
    500,
    `shard folder [${shardPath}] was found damaged: ${reason}; delete the index, or restore the file and remove [${path}]`,
  );
}

/** Marks the folder of a shard that failed, when it was of damage; resolves before anybody opens the folder again. */
export async function noteDamage(
  { disk, log }: Pick<Runtime, 'disk' | 'log'>,
  path: string,
  error: ShoalError,
): Promise<void> {
  if (!isDamage(error)) return;
  try {
    await markCorrupted(disk, path, error);
  } catch (failure) {
    // The shard fails all the same; the next one that opens the folder finds the damage by itself, later.
    log.error('damage of a shard could not be noted', { path, reason: String(failure) });
  }
}
