/**
 * Collector of `string_stats`.
 */
import type { PartialResult, StringStatsAggregation } from '@shoal/aggregations';
import { assert, type StepMeter, type Steps } from '@shoal/core';
import type { NumericColumn, OrdinalColumn, SegmentView } from '../../../format/reader/segment-reader.ts';
import type { BucketCollector } from '../collector/bucket-collector.ts';
import { BucketSketches } from '../collector/bucket-sketches.ts';
import type { CollectorKind } from '../collector/collector-kind.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import { CodeBatch, NumberBatch } from '../values/batch-values.ts';
import { keyOfTerm, missingNumber, numbersOf, type ResolvedSource, resolveSource } from '../values/field-values.ts';
import { checkKeyed, notNumeric } from '../values/numeric-source.ts';

type StringStatsPartial = Extract<PartialResult, { kind: 'stringStats' }>;

export const stringStats: CollectorKind<StringStatsAggregation> = {
  ignoresQuery: () => false,
  collector: ({ compile }, request) => {
    const source = resolveSource(compile, request.source);
    checkKeyed(source, 'string_stats');
    if (
      source.kind !== null &&
      (source.keyKind !== 'text' || source.format.kind === 'ip' || source.format.kind === 'version')
    ) {
      throw notNumeric(source, 'string_stats');
    }
    return new StringStatsCollector(source);
  },
};

/** Bytes of a character that was met, about. */
const CHARACTER_BYTES = 40;

class TextLengths {
  count = 0;
  totalLength = 0;
  minLength = Number.POSITIVE_INFINITY;
  maxLength = Number.NEGATIVE_INFINITY;
  readonly characters = new Map<number, number>();

  get sizeBytes(): number {
    return 200 + this.characters.size * CHARACTER_BYTES;
  }

  add(text: string): void {
    this.count++;
    this.totalLength += text.length;
    this.minLength = Math.min(this.minLength, text.length);
    this.maxLength = Math.max(this.maxLength, text.length);
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      this.characters.set(code, (this.characters.get(code) ?? 0) + 1);
    }
  }

  partial(): StringStatsPartial {
    const { count, totalLength, minLength, maxLength, characters } = this;
    return { kind: 'stringStats', count, totalLength, minLength, maxLength, characters };
  }
}

class StringStatsCollector implements BucketCollector {
  readonly #source: ResolvedSource;
  readonly #lengths = new BucketSketches(() => new TextLengths());
  readonly #codes = new CodeBatch();
  readonly #numbers = new NumberBatch();
  #ordinals: OrdinalColumn | null = null;
  #made: NumericColumn | null = null;

  constructor(source: ResolvedSource) {
    this.#source = source;
  }

  get memoryBytes(): number {
    return this.#lengths.memoryBytes + (this.#source.texts?.memoryBytes ?? 0);
  }

  enter(view: SegmentView): void {
    const source = this.#source;
    this.#made = numbersOf(view, source);
    this.#ordinals = source.scripted === undefined ? view.segment.ordinalColumn(source.field) : null;
  }

  collect(batch: DocBatch, buckets: Uint32Array): void {
    const { texts, missing } = this.#source;
    if (texts !== undefined) {
      const numbers = this.#numbers;
      numbers.read(this.#made, batch, missingNumber(this.#source));
      this.#addEach(numbers.positions, numbers.length, buckets, (at) => texts.text(numbers.values[at] as number));
      return;
    }
    const [codes, column] = [this.#codes, this.#ordinals];
    const none = column?.valueCount ?? 0;
    codes.readOrdinals(column, batch, missing === null ? -1 : none);
    this.#addEach(codes.positions, codes.length, buckets, (at) => {
      const ordinal = codes.values[at] as number;
      return column === null || ordinal === none ? String(missing) : keyOfTerm(this.#source, column.value(ordinal));
    });
  }

  #addEach(positions: Uint32Array, length: number, buckets: Uint32Array, textAt: (at: number) => string): void {
    assert(length <= positions.length, `${length} texts at ${positions.length} positions`);
    for (let at = 0; at < length; at++) {
      this.#lengths.of(buckets[positions[at] as number] as number).add(textAt(at));
    }
  }

  leave(): null {
    return null;
  }

  *results(buckets: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    const partials: PartialResult[] = [];
    for (let i = 0; i < buckets.length; i++) {
      partials.push(this.#lengths.at(buckets[i] as number).partial());
      if (meter.isDue(1)) yield;
    }
    return partials;
  }
}
