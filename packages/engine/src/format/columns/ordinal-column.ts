/**
 * Columns of ordinals into a field's sorted distinct values: what keyword and ip fields sort and aggregate by.
 */
import { assert, DamagedBytes } from '@shoal/core';
import type { StreamBytes } from '../../bytes/stream-bytes.ts';
import { u32View } from '../container/container-reader.ts';
import type { PartSink } from '../container/part-sink.ts';
import type { LoadedPart, PartSource } from '../container/part-source.ts';
import { NumberBlocks } from '../reader/number-blocks.ts';
import type { OrdinalColumn } from '../reader/segment-reader.ts';
import type { SortedTerms } from '../reader/term-prefixes.ts';
import type { FlatTerms } from '../terms/flat-terms.ts';
import type { ColumnLayout } from './column-part.ts';
import { isMultiValued, readStarts, sectionOfStarts, startsFromCounts, writeStarts } from './value-starts.ts';

/** Ordinals given document by document. */
export interface OrdinalColumnValues {
  /** Values of each document; null: exactly one. */
  readonly counts: Uint32Array | null;
  /** Ascending and distinct within a document, each in as many bytes as `ordinalWidth` says. */
  readonly ordinals: StreamBytes;
  /** Distinct values of the field; above every ordinal. */
  readonly valueCount: number;
}

/** Array in which the ordinals of so many values stand. */
export type NarrowOrdinals = Uint8Array | Uint16Array | Uint32Array;

export function narrowOrdinals(ordinals: Uint32Array, valueCount: number): NarrowOrdinals {
  const width = ordinalWidth(valueCount);
  return width === 1 ? new Uint8Array(ordinals) : width === 2 ? new Uint16Array(ordinals) : ordinals;
}

/** Bytes of an ordinal. */
function ordinalWidth(valueCount: number): 1 | 2 | 4 {
  return valueCount <= 0x100 ? 1 : valueCount <= 0x1_0000 ? 2 : 4;
}

export function* writeOrdinalColumn(
  { counts, ordinals, valueCount }: OrdinalColumnValues,
  into: PartSink,
): Generator<void, void> {
  assert(ordinals.length === 0 || valueCount > 0, `${ordinals.length} bytes of ordinals of ${valueCount} values`);
  into.header.u8(ordinalWidth(valueCount));
  yield* into.sectionInSteps(ordinals.chunks());
  yield* writeStarts(startsFromCounts(counts), into);
}

/** Layout of the column that `from` stands before. */
export function ordinalColumnLayout(from: PartSource): ColumnLayout {
  const valueBytes = from.header.u8();
  if (valueBytes !== 1 && valueBytes !== 2 && valueBytes !== 4)
    throw new DamagedBytes(`ordinals of ${valueBytes} bytes`);
  return { values: [from.section()], starts: sectionOfStarts(from), valueBytes, count: null };
}

export class FlatOrdinals implements OrdinalColumn {
  readonly valueCount: number;
  readonly isMultiValued: boolean;
  private readonly terms: FlatTerms;
  private readonly ordinals: Uint8Array | Uint16Array | Uint32Array;
  private readonly starts: Uint32Array | null;
  private keptBlocks: NumberBlocks | null = null;

  constructor(from: LoadedPart, terms: FlatTerms) {
    const width = from.header.u8();
    const bytes = from.section();
    this.terms = terms;
    this.valueCount = terms.size;
    this.ordinals =
      width === 1
        ? bytes
        : width === 2
          ? new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 1)
          : u32View(bytes);
    this.starts = readStarts(from);
    this.isMultiValued = isMultiValued(this.starts);
  }

  start(doc: number): number {
    return this.starts === null ? doc : (this.starts[doc] as number);
  }

  get flat(): Uint8Array | Uint16Array | Uint32Array | null {
    return this.starts === null ? this.ordinals : null;
  }

  get isDense(): boolean {
    return this.starts === null;
  }

  readRange(from: number, to: number): ArrayLike<number> {
    return this.ordinals.subarray(from, to);
  }

  blocks(docCount: number): NumberBlocks {
    return (this.keptBlocks ??= new NumberBlocks(this, docCount));
  }

  ordinal(index: number): number {
    return this.ordinals[index] as number;
  }

  value(ordinal: number): Uint8Array {
    return this.terms.term(ordinal);
  }

  sorted(): SortedTerms {
    return this.terms.sorted();
  }
}
