/**
 * What a persisted queue knows for certain: all events below a sequence number are done with.
 *
 * One small file, replaced whole: written beside, synced, renamed. A missing or damaged one means that nothing is known to be done, and
 * every event that the pages hold comes again: repeated rather than lost.
 */
import { crc32 } from 'node:zlib';
import { ShoalError } from '@shoal/core';
import { type Disk, DiskError } from '@shoal/runtime';

const CHECKPOINT_BYTES = 24;
const MAGIC = 0x43514853;
const VERSION = 1;

export interface Checkpoint {
  /** Every event with a smaller sequence number is acknowledged. */
  readonly ackedSeq: number;
  /** No page with a greater number was ever made when this was written. */
  readonly lastPage: number;
}

export async function writeCheckpoint(disk: Disk, directory: string, checkpoint: Checkpoint): Promise<void> {
  const bytes = new Uint8Array(CHECKPOINT_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, VERSION, true);
  view.setBigUint64(8, BigInt(checkpoint.ackedSeq), true);
  view.setUint32(16, checkpoint.lastPage, true);
  view.setUint32(20, crc32(bytes.subarray(0, 20)), true);
  const file = await disk.open(`${directory}/checkpoint.tmp`, 'create');
  try {
    await file.write(bytes, 0);
    await file.sync();
  } finally {
    await file.close();
  }
  await disk.rename(`${directory}/checkpoint.tmp`, `${directory}/checkpoint`);
  await disk.syncDir(directory);
}

/** `isDamaged` when there is a file that does not check. */
export async function readCheckpoint(
  disk: Disk,
  directory: string,
): Promise<{ readonly checkpoint: Checkpoint; readonly isDamaged: boolean }> {
  const nothing: Checkpoint = { ackedSeq: 0, lastPage: 0 };
  let bytes: Uint8Array;
  try {
    bytes = await disk.readFile(`${directory}/checkpoint`);
  } catch (error) {
    if (error instanceof DiskError && error.kind === 'notFound') return { checkpoint: nothing, isDamaged: false };
    throw error;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isWhole =
    bytes.byteLength >= CHECKPOINT_BYTES &&
    view.getUint32(0, true) === MAGIC &&
    view.getUint32(20, true) === crc32(bytes.subarray(0, 20));
  if (isWhole && view.getUint32(4, true) !== VERSION) throw foreignCheckpoint(directory);
  if (!isWhole) return { checkpoint: nothing, isDamaged: true };
  return {
    checkpoint: { ackedSeq: Number(view.getBigUint64(8, true)), lastPage: view.getUint32(16, true) },
    isDamaged: false,
  };
}

/** 500: a checkpoint that another version of this program has written. */
function foreignCheckpoint(directory: string): ShoalError {
  const text = `the queue checkpoint in ${directory} has another version of the format: start the version that wrote it, or move the folder away`;
  return new ShoalError('illegal_state_exception', 500, text);
}
