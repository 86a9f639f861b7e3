/**
 * The pages of a persisted queue as one store: records are appended to the last page, whole pages are removed from the front.
 *
 * What is durable and in which order is decided by the caller; here a page and its counts always change together. Sequence
 * numbers never go back: were records lost that a checkpoint calls done, new ones go above it.
 */
import { assert } from '@shoal/core';
import type { Disk } from '@shoal/runtime';
import { createPage } from './page-files.ts';
import { PAGE_HEAD_BYTES, pageHead } from './page-format.ts';
import { joinRecords, type PendingRecord } from './pending-records.ts';
import type { QueuePage } from './queue-page.ts';

export class PageWriter {
  readonly #disk: Disk;
  readonly #directory: string;
  readonly #pages: QueuePage[];
  #unsyncedEvents = 0;

  /** @param pages in the order of their numbers, at least one; the last one is written to */
  constructor(disk: Disk, directory: string, pages: readonly QueuePage[]) {
    assert(pages.length > 0, `no page in ${directory}`);
    this.#disk = disk;
    this.#directory = directory;
    this.#pages = [...pages];
  }

  /** The page that is written to. */
  get head(): QueuePage {
    return this.#pageAt(-1);
  }

  get first(): QueuePage {
    return this.#pageAt(0);
  }

  /** Events in the head that a failing machine may lose. */
  get unsyncedEvents(): number {
    return this.#unsyncedEvents;
  }

  get totalBytes(): number {
    let total = 0;
    for (const page of this.#pages) total += page.bytes;
    return total;
  }

  /** There is one page, without a record. */
  get isEmpty(): boolean {
    return this.#pages.length === 1 && !this.#hasRecords;
  }

  /** null behind the last page. */
  pageAfter(number: number): QueuePage | null {
    return this.#pages.find((page) => page.number > number) ?? null;
  }

  /** The first page goes as soon as every event of it is done; the head never. */
  isFirstRemovable(ackedSeq: number): boolean {
    return this.#pages.length > 1 && this.first.nextSeq <= ackedSeq;
  }

  /** Every event of the head is done: behind a new page it could be removed. */
  isHeadDone(ackedSeq: number): boolean {
    return this.#hasRecords && this.head.nextSeq <= ackedSeq;
  }

  get #hasRecords(): boolean {
    return this.head.bytes > PAGE_HEAD_BYTES;
  }

  /** Size of all pages with records of so many bytes more in the head. */
  bytesWith(recordBytes: number): number {
    return this.totalBytes + recordBytes + (this.head.bytes === 0 ? PAGE_HEAD_BYTES : 0);
  }

  /** Appends to the head. Answers the number of events; after a failed write the page counts as it did before. */
  async append(records: readonly PendingRecord[], ackedSeq: number): Promise<number> {
    const { head } = this;
    const firstSeq = Math.max(head.nextSeq, ackedSeq);
    const joined = joinRecords(records, firstSeq);
    const bytes = head.bytes === 0 ? Buffer.concat([pageHead(), joined]) : joined;
    const nextSeq = records.reduce((sum, { count }) => sum + count, firstSeq);
    assert(nextSeq > firstSeq, `${records.length} records without an event at ${firstSeq}`);
    await head.file.write(bytes, head.bytes);
    assert(head === this.head, `page ${head.number} was written to behind page ${this.head.number}`);
    if (!this.#hasRecords) head.firstSeq = firstSeq;
    head.bytes += bytes.byteLength;
    head.nextSeq = nextSeq;
    head.readableCount += nextSeq - firstSeq;
    this.#unsyncedEvents += nextSeq - firstSeq;
    return nextSeq - firstSeq;
  }

  /** Cuts off what a write that failed may have left behind the last whole record. */
  async cutHead(): Promise<void> {
    await this.head.file.truncate(this.head.bytes);
  }

  async syncHead(): Promise<void> {
    const { head } = this;
    const { bytes } = head;
    assert(head.syncedBytes <= bytes, `page ${head.number} has ${bytes} bytes, ${head.syncedBytes} of them synced`);
    if (head.syncedBytes < bytes) await head.file.sync();
    head.syncedBytes = bytes;
    this.#unsyncedEvents = 0;
  }

  /** The content of the head is durable before the page after it is there. */
  async addPage(ackedSeq: number): Promise<void> {
    await this.syncHead();
    const { head } = this;
    assert(head.syncedBytes === head.bytes, `page ${head.number} was written to while it was synced`);
    this.#pages.push(await createPage(this.#disk, this.#directory, head.number + 1, Math.max(head.nextSeq, ackedSeq)));
  }

  async removeFirst(ackedSeq: number): Promise<void> {
    const page = this.first;
    assert(this.isFirstRemovable(ackedSeq), `page ${page.number} up to ${page.nextSeq} is removed at ${ackedSeq}`);
    // The reader may be at its end, where it reads no more: it turns to the next page by number.
    this.#pages.shift();
    await page.file.close();
    await this.#disk.unlink(page.path);
  }

  async close(): Promise<void> {
    for (const page of this.#pages) await page.file.close();
  }

  #pageAt(index: number): QueuePage {
    const page = this.#pages.at(index);
    assert(page !== undefined, `queue ${this.#directory} without a page`);
    return page;
  }
}
