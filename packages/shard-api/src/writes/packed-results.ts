/**
 * Outcomes of the writes of one shard, as columns: a word and three numbers for each operation that was done, and beside
 * them the few that failed and the few documents that were asked for.
 */
import { assert, type ShoalError } from '@shoal/core';
import type { DoneWord, WriteResult } from './write-result.ts';

export const RESULT_WORDS: readonly DoneWord[] = ['created', 'updated', 'deleted', 'not_found', 'noop'];
/** In the column of words. */
export const FAILED_WORD = 255;
const NOOP = RESULT_WORDS.indexOf('noop');
const CAPACITY_MIN = 4;

export interface ResultColumns {
  /** Positions in `RESULT_WORDS`, or `FAILED_WORD`. */
  readonly words: Uint8Array;
  readonly versions: Float64Array;
  readonly seqNos: Float64Array;
  readonly primaryTerms: Float64Array;
}

export class PackedResults {
  #columns: ResultColumns;
  #length: number;
  /** By position. */
  readonly #errors: Map<number, ShoalError>;
  readonly #sources: Map<number, Uint8Array>;

  /** @param columns of results that came from elsewhere: each as long as the others, each failed one with its error */
  constructor(
    columns: ResultColumns = columnsFor(CAPACITY_MIN),
    length = 0,
    errors: ReadonlyMap<number, ShoalError> = new Map(),
    sources: ReadonlyMap<number, Uint8Array> = new Map(),
  ) {
    this.#columns = columns;
    this.#length = length;
    this.#errors = new Map(errors);
    this.#sources = new Map(sources);
  }

  static of(results: Iterable<WriteResult>): PackedResults {
    const packed = new PackedResults();
    for (const result of results) packed.push(result);
    return packed;
  }

  get length(): number {
    return this.#length;
  }

  /** Errors of the operations that failed, by position. */
  get errors(): ReadonlyMap<number, ShoalError> {
    return this.#errors;
  }

  /** Documents that come back, by position. */
  get sources(): ReadonlyMap<number, Uint8Array> {
    return this.#sources;
  }

  /** Columns of exactly `length` rows, as views. */
  columns(): ResultColumns {
    const { words, versions, seqNos, primaryTerms } = this.#columns;
    const end = this.#length;
    return {
      words: words.subarray(0, end),
      versions: versions.subarray(0, end),
      seqNos: seqNos.subarray(0, end),
      primaryTerms: primaryTerms.subarray(0, end),
    };
  }

  push(result: WriteResult): void {
    const at = this.#length;
    if (at === this.#columns.words.length) this.#columns = grown(this.#columns);
    this.#length++;
    const { words, versions, seqNos, primaryTerms } = this.#columns;
    if (result.kind === 'failed') {
      words[at] = FAILED_WORD;
      this.#errors.set(at, result.error);
      return;
    }
    words[at] = RESULT_WORDS.indexOf(result.result);
    versions[at] = result.version;
    seqNos[at] = result.seqNo;
    primaryTerms[at] = result.primaryTerm;
    if (result.source !== null) this.#sources.set(at, result.source);
  }

  append(others: PackedResults): void {
    for (const result of others) this.push(result);
  }

  at(position: number): WriteResult | undefined {
    if (position >= this.#length) return undefined;
    const { words, versions, seqNos, primaryTerms } = this.#columns;
    const error = this.#errors.get(position);
    if (error !== undefined) return { kind: 'failed', error };
    const result = RESULT_WORDS[words[position] as number];
    assert(result !== undefined, `the unknown result ${words[position]}`);
    return {
      kind: 'done',
      result,
      version: versions[position] as number,
      seqNo: seqNos[position] as number,
      primaryTerm: primaryTerms[position] as number,
      source: this.#sources.get(position) ?? null,
    };
  }

  map<T>(make: (result: WriteResult) => T): readonly T[] {
    return Array.from(this, make);
  }

  *[Symbol.iterator](): Iterator<WriteResult> {
    for (let at = 0; at < this.#length; at++) yield this.at(at) as WriteResult;
  }

  /** Something has changed: an operation that was done, and not a noop. */
  get hasWritten(): boolean {
    const { words } = this.#columns;
    for (let at = 0; at < this.#length; at++) if ((words[at] as number) < NOOP) return true;
    return false;
  }

  /** Whatever was written counts as failed: it could not be made durable. */
  failWritten(error: ShoalError): void {
    const { words } = this.#columns;
    for (let at = 0; at < this.#length; at++) {
      if ((words[at] as number) >= NOOP) continue;
      words[at] = FAILED_WORD;
      this.#errors.set(at, error);
      this.#sources.delete(at);
    }
  }
}

function columnsFor(capacity: number): ResultColumns {
  return {
    words: new Uint8Array(capacity),
    versions: new Float64Array(capacity),
    seqNos: new Float64Array(capacity),
    primaryTerms: new Float64Array(capacity),
  };
}

function grown(columns: ResultColumns): ResultColumns {
  const next = columnsFor(Math.max(CAPACITY_MIN, columns.words.length * 2));
  next.words.set(columns.words);
  next.versions.set(columns.versions);
  next.seqNos.set(columns.seqNos);
  next.primaryTerms.set(columns.primaryTerms);
  return next;
}
