/**
 * Small files that are there whole or not at all: written aside, synced, renamed, folder synced.
 */
import { crc32 } from 'node:zlib';
import { ByteSink, ByteSource, DamagedBytes, ShoalError } from '@shoal/core';
import { type Disk, finalSync, finalSyncDir } from '@shoal/runtime';

/** Bytes of one write: a shard's thread serves others between two. */
const CHUNK_BYTES = 4 * 1024 * 1024;

/** Writes a file of any size and makes its content durable; its name is not yet (`syncDir`). */
export async function writeFile(disk: Disk, path: string, bytes: Uint8Array): Promise<void> {
  const file = await disk.open(path, 'create');
  try {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) await file.write(bytes.subarray(at, at + CHUNK_BYTES), at);
    await finalSync(file, path);
  } finally {
    await file.close();
  }
}

/** Replaces `folder/name` at once. */
export async function replaceFile(disk: Disk, folder: string, name: string, bytes: Uint8Array): Promise<void> {
  await writeFile(disk, `${folder}/${name}.tmp`, bytes);
  await disk.rename(`${folder}/${name}.tmp`, `${folder}/${name}`);
  await finalSyncDir(disk, folder);
}

/** `content` behind magic and version, in front of its checksum. */
export function sealContent(magic: string, version: number, content: Uint8Array): Uint8Array {
  const sink = new ByteSink(content.length + 32);
  sink.text(magic);
  sink.u32(version);
  sink.blob(content);
  sink.u32(crc32(sink.written()));
  return sink.copy();
}

/** Content that `sealContent` wrote. Throws `corrupt_index_exception` or `index_format_too_new_exception`. */
export function openContent(magic: string, version: number, path: string, bytes: Uint8Array): ByteSource {
  return openVersioned(magic, version, path, bytes).content;
}

/** `openContent` for what has older versions, too; `version`: the newest that is known. */
export function openVersioned(
  magic: string,
  version: number,
  path: string,
  bytes: Uint8Array,
): { readonly version: number; readonly content: ByteSource } {
  try {
    const source = new ByteSource(bytes);
    if (source.text() !== magic) throw new DamagedBytes(`it does not start with ${magic}`);
    const found = source.u32();
    const content = source.blob();
    if (source.u32() !== crc32(bytes.subarray(0, source.at - 4)) || source.at !== bytes.length) {
      throw new DamagedBytes('its checksum does not match');
    }
    if (found > version) {
      throw new ShoalError(
        'index_format_too_new_exception',
        500,
        `file [${path}] has format version [${found}], this program reads up to [${version}]`,
      );
    }
    return { version: found, content: new ByteSource(content) };
  } catch (error) {
    if (error instanceof DamagedBytes) {
      throw new ShoalError('corrupt_index_exception', 500, `file [${path}] is damaged: ${error.message}`);
    }
    throw error;
  }
}
