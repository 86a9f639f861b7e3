/**
 * The pages of a persisted queue: what an earlier process left, checked record by record, and the files being written and read.
 */
import { assert } from '@shoal/core';
import type { Disk, File, Log } from '@shoal/runtime';
import { isPageHead, PAGE_HEAD_BYTES, pageHead, RECORD_HEAD_BYTES, readRecordHead, recordCrc } from './page-format.ts';

/** How much of a page is read at once. */
const READ_BYTES = 256 * 1024;

export interface QueuePage {
  readonly number: number;
  readonly path: string;
  readonly file: File;
  /** Sequence number of the first record; equal to `nextSeq` when there is none. */
  firstSeq: number;
  nextSeq: number;
  /** End of the last whole record. */
  bytes: number;
  /** End of the durable content. */
  syncedBytes: number;
}

export interface PageRecord {
  readonly firstSeq: number;
  readonly count: number;
  readonly payload: Uint8Array;
  readonly isCompressed: boolean;
  readonly endOffset: number;
}

const pagePath = (directory: string, number: number): string => `${directory}/page.${number}`;

/** Makes an empty page whose name is durable: nothing written to it can vanish with the file. */
export async function createPage(disk: Disk, directory: string, number: number, nextSeq: number): Promise<QueuePage> {
  const path = pagePath(directory, number);
  const file = await disk.open(path, 'create');
  await file.write(pageHead(), 0);
  await file.sync();
  await disk.syncDir(directory);
  return {
    number,
    path,
    file,
    firstSeq: nextSeq,
    nextSeq,
    bytes: PAGE_HEAD_BYTES,
    syncedBytes: PAGE_HEAD_BYTES,
  };
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
}

/**
 * Opens a page of an earlier process and cuts what does not check off its end. A page without a whole head counts as
 * empty: the machine failed while it was made.
 */
export async function openPage(
  disk: Disk,
  options: { readonly directory: string; readonly number: number; readonly ackedSeq: number; readonly log: Log },
): Promise<OpenedPage> {
  const { directory, number, ackedSeq, log } = options;
  const path = pagePath(directory, number);
  const file = await disk.open(path, 'update');
  const size = await file.sizeBytes();
  const page: QueuePage = { number, path, file, firstSeq: ackedSeq, nextSeq: ackedSeq, bytes: size, syncedBytes: 0 };
  let unfinishedCount = 0;
  let end = PAGE_HEAD_BYTES;
  if (isPageHead(await file.read(0, PAGE_HEAD_BYTES))) {
    const reader = new PageReader(page);
    for (let record = await reader.next(); record !== null; record = await reader.next()) {
      if (end === PAGE_HEAD_BYTES) page.firstSeq = record.firstSeq;
      page.nextSeq = record.firstSeq + record.count;
      if (record.firstSeq >= ackedSeq) unfinishedCount += record.count;
      end = record.endOffset;
    }
  } else {
    await file.truncate(0);
    await file.write(pageHead(), 0);
  }
  if (end < size) {
    log.warn('damaged end of a queue page cut', { page: path, keptBytes: end, cutBytes: size - end });
    await file.truncate(end);
  }
  if (end !== size) await file.sync();
  page.bytes = end;
  page.syncedBytes = end;
  return { page, unfinishedCount };
}

/** Reads the records of one page in order, up to its `bytes`, which may grow meanwhile. */
export class PageReader {
  readonly page: QueuePage;
  #offset: number = PAGE_HEAD_BYTES;
  #buffer: Uint8Array = new Uint8Array(0);
  #bufferOffset: number = PAGE_HEAD_BYTES;

  constructor(page: QueuePage) {
    this.page = page;
  }

  get isAtEnd(): boolean {
    return this.#offset >= this.page.bytes;
  }

  /** null at the end, and before a record that does not check. */
  async next(): Promise<PageRecord | null> {
    const record = await this.peek();
    if (record !== null) this.#offset = record.endOffset;
    return record;
  }

  /** The next record without going past it. */
  async peek(): Promise<PageRecord | null> {
    const headBytes = await this.#read(RECORD_HEAD_BYTES);
    const head = headBytes === null ? null : readRecordHead(headBytes);
    if (head === null) return null;
    const bytes = await this.#read(RECORD_HEAD_BYTES + head.payloadBytes);
    if (bytes === null) return null;
    const payload = bytes.subarray(RECORD_HEAD_BYTES);
    if (recordCrc(bytes, payload) !== head.crc) return null;
    return { ...head, payload, endOffset: this.#offset + bytes.byteLength };
  }

  /** `count` bytes from where the reader stands; null when the page has fewer. */
  async #read(count: number): Promise<Uint8Array | null> {
    if (this.#offset + count > this.page.bytes) return null;
    const bufferEnd = this.#bufferOffset + this.#buffer.byteLength;
    if (this.#offset < this.#bufferOffset || this.#offset + count > bufferEnd) {
      const wanted = Math.min(Math.max(count, READ_BYTES), this.page.bytes - this.#offset);
      this.#buffer = await this.page.file.read(this.#offset, wanted);
      this.#bufferOffset = this.#offset;
      if (this.#buffer.byteLength < count) return null;
    }
    const from = this.#offset - this.#bufferOffset;
    assert(from >= 0 && from + count <= this.#buffer.byteLength, `queue reader outside its buffer at ${this.#offset}`);
    return this.#buffer.subarray(from, from + count);
  }
}
