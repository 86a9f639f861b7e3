/**
 * The shard's own identity on disk: which index and which assignment this folder belongs to.
 *
 * Written last when a shard is made, so that a folder with this file holds a whole shard; and again at each assignment,
 * before the node says that the shard is there.
 */
import { ByteSink, ShoalError } from '@shoal/core';
import { type Disk, finalSyncDir, readFileOrNull } from '@shoal/runtime';
import { openVersioned, replaceFile, sealContent } from './durable-file.ts';

const FOLDER = '_state';
const NAME = 'shard.st';
const MAGIC = 'SHOALSHARD';
/** Version 2 has the primary term. */
const VERSION = 2;

export interface ShardState {
  readonly indexUuid: string;
  readonly allocationId: string;
  /** Lineage of the data: new when it was made from nothing. */
  readonly historyUuid: string;
  /** Term of the primary that the copy was or followed last; 0: not known. Nothing on its disk is of a higher one. */
  readonly primaryTerm: number;
}

/** null when the folder holds no shard. */
export async function readShardState(disk: Disk, shardPath: string): Promise<ShardState | null> {
  const path = `${shardPath}/${FOLDER}/${NAME}`;
  const bytes = await readFileOrNull(disk, path);
  if (bytes === null) return null;
  const { version, content } = openVersioned(MAGIC, VERSION, path, bytes);
  const ids = { indexUuid: content.text(), allocationId: content.text(), historyUuid: content.text() };
  return { ...ids, primaryTerm: version === 1 ? 0 : content.f64() };
}

/** Writes the identity of a folder that may have none. */
export async function writeShardState(disk: Disk, shardPath: string, state: ShardState): Promise<void> {
  await disk.mkdir(`${shardPath}/${FOLDER}`);
  await replaceShardState(disk, shardPath, state);
  await finalSyncDir(disk, shardPath);
}

/** Writes another identity of a folder that has one. */
export async function replaceShardState(disk: Disk, shardPath: string, state: ShardState): Promise<void> {
  const sink = new ByteSink();
  sink.text(state.indexUuid);
  sink.text(state.allocationId);
  sink.text(state.historyUuid);
  sink.f64(state.primaryTerm);
  await replaceFile(disk, `${shardPath}/${FOLDER}`, NAME, sealContent(MAGIC, VERSION, sink.written()));
}

export function wrongShardFolder(path: string, why: string): ShoalError {
  return new ShoalError('illegal_state_exception', 500, `shard folder [${path}] ${why}`);
}
