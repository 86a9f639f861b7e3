/**
 * Outcome of an operation for whose record the disk has given no room yet.
 */

/** Nothing was done: the translog has no room for the operation's record. */
export class MissingRoom {
  /** Size of the record, at most. */
  readonly recordBytes: number;
  constructor(recordBytes: number) {
    this.recordBytes = recordBytes;
  }
}
