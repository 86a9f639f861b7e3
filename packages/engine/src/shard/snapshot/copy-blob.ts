/**
 * Files to blobs and back. A blob is named by the SHA-256 of its content: what is there already is not copied again, and what is
 * read back is proved to be what was written.
 */
import { createHash } from 'node:crypto';
import { ShoalError } from '@shoal/core';
import { type Disk, DiskError, type File, finalSync } from '@shoal/runtime';
import type { StopSignal } from '../../pacing/stop-signal.ts';
import { blobName, type ManifestFile } from './shard-manifest.ts';

/** Bytes between two looks at the time, the pace and whether to stop: about a millisecond of hashing. */
const CHUNK_BYTES = 1024 * 1024;

/** What goes with every copy. */
export interface CopyOptions {
  readonly disk: Disk;
  /** Lets others have the thread, and slows the copy down as told. */
  readonly chunkCopied: (bytes: number) => Promise<void>;
  readonly stop: StopSignal;
}

export interface CopiedBlob {
  readonly blob: string;
  readonly bytes: number;
  /** It was not there before. */
  readonly isNew: boolean;
}

/**
 * Puts a file, which nobody changes meanwhile, into a folder of blobs. Its name is durable after the next `syncDir` of the folder.
 *
 * @param temporary name under which it is written first; of this copy alone
 */
export async function copyToBlob(
  options: CopyOptions,
  path: string,
  folder: string,
  temporary: string,
): Promise<CopiedBlob> {
  const { disk } = options;
  const file = await disk.open(path, 'read');
  try {
    const { sha256, bytes } = await eachChunk(options, file, null);
    const blob = blobName(sha256);
    if ((await sizeOf(disk, `${folder}/${blob}`)) === bytes) return { blob, bytes, isNew: false };
    const written = await writeCopy(options, file, `${folder}/${temporary}`);
    if (written.sha256 !== sha256) throw damaged(path, 'it changed while it was read');
    await disk.rename(`${folder}/${temporary}`, `${folder}/${blob}`);
    return { blob, bytes, isNew: true };
  } finally {
    await file.close();
  }
}

/**
 * Puts a blob under its own name into the folder of a shard. Its name is durable after the next `syncDir` of that folder.
 *
 * @throws corrupt_index_exception when the blob is not what was written once
 */
export async function copyFromBlob(
  options: CopyOptions,
  folder: string,
  { name, bytes, blob }: ManifestFile,
  target: string,
): Promise<void> {
  const path = `${folder}/${blob}`;
  const file = await options.disk.open(path, 'read');
  try {
    const size = await file.sizeBytes();
    if (size !== bytes) throw damaged(path, `it has [${size}] bytes instead of [${bytes}]`);
    const written = await writeCopy(options, file, `${target}/${name}`);
    if (blobName(written.sha256) !== blob) throw damaged(path, 'its checksum does not match');
  } finally {
    await file.close();
  }
}

async function writeCopy(
  options: CopyOptions,
  source: File,
  path: string,
): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const target = await options.disk.open(path, 'create');
  try {
    const copied = await eachChunk(options, source, target);
    await finalSync(target, path);
    return copied;
  } finally {
    await target.close();
  }
}

/** Reads a file to its end and hashes it; with a target also writes it. */
async function eachChunk(
  { chunkCopied, stop }: CopyOptions,
  source: File,
  target: File | null,
): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const hash = createHash('sha256');
  let at = 0;
  for (;;) {
    if (stop.isStopped) throw stoppedCopy();
    const chunk = await source.read(at, CHUNK_BYTES);
    if (chunk.length === 0) return { sha256: hash.digest('hex'), bytes: at };
    hash.update(chunk);
    if (target !== null) await target.write(chunk, at);
    at += chunk.length;
    // Reading alone is no transfer.
    await chunkCopied(target === null ? 0 : chunk.length);
  }
}

/** null when it is not there. */
async function sizeOf(disk: Disk, path: string): Promise<number | null> {
  try {
    return (await disk.stat(path)).sizeBytes;
  } catch (error) {
    if (error instanceof DiskError && error.kind === 'notFound') return null;
    throw error;
  }
}

function stoppedCopy(): ShoalError {
  return new ShoalError('index_shard_snapshot_failed_exception', 500, 'aborted');
}

function damaged(path: string, why: string): ShoalError {
  return new ShoalError('corrupt_index_exception', 500, `file [${path}] is damaged: ${why}`);
}
