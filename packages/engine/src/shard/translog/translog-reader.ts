/**
 * Reads a translog after a restart: what was acknowledged is all there, or the shard refuses to start.
 *
 * A torn end is what a crash leaves of writes that nobody was promised; it is cut off. Damage before bytes that were
 * durable is refused with file and offset: going on would silently lose acknowledged writes. What was durable is known from
 * later records and the next file's header, and for the last group of writes from the mark beside the files.
 */
import { ShoalError } from '@shoal/core';
import { type Disk, finalSync, type LogMark, readLogMark } from '@shoal/runtime';
import type { HistoryOperation } from '@shoal/shard-api';
import { type GenerationTrim, isTrimmed, newestOfEach } from '../history/generation-trims.ts';
import type { EndedGeneration } from '../history/history-retention.ts';
import type { HistoryState } from '../history/history-state.ts';
import { LocalCheckpoint } from '../history/local-checkpoint.ts';
import { corruptTranslog } from './translog-failure.ts';
import {
  type DecodedRecord,
  decodeHeader,
  decodeRecord,
  nextRecordMark,
  TRANSLOG_FORMAT_VERSION,
  TRANSLOG_HEADER_BYTES,
} from './translog-record.ts';

export interface TranslogContent {
  /** Ascending; the newest one last. */
  readonly generations: readonly Omit<EndedGeneration, 'endedMs'>[];
  /** One of each number, in the order in which they were written, which need not be that of their numbers. */
  readonly operations: readonly HistoryOperation[];
  /** What copies had agreed on, as it was said last; null: it was not. */
  readonly state: HistoryState | null;
  readonly trims: readonly GenerationTrim[];
  /** Newest generation with a whole header; 0 when there is none. */
  readonly newestGeneration: number;
  /** Good bytes of it. */
  readonly newestBytes: number;
  /**
   * What comes next may be appended to the newest generation: it has no operation, is of this version, and was known to be durable, with
   * its name, before it was read.
   */
  readonly continues: boolean;
}

export function translogFileName(generation: number): string {
  return `translog-${generation}.tlog`;
}

/** Mark of what was durable last, see `DurableMark`. */
export function translogMarkPath(folder: string): string {
  return `${folder}/translog.mark`;
}

/** Generations in the folder, ascending. */
export async function listGenerations(disk: Disk, folder: string): Promise<readonly number[]> {
  const names = await disk.list(folder);
  return names
    .flatMap((name) => {
      const match = /^translog-(\d+)\.tlog$/.exec(name);
      return match === null ? [] : [Number(match[1])];
    })
    .sort((a, b) => a - b);
}

/**
 * Reads all generations from `from` on; a torn end of the newest is cut off on disk.
 *
 * @param there generations in the folder, see `listGenerations`
 */
export async function readTranslog(
  disk: Disk,
  folder: string,
  { from, there }: { readonly from: number; readonly there: readonly number[] },
): Promise<TranslogContent> {
  const read = new ReadRecords();
  const mark = await readLogMark(disk, translogMarkPath(folder));
  const generations = there.filter((generation) => generation >= from);
  const files: { generation: number; bytes: Uint8Array; previousBytes: number; version: number }[] = [];
  for (const [i, generation] of generations.entries()) {
    const path = `${folder}/${translogFileName(generation)}`;
    const bytes = await disk.readFile(path);
    const header = decodeHeader(bytes);
    if (header === null) {
      // The newest file is made before its generation begins, with room for records: nothing was ever acknowledged in it.
      const isNewest = i === generations.length - 1;
      if (!isNewest || !isZero(bytes, TRANSLOG_HEADER_BYTES) || mark?.generation === generation)
        throw corruptTranslog(path, 0, 'its header is not whole');
      await disk.unlink(path);
      continue;
    }
    if (header.version > TRANSLOG_FORMAT_VERSION) {
      throw new ShoalError(
        'index_format_too_new_exception',
        500,
        `translog file [${path}] has format version [${header.version}], this program reads up to [${TRANSLOG_FORMAT_VERSION}]`,
      );
    }
    if (header.generation !== generation) throw corruptTranslog(path, 0, `it is generation [${header.generation}]`);
    files.push({ generation, bytes, previousBytes: header.previousBytes, version: header.version });
  }
  checkComplete(folder, files, from, mark);
  let newestBytes = 0;
  let continues = false;
  const ended: Omit<EndedGeneration, 'endedMs'>[] = [];
  for (const [i, { generation, bytes, version }] of files.entries()) {
    const path = `${folder}/${translogFileName(generation)}`;
    const next = files[i + 1];
    read.begin(generation);
    newestBytes = readRecords(path, bytes, next?.previousBytes ?? null, read);
    ended.push({ generation, maxSeqNo: read.maxSeqNo, sizeBytes: newestBytes });
    if (next !== undefined) continue;
    if (mark?.generation === generation && newestBytes < mark.sizeBytes) {
      throw corruptTranslog(path, newestBytes, `[${mark.sizeBytes}] bytes of it had been made durable`);
    }
    // What no sync covered may be gone after the next failure of the machine; the next generation vouches for it.
    const isSynced = mark?.generation === generation && mark.sizeBytes === newestBytes;
    continues = isSynced && read.maxSeqNo < 0 && version === TRANSLOG_FORMAT_VERSION;
    if (newestBytes < bytes.length || !isSynced) await cutOff(disk, path, newestBytes);
  }
  const newestGeneration = files[files.length - 1]?.generation ?? 0;
  return { generations: ended, ...read.result(), newestGeneration, newestBytes, continues };
}

