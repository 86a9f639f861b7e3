/**
 * One source of a composite aggregation: its keys for the documents of a batch, as ranks where a segment's keys can be
 * numbered, else as they are.
 *
 * A rank says where a key stands among those of the segment, in the order of the source: whether descending, and where the
 * documents without a value come.
 */
import type { BucketKey, CompositeSource } from '@shoal/aggregations';
import type { NumericColumn, OrdinalColumn, SegmentView } from '../../../format/reader/segment-reader.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import { CodeBatch, NumberBatch } from '../values/batch-values.ts';
import { keyOfTerm, missingNumber, numbersOf, type ResolvedSource } from '../values/field-values.ts';
import { intervalNumbers } from '../values/interval-numbers.ts';
import { type KeyNumbers, valueNumbers } from '../values/key-numbers.ts';
import { dateIntervals, equalIntervals, IntervalRounding, type ValueIntervals } from '../values/value-intervals.ts';
import { WideBatch } from '../values/wide-batch.ts';
import type { ValueWalk } from './value-walk.ts';

export interface ResolvedCompositeSource {
  readonly declared: CompositeSource;
  readonly source: ResolvedSource;
}

export class CompositeSourceKeys {
  readonly declared: CompositeSource;
  readonly source: ResolvedSource;
  /** Ranks of the documents of a batch, where they are numbered. */
  readonly ranks: CodeBatch = new CodeBatch();
  /** Ranks that there can be in this segment, where keys are numbered. */
  rankCount = 0;
  /** null: each value is a key. */
  private readonly intervals: ValueIntervals | null;
  private readonly rounding: IntervalRounding | null;
  private readonly values = new NumberBatch();
  private readonly ordinalValues = new CodeBatch();
  private readonly wideValues = new WideBatch();
  private numbers: KeyNumbers | null = null;
  private ordinals: OrdinalColumn | null = null;
  private column: NumericColumn | null = null;
  /** By ordinal of the segment, of those that were asked for. */
  private readonly texts = new Map<number, string>();
  private at = 0;

  /** Several values of a document that have one key count once, those outside not at all; null: they count as often. */
  private readonly walk: ValueWalk | null;

  constructor({ declared, source }: ResolvedCompositeSource, walk: ValueWalk | null) {
    this.declared = declared;
    this.source = source;
    this.walk = walk;
    this.intervals = intervalsOf(declared);
    this.rounding = this.intervals === null ? null : new IntervalRounding(this.intervals);
  }

  /** In this segment. */
  get isNumbered(): boolean {
    return this.numbers !== null;
  }

  /** Keys are terms of a column. */
  private get isText(): boolean {
    return this.source.keyKind === 'text' && this.source.scripted === undefined;
  }

  enter(view: SegmentView): void {
    this.ordinals = this.isText ? view.segment.ordinalColumn(this.source.field) : null;
    this.column = this.isText ? null : numbersOf(view, this.source);
    this.texts.clear();
    this.numbers = this.numbering(view.segment.docCount);
    const { hasMissingBucket } = this.declared;
    this.rankCount = this.numbers === null ? 0 : this.numbers.size + (hasMissingBucket ? 1 : 0);
  }

  private numbering(docCount: number): KeyNumbers | null {
    const { source, ordinals, column } = this;
    // The value that stands for none would be behind all ordinals, whatever its text; scripts make values as documents are read.
    if (source.missing !== null || source.scripted !== undefined) return null;
    if (this.isText) {
      const size = ordinals?.valueCount ?? 0;
      return { size, key: (ordinal) => ordinal, read: (docs, into) => into.readOrdinals(ordinals, docs, -1) };
    }
    if (column === null) return { size: 0, key: () => 0, read: (docs, into) => into.readOrdinals(null, docs, -1) };
    // Numbers stand for the keys of a document, each once.
    if (column.isMultiValued && !this.countsOnce) return null;
    const from = { column, missing: Number.NaN, docCount };
    if (this.intervals !== null) return intervalNumbers(this.intervals, from);
    return column.isWide ? null : valueNumbers(from);
  }

