/**
 * The pages of a persisted queue: what an earlier process left, checked record by record, and the files being written and read.
 */
import { ShoalError } from '@shoal/core';
import type { Disk } from '@shoal/runtime';
import { PAGE_HEAD_BYTES, readPageHead } from './page-format.ts';
import { type DamagedRange, PageReader } from './page-reader.ts';
import type { QueuePage } from './queue-page.ts';

const pagePath = (directory: string, number: number): string => `${directory}/page.${number}`;

/**
 * Makes an empty page whose name is durable: nothing written to it can vanish with the file. Its head comes with its first record, so
 * that a queue opens on a full disk too.
 */
export async function createPage(disk: Disk, directory: string, number: number, nextSeq: number): Promise<QueuePage> {
  const path = pagePath(directory, number);
  const file = await disk.open(path, 'create');
  try {
    await disk.syncDir(directory);
  } catch (error) {
    await file.close();
    throw error;
  }
  return { number, path, file, firstSeq: nextSeq, nextSeq, bytes: 0, syncedBytes: 0, readableCount: 0 };
}

/** Numbers of the pages that a folder has, lowest first. */
export async function listPages(disk: Disk, directory: string): Promise<readonly number[]> {
  const numbers: number[] = [];
  for (const name of await disk.list(directory)) {
    const match = /^page\.(\d{1,9})$/.exec(name);
    if (match?.[1] !== undefined) numbers.push(Number(match[1]));
  }
  return numbers.sort((a, b) => a - b);
}

export interface OpenedPage {
  readonly page: QueuePage;
  /** Events at or above `ackedSeq`. */
  readonly unfinishedCount: number;
  readonly damage: readonly DamagedRange[];
  /** Sequence numbers that are missing between readable records. */
  readonly gaps: readonly { readonly fromSeq: number; readonly toSeq: number }[];
}

/**
 * Opens a page of an earlier process and looks at each of its records.
 *
 * @throws illegal_state_exception for a page in another version of the format, which stays as it is
 */
export async function openPage(
  disk: Disk,
  options: { readonly directory: string; readonly number: number; readonly ackedSeq: number },
): Promise<OpenedPage> {
  const { directory, number, ackedSeq } = options;
  const path = pagePath(directory, number);
  const file = await disk.open(path, 'read');
  try {
    const bytes = await file.sizeBytes();
    const head = readPageHead(await file.read(0, PAGE_HEAD_BYTES));
    if (head === 'foreign') throw foreignPage(path);
    const seq = { firstSeq: ackedSeq, nextSeq: ackedSeq, readableCount: 0 };
    return await readPage({ number, path, file, ...seq, bytes, syncedBytes: bytes }, head === 'whole', ackedSeq);
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function readPage(page: QueuePage, hasHead: boolean, ackedSeq: number): Promise<OpenedPage> {
  const damage: DamagedRange[] = [];
  const gaps: { fromSeq: number; toSeq: number }[] = [];
  let unfinishedCount = 0;
  const size = page.bytes;
  if (!hasHead && size > 0) damage.push({ from: 0, to: Math.min(size, PAGE_HEAD_BYTES), namedCount: 0 });
  const reader = new PageReader(page, (range) => damage.push(range));
  let end = Math.min(size, PAGE_HEAD_BYTES);
  for (let record = await reader.next(); record !== null; record = await reader.next()) {
    if (page.readableCount === 0) page.firstSeq = record.firstSeq;
    else if (record.firstSeq > page.nextSeq) gaps.push({ fromSeq: page.nextSeq, toSeq: record.firstSeq });
    page.nextSeq = record.firstSeq + record.count;
    page.readableCount += record.count;
    if (record.firstSeq >= ackedSeq) unfinishedCount += record.count;
    end = record.endOffset;
  }
  return { page: { ...page, bytes: end, syncedBytes: end }, unfinishedCount, damage, gaps };
}

/** 500: a page that another version of this program has written. */
function foreignPage(path: string): ShoalError {
  const text = `queue page ${path} has another version of the format: start the version that wrote it, or move the folder away`;
  return new ShoalError('illegal_state_exception', 500, text);
}
