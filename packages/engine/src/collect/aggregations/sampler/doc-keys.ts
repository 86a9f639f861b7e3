/**
 * The value by which documents of a sample are told apart. Documents without one are alike.
 */
import { illegalArgument } from '@shoal/core';
import type { NumericColumn, OrdinalColumn, SegmentView } from '../../../format/reader/segment-reader.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import { TermNumbers } from '../terms/term-numbers.ts';
import { CodeBatch, NumberBatch } from '../values/batch-values.ts';
import { missingNumber, numbersOf, type ResolvedSource, termOfKey } from '../values/field-values.ts';

export interface DocKeys {
  enter(view: SegmentView): void;
  /** Before the keys of its documents are asked for. */
  read(batch: DocBatch): void;
  /** @param position in the batch */
  at(position: number): number | null;
}

/** @param byOrdinal texts are told apart by their place in the order of the shard's texts */
export function docKeys(source: ResolvedSource, views: readonly SegmentView[], byOrdinal: boolean): DocKeys {
  return source.keyKind === 'text' && source.scripted === undefined
    ? new TextKeys(source, views, byOrdinal)
    : new NumberKeys(source);
}

/** Keys by position: those of a batch are cleared when the next is read. */
class KeyTable {
  readonly #keys: (number | null)[] = [];

  clear(count: number, none: number | null): void {
    this.#keys.length = 0;
    for (let i = 0; i < count; i++) this.#keys.push(none);
  }

  at(position: number): number | null {
    return this.#keys[position] ?? null;
  }

  /** @throws ShoalError for a second value of a document */
  fill(positions: Uint32Array, length: number, keyOf: (at: number) => number): void {
    for (let k = 0; k < length; k++) {
      const position = positions[k] as number;
      if (k > 0 && positions[k - 1] === position) {
        throw illegalArgument('Sample diversifying key must be a single valued-field');
      }
      this.#keys[position] = keyOf(k);
    }
  }
}

/** Numbers are told apart without their fraction; no value is as 0. Texts that a script makes are numbered. */
class NumberKeys implements DocKeys {
  readonly #source: ResolvedSource;
  readonly #batch = new NumberBatch();
  readonly #table = new KeyTable();
  #column: NumericColumn | null = null;

  constructor(source: ResolvedSource) {
    this.#source = source;
  }

  enter(view: SegmentView): void {
    this.#column = numbersOf(view, this.#source);
  }

  read(docs: DocBatch): void {
    const batch = this.#batch;
    batch.read(this.#column, docs, missingNumber(this.#source));
    this.#table.clear(docs.count, this.#source.texts === undefined ? 0 : null);
    this.#table.fill(batch.positions, batch.length, (at) => Math.trunc(batch.values[at] as number) + 0);
  }

  at(position: number): number | null {
    return this.#table.at(position);
  }
}

class TextKeys implements DocKeys {
  readonly #source: ResolvedSource;
  readonly #numbers: TermNumbers;
  readonly #batch = new CodeBatch();
  readonly #table = new KeyTable();
  #column: OrdinalColumn | null = null;

  /** The first text of the shard; null: there is none, or places in the order do not count. */
  readonly #first: Uint8Array | null;

  constructor(source: ResolvedSource, views: readonly SegmentView[], byOrdinal: boolean) {
    this.#source = source;
    this.#numbers = new TermNumbers(source.field, views, { buildsUnions: false });
    this.#first = byOrdinal ? firstText(source.field, views) : null;
  }

  enter(view: SegmentView): void {
    this.#column = view.segment.ordinalColumn(this.#source.field);
    this.#numbers.enter(view, this.#column);
  }

  read(docs: DocBatch): void {
    const batch = this.#batch;
    const { missing } = this.#source;
    const none = this.#column?.valueCount ?? 0;
    batch.readOrdinals(this.#column, docs, missing === null ? -1 : none);
    // A document without a text has the key 0, which is the place of the first one.
    this.#table.clear(docs.count, this.#first === null ? null : this.#numbers.ofBytes(this.#first));
    this.#table.fill(batch.positions, batch.length, (at) => {
      const ordinal = batch.values[at] as number;
      return ordinal === none && missing !== null
        ? this.#numbers.ofBytes(termOfKey(this.#source, missing))
        : this.#numbers.ofOrdinal(ordinal);
    });
  }

  at(position: number): number | null {
    return this.#table.at(position);
  }
}

function firstText(field: string, views: readonly SegmentView[]): Uint8Array | null {
  let first: Buffer | null = null;
  for (const { segment } of views) {
    const column = segment.ordinalColumn(field);
    if (column === null || column.valueCount === 0) continue;
    const text = Buffer.from(column.value(0));
    if (first === null || text.compare(first) < 0) first = text;
  }
  return first;
}