  /** Every value of a document stands for one key, which counts once. */
  private get countsOnce(): boolean {
    return this.walk?.least === Number.NEGATIVE_INFINITY && this.walk.most === Number.POSITIVE_INFINITY;
  }

  /** Rank of documents without a value; -1: they are in no bucket. */
  get noneRank(): number {
    const { hasMissingBucket } = this.declared;
    if (!hasMissingBucket) return -1;
    return this.isNoneFirst ? 0 : this.rankCount - 1;
  }

  private get isNoneFirst(): boolean {
    const { missingOrder, isAscending, hasMissingBucket } = this.declared;
    return hasMissingBucket && (missingOrder === 'first' || (missingOrder === 'default' && isAscending));
  }

  /** Only where keys are numbered. */
  readRanks(docs: DocBatch): void {
    const { numbers, ranks } = this;
    if (numbers === null) return;
    numbers.read(docs, ranks);
    const { values, length } = ranks;
    const first = this.isNoneFirst ? 1 : 0;
    if (!this.declared.isAscending) {
      const last = numbers.size - 1 + first;
      for (let k = 0; k < length; k++) values[k] = last - (values[k] as number);
    } else if (first > 0) {
      for (let k = 0; k < length; k++) values[k] = (values[k] as number) + 1;
    }
  }

  keyOfRank(rank: number): BucketKey | null {
    const { numbers } = this;
    if (numbers === null || rank === this.noneRank) return null;
    const place = rank - (this.isNoneFirst ? 1 : 0);
    const number = this.declared.isAscending ? place : numbers.size - 1 - place;
    return this.isText ? this.textOf(number) : numbers.key(number);
  }

  /** Where keys are not numbered. */
  readKeys(docs: DocBatch): void {
    this.at = 0;
    if (this.wideColumn !== null) this.wideValues.read(this.wideColumn, docs, this.source.missing);
    else if (!this.isText) this.values.read(this.column, docs, missingNumber(this.source));
    else {
      const missing = this.source.missing === null ? -1 : (this.ordinals?.valueCount ?? 0);
      this.ordinalValues.readOrdinals(this.ordinals, docs, missing);
    }
  }

  /** Keys of the document at `position`; moves on to the next. */
  take(position: number): readonly (BucketKey | null)[] {
    const list = this.wideColumn !== null ? this.wideValues : this.isText ? this.ordinalValues : this.values;
    const keys: (BucketKey | null)[] = [];
    while (this.at < list.length && list.positions[this.at] === position) {
      const value = list.values[this.at++] as BucketKey;
      if (this.walk !== null && !isWalked(value, this.walk)) continue;
      const key = this.keyOf(value);
      if ((this.walk === null && this.source.keyKind !== 'text') || !keys.includes(key)) keys.push(key);
    }
    return keys.length === 0 && this.declared.hasMissingBucket ? [null] : keys;
  }

  private keyOf(value: BucketKey): BucketKey {
    if (this.isText) return this.textOf(Number(value));
    if (this.source.texts !== undefined) return this.source.texts.text(Number(value));
    return this.rounding === null ? value : this.rounding.round(Number(value));
  }

  /** Column of the segment whose values are keys as they are, some beyond 2^53; null: it has no such values. */
  private get wideColumn(): NumericColumn | null {
    const { column } = this;
    return column?.isWide === true && this.rounding === null ? column : null;
  }

  private textOf(ordinal: number): string {
    const known = this.texts.get(ordinal);
    if (known !== undefined) return known;
    const { ordinals } = this;
    if (ordinals === null || ordinal >= ordinals.valueCount) return String(this.source.missing);
    const bytes = ordinals.value(ordinal);
    const text = keyOfTerm(this.source, bytes);
    this.texts.set(ordinal, text);
    return text;
  }
}

function isWalked(value: BucketKey, { least, most }: ValueWalk): boolean {
  const number = Number(value);
  return number >= least && number <= most;
}

function intervalsOf(declared: CompositeSource): ValueIntervals | null {
  switch (declared.kind) {
    case 'terms':
    case 'geotile':
      return null;
    case 'histogram':
      return equalIntervals(declared.interval, 0);
    case 'dateHistogram':
      return dateIntervals(declared.interval);
  }
}
