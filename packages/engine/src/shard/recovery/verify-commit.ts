/**
 * Reads the files of a commit and compares every byte with the checksums that they have inside: before they are taken for a shard,
 * and where somebody who got them found them damaged.
 */
import type { Disk } from '@shoal/runtime';
import { corruptSegment } from '../../format/container/section-ref.ts';
import { SegmentBytes } from '../../format/container/segment-bytes.ts';
import { FlatSegment } from '../../format/flat-segment.ts';
import { StoredBytes } from '../../format/stored/stored-bytes.ts';
import { PLAIN_MEMORY } from '../../memory/segment-memory.ts';
import { type CommittedSegment, decodeLiveDocs, segmentFileName, storedFileName } from '../commit/commit-file.ts';

/** Bytes between two turns of the thread: a millisecond or two. */
const TURN_BYTES = 1024 * 1024;

export interface VerifiedFiles {
  readonly disk: Disk;
  /** Path of a file by its name. */
  readonly pathOf: (name: string) => string;
  /** Lets others have the thread. */
  readonly yieldNow: () => Promise<void>;
}

/** @throws corrupt_index_exception when a file is not what was written, or does not belong to the others */
export async function verifySegmentFiles(files: VerifiedFiles, committed: CommittedSegment): Promise<void> {
  const { disk, pathOf, yieldNow } = files;
  const { name, docCount, liveFile } = committed;
  const segment = await openSegment(files, name);
  try {
    if (segment.name !== name || segment.docCount !== docCount)
      throw corruptSegment(
        segment.container.path,
        `it is segment [${segment.name}] of [${segment.docCount}] documents`,
      );
    let bytes = 0;
    const read = async (more: number): Promise<void> => {
      bytes += more;
      if (bytes < TURN_BYTES) return;
      bytes = 0;
      await yieldNow();
    };
    for (const step of segment.verify()) await read(step);
    for (const block of segment.stored.blocks()) await read(block.bytes.length);
  } finally {
    segment.release();
  }
  if (liveFile === null) return;
  const path = pathOf(liveFile);
  const live = decodeLiveDocs(path, await disk.readFile(path));
  if (live.length !== (docCount + 7) >>> 3) throw corruptSegment(path, `it has bits of [${live.length * 8}] documents`);
}

async function openSegment({ disk, pathOf }: VerifiedFiles, name: string): Promise<FlatSegment> {
  const storedPath = pathOf(storedFileName(name));
  const stored = await StoredBytes.ofFile(storedPath, await disk.open(storedPath, 'read'), () => {});
  let container: SegmentBytes;
  try {
    const path = pathOf(segmentFileName(name));
    container = await SegmentBytes.ofFile(path, await disk.open(path, 'read'), () => {});
  } catch (error) {
    stored.close();
    throw error;
  }
  return FlatSegment.openFile(container, PLAIN_MEMORY, stored);
}