/** Records in the order in which they were written. */
class ReadRecords {
  /** Highest number of the generation that is read. */
  maxSeqNo = -1;
  private generation = 0;
  private operations: HistoryOperation[] = [];
  private readonly met = new LocalCheckpoint(-1);
  private hasReplaced = false;
  private state: HistoryState | null = null;
  private readonly trims: GenerationTrim[] = [];

  begin(generation: number): void {
    this.generation = generation;
    this.maxSeqNo = -1;
  }

  take({ operation, note }: Pick<DecodedRecord, 'operation' | 'note'>): void {
    if (operation !== null) {
      const { seqNo } = operation;
      this.operations.push(operation);
      this.maxSeqNo = Math.max(this.maxSeqNo, seqNo);
      if (this.met.has(seqNo)) this.hasReplaced = true;
      else this.met.mark(seqNo);
    } else if (note?.kind === 'trim') {
      this.trims.push({ above: note.above, belowTerm: note.belowTerm, generation: this.generation });
      this.operations = this.operations.filter((it) => !isTrimmed(it, note));
    } else if (note !== null) this.state = { globalCheckpoint: note.globalCheckpoint, leases: note.leases };
  }

  result(): Pick<TranslogContent, 'operations' | 'state' | 'trims'> {
    const { operations, hasReplaced, state, trims } = this;
    return { operations: hasReplaced ? newestOfEach(operations) : operations, state, trims };
  }
}

function checkComplete(
  folder: string,
  files: readonly { readonly generation: number }[],
  from: number,
  mark: LogMark | null,
): void {
  if (files.length === 0) throw corruptTranslog(`${folder}/${translogFileName(from)}`, 0, 'the file is missing');
  for (const [i, { generation }] of files.entries()) {
    if (generation !== from + i)
      throw corruptTranslog(`${folder}/${translogFileName(from + i)}`, 0, 'the file is missing');
  }
  const newest = from + files.length - 1;
  if (mark !== null && mark.generation > newest) {
    throw corruptTranslog(`${folder}/${translogFileName(newest + 1)}`, 0, 'the file is missing');
  }
}

/** Offset behind the last good record. `expectedBytes`: size that the next generation vouches for; null for the newest. */
function readRecords(path: string, bytes: Uint8Array, expectedBytes: number | null, into: ReadRecords): number {
  let at = TRANSLOG_HEADER_BYTES;
  while (at < bytes.length && (expectedBytes === null || at < expectedBytes)) {
    const record = decodeRecord(bytes, at);
    if (record === null) break;
    into.take(record);
    at = record.end;
  }
  if (expectedBytes !== null) {
    if (at !== expectedBytes) throw corruptTranslog(path, at, `[${expectedBytes}] bytes of it had been made durable`);
    return at;
  }
  for (let behind = nextRecordMark(bytes, at + 1); behind >= 0; behind = nextRecordMark(bytes, behind + 1)) {
    const record = decodeRecord(bytes, behind);
    if (record !== null && record.syncedBytes > at) {
      throw corruptTranslog(
        path,
        at,
        `a later record at [${behind}] vouches for [${record.syncedBytes}] durable bytes`,
      );
    }
  }
  return at;
}

function isZero(bytes: Uint8Array, from: number): boolean {
  for (let at = from; at < bytes.length; at++) if (bytes[at] !== 0) return false;
  return true;
}

async function cutOff(disk: Disk, path: string, sizeBytes: number): Promise<void> {
  const file = await disk.open(path, 'update');
  try {
    await file.truncate(sizeBytes);
    await finalSync(file, path);
  } finally {
    await file.close();
  }
}
