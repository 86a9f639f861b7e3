/**
 * Values that a script makes: of each document, or of each value of a field. They are made for the documents of a batch when it is
 * read, so that no script sees a document that is not collected.
 *
 * To the collectors they are a column of numbers. Texts are numbered as they come: a number stands for the same text on the whole
 * shard.
 */
import { assert } from '@shoal/core';
import type { NumericColumn, SegmentView } from '../../../format/reader/segment-reader.ts';
import type { DocBatch } from '../collector/doc-batch.ts';

/** Values of one document, as they come. */
export type DocumentValues = (doc: number) => readonly unknown[];

/** Numbers of the texts that scripts made. */
export interface TextNumbers {
  of(text: string): number;
  readonly memoryBytes: number;
}

/** Bytes of an entry of the map and the list, without its text. */
const ENTRY_BYTES = 96;

/** Numbers in the order in which the texts first came. */
export class ScriptTexts implements TextNumbers {
  private readonly numbers = new Map<string, number>();
  private readonly texts: string[] = [];
  memoryBytes = 0;

  of(text: string): number {
    let number = this.numbers.get(text);
    if (number === undefined) {
      number = this.texts.length;
      this.numbers.set(text, number);
      this.texts.push(text);
      this.memoryBytes += ENTRY_BYTES + 2 * text.length;
    }
    return number;
  }

  /** @param number one that `of` gave */
  text(number: number): string {
    const text = this.texts[number];
    assert(text !== undefined, `${number} of ${this.texts.length} texts that scripts made`);
    return text;
  }
}

/** Values by segment, and how they become numbers. */
export class ScriptedValues {
  readonly bind: (view: SegmentView) => DocumentValues;
  readonly numberOf: (value: unknown) => number;

  constructor(bind: (view: SegmentView) => DocumentValues, numberOf: (value: unknown) => number) {
    this.bind = bind;
    this.numberOf = numberOf;
  }

  column(view: SegmentView): NumericColumn {
    return new ScriptedColumn(this.bind(view), this.numberOf);
  }

  /** The same values as other numbers. */
  as(numberOf: (value: unknown) => number): ScriptedValues {
    return new ScriptedValues(this.bind, numberOf);
  }
}

/** Numbers of the documents of one batch at a time. */
export class ScriptedColumn implements NumericColumn {
  readonly kind = 'double';
  readonly isMultiValued = true;
  readonly isDense = false;
  readonly isWide = false;
  readonly wide = null;
  readonly codes = null;
  /** Not known before the scripts ran. */
  readonly min: number = Number.NaN;
  readonly max: number = Number.NaN;
  private readonly valuesOf: DocumentValues;
  private readonly numberOf: (value: unknown) => number;
  private values: number[] = [];
  /** Where the values of a document begin, and those of the one behind it. */
  private starts = new Map<number, number>();

  constructor(valuesOf: DocumentValues, numberOf: (value: unknown) => number) {
    this.valuesOf = valuesOf;
    this.numberOf = numberOf;
  }

  /** Makes the values of the documents that are read next. */
  load({ docs, count }: DocBatch): void {
    const { starts, numberOf } = this;
    const values: number[] = [];
    this.values = values;
    starts.clear();
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number;
      if (i > 0 && docs[i - 1] === doc) continue;
      assert(i === 0 || (docs[i - 1] as number) < doc, `document ${doc} comes behind ${docs[i - 1]}`);
      starts.set(doc, values.length);
      const made = this.valuesOf(doc).map(numberOf);
      if (made.length > 1) made.sort((a, b) => a - b);
      for (const value of made) values.push(value);
      // The next document, where it is one of the batch, begins at the same index.
      starts.set(doc + 1, values.length);
    }
  }

  start(doc: number): number {
    return this.starts.get(doc) ?? 0;
  }

  value(index: number): number {
    return this.values[index] as number;
  }

  bigValue(index: number): bigint {
    return BigInt(Math.trunc(this.value(index)));
  }

  gather(docs: Uint32Array, count: number, into: Float64Array): void {
    for (let i = 0; i < count; i++) into[i] = this.value(this.start(docs[i] as number));
  }

  readRange(from: number, to: number, scratch: Float64Array): Float64Array {
    for (let at = from; at < to; at++) scratch[at - from] = this.value(at);
    return scratch.subarray(0, to - from);
  }

  blocks(): null {
    return null;
  }
}
