/**
 * Recoveries by files between two shards of a test, piece by piece, as the messages of a recovery bring them.
 */
import type { Runtime } from '@shoal/runtime';
import type { Shard } from '../contract/shard.ts';
import { openTestShard } from '../lifecycle/shard-fixture.test-support.ts';
import type { CommitFile } from './commit-file-list.ts';
import { FileRecovery, type InstalledFiles } from './file-recovery.ts';
import type { SafeCommit } from './shard-commits.ts';

export const TARGET = { path: 'other/indices/uuid-1/0', indexUuid: 'uuid-1', allocationId: 'alloc-2' };
export const SOURCE_HISTORY = 'history-of-source';

const yieldNow = (): Promise<void> => Promise.resolve();

export function beginFileRecovery(runtime: Runtime): Promise<FileRecovery> {
  return FileRecovery.begin(runtime, TARGET, yieldNow);
}

export async function acquired(source: Shard, target = 'alloc-2'): Promise<SafeCommit> {
  const commit = await source.commits.acquire(target);
  if (commit === null) throw new Error('no commit is safe');
  return commit;
}

/** Pieces of the files that the other copy lacks, as they are sent. */
export function piecesOf(files: readonly CommitFile[], has: readonly CommitFile[]): { file: string; chunk: number }[] {
  const there = new Set(has.map(({ name, checksum }) => `${name} ${checksum}`));
  return files
    .filter(({ name, checksum }) => !there.has(`${name} ${checksum}`))
    .flatMap(({ name, chunks }) => Array.from({ length: chunks }, (_, chunk) => ({ file: name, chunk })));
}

/** Sends what the target lacks, and installs it. */
export async function sendFiles(
  source: Shard,
  recovery: FileRecovery,
  commit: SafeCommit,
  has: readonly CommitFile[] = [],
  changed: (bytes: Uint8Array) => Uint8Array = (bytes) => bytes,
): Promise<InstalledFiles | null> {
  for (const { file, chunk } of piecesOf(commit.files, has)) {
    const bytes = await source.commits.readChunk('alloc-2', file, chunk);
    await recovery.keepChunk(file, chunk, changed(bytes.slice()));
  }
  return recovery.install(commit, SOURCE_HISTORY);
}

/** The shard that follows in the folder of the target. */
export function openTarget(
  runtime: Runtime,
  { through }: Pick<SafeCommit, 'through'>,
  installed?: InstalledFiles,
): Promise<Shard> {
  return openTestShard(runtime, {
    path: TARGET.path,
    allocationId: TARGET.allocationId,
    bootstrap: 'existing',
    isReplica: true,
    needs: { globalCheckpoint: through, retainedFrom: through + 1 },
    ...(installed === undefined ? {} : { installed }),
  });
}

/** Whatever lives now of these ids: version, number and document. */
export function documentsOf(shard: Shard, ids: readonly string[]): readonly unknown[] {
  return ids.map((id) => {
    const hit = shard.get({ id, realtime: true });
    const source = hit?.source;
    return hit && [id, hit.version, hit.seqNo, hit.primaryTerm, source && new TextDecoder().decode(source)];
  });
}
