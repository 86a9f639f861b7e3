/**
 * Where the shards of a restored index come from, as the index's metadata has it: kept for as long as the index lives, since
 * shards that failed to start are tried again.
 */
import { type ItemReader, ValueReader } from '@shoal/core';

export interface RestoreSource {
  readonly repository: string;
  readonly snapshot: string;
  readonly snapshotUuid: string;
  /** Name of the index in the snapshot. */
  readonly index: string;
  /** Folder of the index in the repository. */
  readonly indexId: string;
  /** Fresh for every restore. */
  readonly restoreUuid: string;
}

/** Names that become folders and files of a repository. */
const ID = /^[A-Za-z0-9_-]{1,64}$/;

export function isRepositoryId(text: string): boolean {
  return ID.test(text);
}

export const readRestoreSource: ItemReader<RestoreSource> = (value, field) => {
  const r = ValueReader.of(value, field);
  const id = (name: string): string => {
    const text = r.string(name);
    if (!isRepositoryId(text)) r.refuse(name, 'an id of letters, digits, - and _');
    return text;
  };
  return {
    repository: r.string('repository'),
    snapshot: r.string('snapshot'),
    snapshotUuid: id('snapshotUuid'),
    index: r.string('index'),
    indexId: id('indexId'),
    restoreUuid: r.string('restoreUuid'),
  };
};
