/**
 * Reads operations out of translog files, some of which may still be written: for copies that lack them.
 *
 * The newest file comes first, and a number that was met is passed over from then on: where a number was written twice, the
 * later operation replaced the earlier one. It never stands in the same file: a rollback begins a new one.
 */
import { assert, type ShoalError } from '@shoal/core';
import type { Disk, File } from '@shoal/runtime';
import type { HistoryOperation } from '@shoal/shard-api';
import type { LogTrim } from '../history/generation-trims.ts';
import { isTrimmed } from '../history/generation-trims.ts';
import { LocalCheckpoint } from '../history/local-checkpoint.ts';
import { corruptTranslog } from './translog-failure.ts';
import { decodeRecord, RECORD_HEADER_BYTES, recordBytes, TRANSLOG_HEADER_BYTES } from './translog-record.ts';

/** Bytes that are read at once; a larger record is read alone. */
const READ_BYTES = 256 * 1024;

/** Part of a translog file that is durable. */
export interface HistoryFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** What it has and the shard has not. */
  readonly trims: readonly LogTrim[];
}

/**
 * Operations from a number on, in batches.
 *
 * @param files ascending by generation
 * @param batchBytesMax bytes of the files after which a batch is given; it has one operation at least
 * @throws translog_corrupted_exception for damage
 */
export async function* readHistory(
  disk: Disk,
  files: readonly HistoryFile[],
  { from, to, batchBytesMax }: { readonly from: number; readonly to: number; readonly batchBytesMax: number },
): AsyncGenerator<readonly HistoryOperation[], void> {
  const met = new LocalCheckpoint(from - 1);
  let batch: HistoryOperation[] = [];
  let bytes = 0;
  for (const file of files.toReversed()) {
    for await (const { operation, size } of readFile(disk, file)) {
      const { seqNo } = operation;
      if (seqNo > to || met.has(seqNo) || file.trims.some((trim) => isTrimmed(operation, trim))) continue;
      met.mark(seqNo);
      batch.push(operation);
      bytes += size;
      if (bytes < batchBytesMax) continue;
      yield batch;
      batch = [];
      bytes = 0;
    }
  }
  if (batch.length > 0) yield batch;
}

async function* readFile(
  disk: Disk,
  { path, sizeBytes }: HistoryFile,
): AsyncGenerator<{ readonly operation: HistoryOperation; readonly size: number }, void> {
  const file = await disk.open(path, 'read');
  try {
    for (let at = TRANSLOG_HEADER_BYTES; at < sizeBytes; ) {
      const { bytes, end } = await readRecords(file, path, at, sizeBytes);
      assert(end > 0, `no record of translog file [${path}] is read at ${at}`);
      for (let next = 0; next < end; ) {
        const record = decodeRecord(bytes, next);
        if (record === null) throw noRecord(path, at + next);
        if (record.operation !== null) yield { operation: record.operation, size: record.end - next };
        next = record.end;
      }
      at += end;
    }
  } finally {
    await file.close();
  }
}

/** Bytes from `at` on, of which the first `end` are whole records: one at least. */
async function readRecords(
  file: File,
  path: string,
  at: number,
  sizeBytes: number,
): Promise<{ readonly bytes: Uint8Array; readonly end: number }> {
  let bytes = await file.read(at, Math.min(READ_BYTES, sizeBytes - at));
  const first = recordBytes(bytes, 0);
  if (first === null || at + first > sizeBytes) throw noRecord(path, at);
  if (first > bytes.length) bytes = await file.read(at, first);
  let end = 0;
  while (end + RECORD_HEADER_BYTES <= bytes.length) {
    const size = recordBytes(bytes, end);
    if (size === null) throw noRecord(path, at + end);
    if (end + size > bytes.length) break;
    end += size;
  }
  if (end === 0) throw noRecord(path, at);
  return { bytes, end };
}

function noRecord(path: string, at: number): ShoalError {
  return corruptTranslog(path, at, 'no record begins there');
}
