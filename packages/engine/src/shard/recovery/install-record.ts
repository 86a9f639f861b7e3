/**
 * Installing the files of another copy as the folder of a shard, at once: what is written before the record is in a folder aside, and what
 * follows from the record is done again by whoever opens the folder after a failure. So the folder is what it was, or what came.
 */
import { assert, ByteSink, DamagedBytes, ShoalError } from '@shoal/core';
import { type Disk, finalSyncDir, type Runtime } from '@shoal/runtime';
import { COMMIT_FILES_MAX, generationOfCommit, isCommitFileName } from '../commit/commit-file.ts';
import { removeCorruptionMarker } from '../commit/corruption-marker.ts';
import { openVersioned, replaceFile, sealContent } from '../commit/durable-file.ts';
import { removeRecentWrites, replaceRecentWrites } from '../commit/recent-writes-file.ts';
import { type ShardState, writeShardState } from '../commit/shard-state-file.ts';
import { beginAdoptedTranslog } from './adopted-commit.ts';

const FOLDER = '_state';
const NAME = 'install.st';
const MAGIC = 'SHOALINSTALL';
/** Version 1 has no recent writes. */
const VERSION = 2;

const NOTHING = new Uint8Array();

/** Folder in which files of another copy wait, beside those of the shard. */
const ASIDE = 'recovery';

export function asideFolder(shardPath: string): string {
  return `${shardPath}/${ASIDE}`;
}

/** What a folder becomes. */
export interface InstallRecord {
  readonly state: ShardState;
  /** Files that the folder of segments has afterwards: those that stand aside are moved there, the others are there already. */
  readonly files: readonly string[];
  /** File of the recent writes that they have, made by `sealRecentWrites`; null: nobody knows of any. */
  readonly recentWrites: Uint8Array | null;
}

/** From here on the folder is what the record says. Every file that it names is durable, in its place or aside. */
export async function writeInstallRecord(disk: Disk, shardPath: string, record: InstallRecord): Promise<void> {
  const { indexUuid, allocationId, historyUuid, primaryTerm } = record.state;
  assert(
    record.files.some((name) => generationOfCommit(name) !== null),
    'files without a commit are installed',
  );
  const sink = new ByteSink();
  for (const text of [indexUuid, allocationId, historyUuid]) sink.text(text);
  sink.f64(primaryTerm);
  sink.u32(record.files.length);
  for (const name of record.files) sink.text(name);
  sink.blob(record.recentWrites ?? NOTHING);
  await replaceFile(disk, `${shardPath}/${FOLDER}`, NAME, sealContent(MAGIC, VERSION, sink.written()));
}

async function readInstallRecord(disk: Disk, shardPath: string): Promise<InstallRecord | null> {
  const path = `${shardPath}/${FOLDER}/${NAME}`;
  if (!(await disk.exists(path))) return null;
  const { version, content: source } = openVersioned(MAGIC, VERSION, path, await disk.readFile(path));
  try {
    const ids = { indexUuid: source.text(), allocationId: source.text(), historyUuid: source.text() };
    const state = { ...ids, primaryTerm: source.f64() };
    const count = source.u32();
    if (count > COMMIT_FILES_MAX) throw new DamagedBytes(`it names ${count} files`);
    const files = Array.from({ length: count }, () => source.text());
    const wrong = files.find((name) => !isCommitFileName(name));
    if (wrong !== undefined) throw new DamagedBytes(`it names [${wrong}]`);
    const recentWrites = version === 1 ? NOTHING : source.blob();
    return { state, files, recentWrites: recentWrites.length === 0 ? null : recentWrites };
  } catch (error) {
    if (!(error instanceof DamagedBytes)) throw error;
    throw new ShoalError('corrupt_index_exception', 500, `file [${path}] is damaged: ${error.message}`);
  }
}

/** Ends what was begun in the folder, in which no shard is open: an install that has its record, or files that were still coming. */
export async function finishInstall({ disk, sched }: Pick<Runtime, 'disk' | 'sched'>, path: string): Promise<void> {
  const record = await readInstallRecord(disk, path);
  if (record !== null) {
    await putInPlace(disk, path, record.files);
    // The log of what was here before says nothing of what is.
    await disk.removeTree(`${path}/translog`);
    await disk.mkdir(`${path}/translog`);
    await finalSyncDir(disk, path);
    await beginAdoptedTranslog({ disk, sched }, `${path}/translog`);
    if (record.recentWrites === null) await removeRecentWrites(disk, path);
    else await replaceRecentWrites(disk, path, record.recentWrites);
    await removeCorruptionMarker(disk, path);
    await writeShardState(disk, path, record.state);
    await disk.unlink(`${path}/${FOLDER}/${NAME}`);
    // Before anybody writes to the shard: done again, all of the above would undo it.
    await finalSyncDir(disk, `${path}/${FOLDER}`);
  }
  if (await disk.exists(asideFolder(path))) await disk.removeTree(asideFolder(path));
}

async function putInPlace(disk: Disk, path: string, files: readonly string[]): Promise<void> {
  const folder = `${path}/index`;
  const aside = asideFolder(path);
  for (const name of files) {
    if (await disk.exists(`${aside}/${name}`)) await disk.rename(`${aside}/${name}`, `${folder}/${name}`);
    else if (!(await disk.exists(`${folder}/${name}`)))
      throw new ShoalError('corrupt_index_exception', 500, `file [${folder}/${name}] is damaged: it is missing`);
  }
  await finalSyncDir(disk, folder);
  const kept = new Set(files);
  for (const name of await disk.list(folder)) if (!kept.has(name)) await disk.unlink(`${folder}/${name}`);
  // A commit that comes back after a failure could be taken for the newest.
  await finalSyncDir(disk, folder);
}
