/**
 * Results of recent writes on disk, as of the last commit: the translog, from which they would be known again, is cut there.
 */
import { ByteSink, type ByteSource, DamagedBytes, isShoalError, ShoalError } from '@shoal/core';
import type { Disk, Runtime } from '@shoal/runtime';
import { openContent, replaceFile, sealContent } from './durable-file.ts';
import type { RecentWrite } from './recent-writes.ts';

const FOLDER = '_state';
const NAME = 'recent-writes.st';
const MAGIC = 'SHOALRECENT';
const VERSION = 1;
const RESULTS = ['created', 'updated', 'deleted', 'not_found'] as const;
/** More than are ever remembered. */
const ENTRIES_MAX = 100_000;

/** @throws corrupt_index_exception for a damaged file */
async function readRecentWrites(disk: Disk, shardPath: string): Promise<readonly RecentWrite[]> {
  const path = `${shardPath}/${FOLDER}/${NAME}`;
  if (!(await disk.exists(path))) return [];
  const source = openContent(MAGIC, VERSION, path, await disk.readFile(path));
  try {
    const count = source.u32();
    if (count > ENTRIES_MAX) throw new DamagedBytes(`it names ${count} writes`);
    return Array.from({ length: count }, () => readEntry(source));
  } catch (error) {
    if (!(error instanceof DamagedBytes)) throw error;
    throw new ShoalError('corrupt_index_exception', 500, `file [${path}] is damaged: ${error.message}`);
  }
}

/** Every write must be durable in the translog: what is named here counts as done after a crash. */
export async function writeRecentWrites(disk: Disk, shardPath: string, writes: readonly RecentWrite[]): Promise<void> {
  const sink = new ByteSink();
  sink.u32(writes.length);
  for (const { name, result, version, seqNo, primaryTerm } of writes) {
    sink.text(name);
    sink.u8(RESULTS.indexOf(result));
    for (const number of [version, seqNo, primaryTerm]) sink.f64(number);
  }
  await replaceFile(disk, `${shardPath}/${FOLDER}`, NAME, sealContent(MAGIC, VERSION, sink.written()));
}

/** Durable with the next sync of the folder of the shard's state. */
export async function removeRecentWrites(disk: Disk, shardPath: string): Promise<void> {
  const path = `${shardPath}/${FOLDER}/${NAME}`;
  if (await disk.exists(path)) await disk.unlink(path);
}

function readEntry(source: ByteSource): RecentWrite {
  const name = source.text();
  const result = RESULTS[source.u8()];
  if (result === undefined) throw new DamagedBytes(`the write [${name}] has no known result`);
  return { name, result, version: source.f64(), seqNo: source.f64(), primaryTerm: source.f64() };
}

/** Without them a write that is asked again may meet its own success: no reason to keep the documents back. */
export async function knownRecentWrites(
  { disk, log }: Pick<Runtime, 'disk' | 'log'>,
  path: string,
): Promise<readonly RecentWrite[]> {
  try {
    return await readRecentWrites(disk, path);
  } catch (error) {
    if (!isShoalError(error)) throw error;
    log.warn('recent writes of a shard cannot be read', { path, reason: error.message });
    return [];
  }
}
