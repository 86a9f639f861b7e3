/**
 * Manifest of a shard in a snapshot: its files, each by the hash of its content, which is the name of its blob in the folder of the
 * shard in the repository.
 */
import { ByteSink, DamagedBytes, ShoalError } from '@shoal/core';
import { type Disk, DiskError } from '@shoal/runtime';
import { COMMIT_FILES_MAX, isCommitFileName } from '../commit/commit-file.ts';
import { openContent, replaceFile, sealContent } from '../commit/durable-file.ts';

const MAGIC = 'SHOALSHARDSNAPSHOT';
const VERSION = 1;
const BLOB_PREFIX = '__';
const BLOB = /^__[0-9a-f]{64}$/;
const MANIFEST = /^snap-([A-Za-z0-9_-]{1,64})$/;

export interface ManifestFile {
  /** Name in the folder of the shard's segments. */
  readonly name: string;
  readonly bytes: number;
  /** Name of the blob that holds it. */
  readonly blob: string;
}

export interface ShardManifest {
  readonly files: readonly ManifestFile[];
  /** Files that no earlier snapshot had put there. */
  readonly newFileCount: number;
  readonly newBytes: number;
  /** Time of day. */
  readonly startMs: number;
  readonly tookMs: number;
}

/** @param sha256 hexadecimal */
export function blobName(sha256: string): string {
  return `${BLOB_PREFIX}${sha256}`;
}

export function isBlobName(name: string): boolean {
  return BLOB.test(name);
}

export function manifestName(snapshotUuid: string): string {
  return `snap-${snapshotUuid}`;
}

/** UUID of the snapshot whose manifest has this name; null for other files. */
export function snapshotOfManifest(name: string): string | null {
  return MANIFEST.exec(name)?.[1] ?? null;
}

/** Every blob that it names is durable already. */
export async function writeManifest(
  disk: Disk,
  folder: string,
  snapshotUuid: string,
  manifest: ShardManifest,
): Promise<void> {
  const sink = new ByteSink();
  for (const number of [manifest.newFileCount, manifest.newBytes, manifest.startMs, manifest.tookMs]) sink.f64(number);
  sink.u32(manifest.files.length);
  for (const { name, bytes, blob } of manifest.files) {
    sink.text(name);
    sink.f64(bytes);
    sink.text(blob);
  }
  await replaceFile(disk, folder, manifestName(snapshotUuid), sealContent(MAGIC, VERSION, sink.written()));
}

/**
 * The manifest of a snapshot in the shard's folder of a repository; null when there is none.
 *
 * @throws corrupt_index_exception for a damaged one
 */
export async function readManifest(disk: Disk, folder: string, snapshotUuid: string): Promise<ShardManifest | null> {
  const path = `${folder}/${manifestName(snapshotUuid)}`;
  let bytes: Uint8Array;
  try {
    bytes = await disk.readFile(path);
  } catch (error) {
    if (error instanceof DiskError && error.kind === 'notFound') return null;
    throw error;
  }
  const source = openContent(MAGIC, VERSION, path, bytes);
  try {
    const head = { newFileCount: source.f64(), newBytes: source.f64(), startMs: source.f64(), tookMs: source.f64() };
    const count = source.u32();
    if (count > COMMIT_FILES_MAX) throw new DamagedBytes(`it names ${count} files`);
    const files = Array.from({ length: count }, (): ManifestFile => {
      const file = { name: source.text(), bytes: source.f64(), blob: source.text() };
      // They become parts of paths.
      if (!isCommitFileName(file.name) || !isBlobName(file.blob)) throw new DamagedBytes(`it names [${file.name}]`);
      return file;
    });
    return { ...head, files };
  } catch (error) {
    if (!(error instanceof DamagedBytes)) throw error;
    throw new ShoalError('corrupt_index_exception', 500, `file [${path}] is damaged: ${error.message}`);
  }
}
