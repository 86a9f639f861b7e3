/**
 * Results of recent writes as bytes: on disk, as of the last commit, where the translog is cut from which they would be known again; and
 * beside the files of a commit on their way to another copy.
 */
import { ByteSink, type ByteSource, DamagedBytes, isShoalError, ShoalError } from '@shoal/core';
import type { Disk, Runtime } from '@shoal/runtime';
import { isRequestToken, RECORDED_RESULTS, RequestToken } from '@shoal/shard-api';
import { openVersioned, replaceFile, sealContent } from './durable-file.ts';
import type { RecentRun } from './request-runs.ts';

const FOLDER = '_state';
const NAME = 'recent-writes.st';
const MAGIC = 'SHOALRECENT';
/** Version 1 named every operation by a text, words and position with points between them. */
const VERSION = 2;
/** More than are ever remembered. */
const ENTRIES_MAX = 100_000;

/** @throws corrupt_index_exception for a damaged file */
async function readRecentWrites(disk: Disk, shardPath: string): Promise<readonly RecentRun[]> {
  const path = `${shardPath}/${FOLDER}/${NAME}`;
  if (!(await disk.exists(path))) return [];
  return openRecentWrites(path, await disk.readFile(path));
}

/**
 * What `sealRecentWrites` made, here or on another node.
 *
 * @param path named in errors
 * @throws corrupt_index_exception for what it did not make, index_format_too_new_exception for what a newer version made
 */
export function openRecentWrites(path: string, bytes: Uint8Array): readonly RecentRun[] {
  const { version, content: source } = openVersioned(MAGIC, VERSION, path, bytes);
  try {
    const count = source.u32();
    if (count > ENTRIES_MAX) throw new DamagedBytes(`it names ${count} writes`);
    return Array.from({ length: count }, () => (version === 1 ? readNamed(source) : readRun(source)));
  } catch (error) {
    if (!(error instanceof DamagedBytes)) throw error;
    throw new ShoalError('corrupt_index_exception', 500, `file [${path}] is damaged: ${error.message}`);
  }
}

/** Every write must be durable in the translog: what is named here counts as done after a crash. */
export async function writeRecentWrites(disk: Disk, shardPath: string, runs: readonly RecentRun[]): Promise<void> {
  await replaceRecentWrites(disk, shardPath, sealRecentWrites(runs));
}

/** @param sealed made by `sealRecentWrites` */
export async function replaceRecentWrites(disk: Disk, shardPath: string, sealed: Uint8Array): Promise<void> {
  await replaceFile(disk, `${shardPath}/${FOLDER}`, NAME, sealed);
}

export function sealRecentWrites(runs: readonly RecentRun[]): Uint8Array {
  const sink = new ByteSink();
  sink.u32(runs.length);
  for (const { token, position, count, result, version, seqNo, primaryTerm } of runs) {
    for (const word of [...token.words, position, count]) sink.u32(word);
    sink.u8(RECORDED_RESULTS.indexOf(result));
    for (const number of [version, seqNo, primaryTerm]) sink.f64(number);
  }
  return sealContent(MAGIC, VERSION, sink.written());
}

/** Durable with the next sync of the folder of the shard's state. */
export async function removeRecentWrites(disk: Disk, shardPath: string): Promise<void> {
  const path = `${shardPath}/${FOLDER}/${NAME}`;
  if (await disk.exists(path)) await disk.unlink(path);
}

function readRun(source: ByteSource): RecentRun {
  const token = tokenOf([source.u32(), source.u32(), source.u32()]);
  const place = { token, position: source.u32(), count: source.u32() };
  if (place.count === 0) throw new DamagedBytes('a run of no writes');
  return { ...place, ...readAnswer(source) };
}

function readNamed(source: ByteSource): RecentRun {
  const [first = 0, second = 0, third = 0, position = 0] = source.text().split('.').map(Number);
  return { token: tokenOf([first, second, third]), position, count: 1, ...readAnswer(source) };
}

function tokenOf(words: readonly [number, number, number]): RequestToken {
  if (!isRequestToken(words)) throw new DamagedBytes(`a request of the words [${words}]`);
  return new RequestToken(words);
}

function readAnswer(source: ByteSource): Pick<RecentRun, 'result' | 'version' | 'seqNo' | 'primaryTerm'> {
  const result = RECORDED_RESULTS[source.u8()];
  if (result === undefined) throw new DamagedBytes('a write without a known result');
  return { result, version: source.f64(), seqNo: source.f64(), primaryTerm: source.f64() };
}

/** Without them a write that is asked again is executed again: no reason to keep the documents back. */
export async function knownRecentWrites(
  { disk, log }: Pick<Runtime, 'disk' | 'log'>,
  path: string,
): Promise<readonly RecentRun[]> {
  try {
    return await readRecentWrites(disk, path);
  } catch (error) {
    if (!isShoalError(error)) throw error;
    log.warn('recent writes of a shard cannot be read', { path, reason: error.message });
    return [];
  }
}
