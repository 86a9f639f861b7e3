/**
 * Keys of a source for the documents of a batch, each as a double that stands for the same key on the whole shard: numbers stand
 * for themselves, texts and longs beyond 2^53 are numbered as they come.
 */
import type { BucketKey } from '@shoal/aggregations';
import type { NumericColumn, OrdinalColumn, SegmentView } from '../../../format/reader/segment-reader.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import { CodeBatch, NumberBatch } from './batch-values.ts';
import { keyOfTerm, missingNumber, numbersOf, type ResolvedSource } from './field-values.ts';
import { ScriptTexts } from './scripted-values.ts';
import { WideBatch } from './wide-batch.ts';
import { WideKeys } from './wide-keys.ts';

const UNKNOWN = -1;

export class KeyDoubles {
  private readonly source: ResolvedSource;
  /** Texts of the source; null: its keys are numbers. */
  private readonly texts: ScriptTexts | null;
  private readonly wide = new WideKeys();
  private readonly numbers = new NumberBatch();
  private readonly codes = new CodeBatch();
  private readonly wideValues = new WideBatch();
  private column: NumericColumn | null = null;
  private ordinals: OrdinalColumn | null = null;
  /** Numbers of the texts of this segment by ordinal, the last of the text that stands for none. */
  private ofOrdinal = new Float64Array(0);
  private form: 'numbers' | 'wide' | 'texts' = 'numbers';

  constructor(source: ResolvedSource) {
    this.source = source;
    this.texts = source.texts ?? (source.keyKind === 'text' ? new ScriptTexts() : null);
  }

  get memoryBytes(): number {
    return this.wide.memoryBytes + (this.texts?.memoryBytes ?? 0) + this.ofOrdinal.byteLength;
  }

  enter(view: SegmentView): void {
    const { source } = this;
    if (source.keyKind === 'text' && source.scripted === undefined) {
      this.form = 'texts';
      this.ordinals = view.segment.ordinalColumn(source.field);
      this.ofOrdinal = new Float64Array((this.ordinals?.valueCount ?? 0) + 1).fill(UNKNOWN);
      return;
    }
    this.column = numbersOf(view, source);
    this.form = this.column?.isWide === true ? 'wide' : 'numbers';
  }

  leave(): void {
    this.column = null;
    this.ordinals = null;
    this.ofOrdinal = new Float64Array(0);
  }

  /** Keys of the documents of a batch. */
  read(docs: DocBatch): void {
    const { source, column, form } = this;
    if (form === 'wide' && column !== null) this.wideValues.read(column, docs, source.missing);
    else if (form === 'numbers') this.numbers.read(column, docs, missingNumber(source));
    else this.codes.readOrdinals(this.ordinals, docs, source.missing === null ? -1 : this.ofOrdinal.length - 1);
  }

  /** Keys that were read, of all documents of the batch. */
  get length(): number {
    return this.batch.length;
  }

  /** Position in the batch of the document that key `at` belongs to. */
  position(at: number): number {
    return this.batch.positions[at] as number;
  }

  /** Equal keys of a document stand side by side. */
  value(at: number): number {
    if (this.form === 'numbers') return this.numbers.values[at] as number;
    if (this.form === 'texts') return this.numberOfOrdinal(this.codes.values[at] as number);
    const value = this.wideValues.values[at];
    return typeof value === 'bigint' ? this.wide.of(value) : Number(value);
  }

  private get batch(): { readonly length: number; readonly positions: ArrayLike<number> } {
    if (this.form === 'numbers') return this.numbers;
    return this.form === 'texts' ? this.codes : this.wideValues;
  }

  private numberOfOrdinal(ordinal: number): number {
    const { ofOrdinal, source, ordinals, texts } = this;
    const known = ofOrdinal[ordinal] as number;
    if (known !== UNKNOWN || texts === null) return known;
    const isNone = ordinals === null || ordinal === ordinals.valueCount;
    const number = texts.of(isNone ? String(source.missing) : keyOfTerm(source, ordinals.value(ordinal)));
    ofOrdinal[ordinal] = number;
    return number;
  }

  /** What a double stands for. */
  key(double: number): BucketKey {
    return this.texts === null ? this.wide.value(double) : this.texts.text(double);
  }
}
