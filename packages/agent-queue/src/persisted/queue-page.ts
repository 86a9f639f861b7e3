/**
 * A page of a persisted queue as the process knows it: its file, and what stands in it.
 */
import type { File } from '@shoal/runtime';

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
  /** Events of records that could be read when they were last looked at. */
  readableCount: number;
}
