/**
 * Reads the records of one page in order, and finds its way past damage: a record that does not check costs itself, not what follows it.
 *
 * Where the length of a damaged record is credible the next one is looked for behind it; otherwise byte by byte. What stands there is
 * believed only when its checksum fits and its sequence number does not go back.
 */
import { assert } from '@shoal/core';
import { PAGE_HEAD_BYTES, RECORD_HEAD_BYTES, type RecordHead, readRecordHead, recordCrc } from './page-format.ts';
import type { QueuePage } from './queue-page.ts';

/** How much of a page is read at once. */
const READ_BYTES = 256 * 1024;

export interface PageRecord {
  readonly firstSeq: number;
  readonly count: number;
  readonly payload: Uint8Array;
  readonly isCompressed: boolean;
  readonly offset: number;
  readonly endOffset: number;
}

/** Bytes of a page that are no readable record. */
export interface DamagedRange {
  readonly from: number;
  /** Start of the record behind it, or the end of the page. */
  readonly to: number;
  /** Events that the head of a damaged record names, when the record is there to its end; 0 otherwise. */
  readonly namedCount: number;
}

/** Reads up to the `bytes` of its page, which may grow meanwhile. */
export class PageReader {
  readonly page: QueuePage;
  readonly #onDamage: (range: DamagedRange) => void;
  #offset: number = PAGE_HEAD_BYTES;
  /** Lowest sequence number that a record here can have. */
  #nextSeq = 0;
  #readCount = 0;
  #buffer: Uint8Array = new Uint8Array(0);
  #bufferOffset: number = PAGE_HEAD_BYTES;

  /** @param onDamage called once for each range that is passed over, its record being the next one that comes */
  constructor(page: QueuePage, onDamage: (range: DamagedRange) => void = () => {}) {
    this.page = page;
    this.#onDamage = onDamage;
  }

  /** Events of the records that were gone past. */
  get readCount(): number {
    return this.#readCount;
  }

  get isAtEnd(): boolean {
    return this.#offset >= this.page.bytes;
  }

  /** null at the end. */
  async next(): Promise<PageRecord | null> {
    const record = await this.peek();
    if (record !== null) this.#pass(record);
    return record;
  }

  /** The next record without going past it. */
  async peek(): Promise<PageRecord | null> {
    const record = await this.#recordAt(this.#offset);
    if (record !== null || this.isAtEnd) return record;
    const from = this.#offset;
    const end = this.page.bytes;
    const damaged = await this.#headAt(from);
    const found = await this.#search(damaged, from, end);
    this.#offset = found?.offset ?? end;
    const isNamed = damaged !== null && from + RECORD_HEAD_BYTES + damaged.payloadBytes <= end;
    this.#onDamage({ from, to: this.#offset, namedCount: isNamed ? damaged.count : 0 });
    return found;
  }

  #pass(record: PageRecord): void {
    this.#offset = record.endOffset;
    this.#nextSeq = record.firstSeq + record.count;
    this.#readCount += record.count;
  }

  /** First whole record behind a damaged one. */
  async #search(damaged: RecordHead | null, from: number, end: number): Promise<PageRecord | null> {
    if (damaged !== null) {
      const behind = await this.#recordAt(from + RECORD_HEAD_BYTES + damaged.payloadBytes);
      if (behind !== null) return behind;
    }
    for (let at = from + 1; at + RECORD_HEAD_BYTES <= end; at++) {
      const bytes = this.#buffered(at, RECORD_HEAD_BYTES) ?? (await this.#read(at, RECORD_HEAD_BYTES));
      // Nearly every position ends here, without a promise.
      const head = bytes === null ? null : readRecordHead(bytes);
      if (head === null || head.firstSeq < this.#nextSeq) continue;
      const record = await this.#recordAt(at);
      if (record !== null) return record;
    }
    return null;
  }

  async #headAt(offset: number): Promise<RecordHead | null> {
    const bytes = await this.#read(offset, RECORD_HEAD_BYTES);
    return bytes === null ? null : readRecordHead(bytes);
  }

  /** null where no whole record stands. */
  async #recordAt(offset: number): Promise<PageRecord | null> {
    const head = await this.#headAt(offset);
    if (head === null || head.firstSeq < this.#nextSeq) return null;
    const bytes = await this.#read(offset, RECORD_HEAD_BYTES + head.payloadBytes);
    if (bytes === null) return null;
    const payload = bytes.subarray(RECORD_HEAD_BYTES);
    if (recordCrc(bytes, payload) !== head.crc) return null;
    return { ...head, payload, offset, endOffset: offset + bytes.byteLength };
  }

  /** `count` bytes at `offset`; null when the page has fewer. */
  async #read(offset: number, count: number): Promise<Uint8Array | null> {
    if (offset + count > this.page.bytes) return null;
    const known = this.#buffered(offset, count);
    if (known !== null) return known;
    const wanted = Math.min(Math.max(count, READ_BYTES), this.page.bytes - offset);
    this.#buffer = await this.page.file.read(offset, wanted);
    this.#bufferOffset = offset;
    return this.#buffered(offset, count);
  }

  #buffered(offset: number, count: number): Uint8Array | null {
    const from = offset - this.#bufferOffset;
    if (from < 0 || from + count > this.#buffer.byteLength) return null;
    assert(offset + count <= this.page.bytes, `queue reader beyond its page at ${offset}`);
    return this.#buffer.subarray(from, from + count);
  }
}
