/**
 * Columns of ordinals into a field's sorted distinct values: what keyword and ip fields sort and aggregate by.
 */
import type { ByteSink } from '@shoal/core';
import { type ContainerReader, type SectionSource, u32View } from '../container/container-reader.ts';
import type { ContainerWriter } from '../container/container-writer.ts';
import { type SectionRef, writeSectionRef } from '../container/section-ref.ts';
import { NumberBlocks } from '../reader/number-blocks.ts';
import type { OrdinalColumn } from '../reader/segment-reader.ts';
import type { FlatTerms } from '../terms/flat-terms.ts';
import { isMultiValued, readStarts, skimStarts, startsFromCounts, writeStarts } from './value-starts.ts';

/**
 * Writes ordinals given document by document (`counts[doc]` of them, ascending and distinct within a document).
 * `ordinals` may be longer than the sum of the counts.
 */
export function writeOrdinalColumn(
  counts: Uint32Array,
  ordinals: Uint32Array,
  valueCount: number,
  into: ContainerWriter,
  directory: ByteSink,
): void {
  const width = valueCount <= 0x100 ? 1 : valueCount <= 0x1_0000 ? 2 : 4;
  directory.u8(width);
  const narrow = width === 1 ? new Uint8Array(ordinals) : width === 2 ? new Uint16Array(ordinals) : ordinals;
  writeSectionRef(directory, into.section(narrow));
  writeStarts(startsFromCounts(counts), into, directory);
}

/** The sections of a column, which the reader stands before. */
export function skimOrdinalColumn(from: ContainerReader): readonly SectionRef[] {
  from.directory.u8();
  return [from.section(), ...skimStarts(from)];
}

export class FlatOrdinals implements OrdinalColumn {
  readonly valueCount: number;
  readonly isMultiValued: boolean;
  private readonly terms: FlatTerms;
  private readonly ordinals: Uint8Array | Uint16Array | Uint32Array;
  private readonly starts: Uint32Array | null;
  private keptBlocks: NumberBlocks | null = null;

  constructor(from: SectionSource, terms: FlatTerms) {
    const width = from.directory.u8();
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

  stretch(from: number, to: number): ArrayLike<number> {
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
}
