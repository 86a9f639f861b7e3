/**
 * Settings of a repository of type `fs`, and the folder that its location means: always inside one of the folders of `path.repo`.
 */
import { repositoryException } from '@shoal/cluster';
import type { RepositoryMetadata } from '@shoal/cluster-state';
import { asShoalError, illegalArgument, parseByteSize, type ShoalError } from '@shoal/core';

export interface FsRepository {
  readonly name: string;
  /** Folder on this node's disk. */
  readonly path: string;
  readonly isReadOnly: boolean;
  /** Fastest copy of a shard, in bytes a second; 0: as fast as can be. */
  readonly snapshotBytesPerSecond: number;
  readonly restoreBytesPerSecond: number;
}

type Settings = Readonly<Record<string, string>>;

const RATE_DEFAULT = '40mb';
/** Blobs are whole files, and metadata is written as it is: no answer depends on how a repository lays out its bytes. */
const WITHOUT_EFFECT: readonly string[] = ['compress', 'chunk_size'];
const KNOWN: readonly string[] = [
  'location',
  'readonly',
  'max_snapshot_bytes_per_sec',
  'max_restore_bytes_per_sec',
  ...WITHOUT_EFFECT,
];

/**
 * @param repoPaths `path.repo` of this node
 * @throws repository_exception
 */
export function fsRepository(repository: RepositoryMetadata, repoPaths: readonly string[]): FsRepository {
  const { name, type, settings } = repository;
  if (type !== 'fs') throw repositoryException(name, `repository type [${type}] does not exist`);
  try {
    return read(name, settings, repoPaths);
  } catch (error) {
    throw notCreated(name, asShoalError(error));
  }
}

function notCreated(name: string, cause: ShoalError): ShoalError {
  return repositoryException(name, 'failed to create repository', { causedBy: cause });
}

function read(name: string, settings: Settings, repoPaths: readonly string[]): FsRepository {
  const unknown = Object.keys(settings).find((key) => !KNOWN.includes(key));
  if (unknown !== undefined) throw illegalArgument(`unknown setting [${unknown}] of a repository of type [fs]`);
  const { location } = settings;
  if (location === undefined) throw repositoryException(name, 'missing location');
  const path = folderOf(location, repoPaths);
  if (path === null) {
    const why = `location [${location}] doesn't match any of the locations specified by path.repo`;
    throw repositoryException(name, repoPaths.length > 0 ? why : `${why} because this setting is empty`);
  }
  booleanOf(settings, 'compress');
  if (settings.chunk_size !== undefined) parseByteSize(settings.chunk_size, 'chunk_size');
  return {
    name,
    path,
    isReadOnly: booleanOf(settings, 'readonly'),
    snapshotBytesPerSecond: rateOf(settings, 'max_snapshot_bytes_per_sec'),
    restoreBytesPerSecond: rateOf(settings, 'max_restore_bytes_per_sec'),
  };
}

function booleanOf(settings: Settings, key: string): boolean {
  const text = settings[key] ?? 'false';
  if (text !== 'true' && text !== 'false') {
    throw illegalArgument(`Failed to parse value [${text}] as only [true] or [false] are allowed.`);
  }
  return text === 'true';
}

function rateOf(settings: Settings, key: string): number {
  return Math.max(parseByteSize(settings[key] ?? RATE_DEFAULT, key), 0);
}

/** null: it lies in none of the folders. */
function folderOf(location: string, repoPaths: readonly string[]): string | null {
  // A byte of a path that ends it would make what was checked another path than what is opened.
  if (location.includes('\0')) return null;
  const isAbsolute = location.startsWith('/');
  for (const root of repoPaths) {
    const parts = normalParts(isAbsolute ? location : `${root}/${location}`);
    const rootParts = normalParts(root);
    if (parts === null || rootParts === null || (isAbsolute && !root.startsWith('/'))) continue;
    if (rootParts.every((part, i) => parts[i] === part)) return `${root.startsWith('/') ? '/' : ''}${parts.join('/')}`;
  }
  return null;
}

/** Names of a path without `.` and `..`; null when it climbs above its beginning. */
function normalParts(path: string): readonly string[] | null {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts;
}
