/**
 * Counted values of the documents of a batch: those of `histogram` fields, which some aggregations take in place of numbers.
 */
import type { ValuesSource } from '@shoal/aggregations';
import { assert, illegalArgument, ShoalError } from '@shoal/core';
import type { CountedNumbers } from '../../../field-types/contract/field-type.ts';
import { fieldType } from '../../../field-types/field-types.ts';
import type { OrdinalColumn, SegmentView } from '../../../format/reader/segment-reader.ts';
import type { AggregationContext } from '../collector/aggregation-context.ts';
import type { ChildBatch } from '../collector/bucket-collector.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import { type ResolvedSource, resolveSource } from './field-values.ts';
import { notNumeric } from './numeric-source.ts';

/** Source whose values are counted. */
export interface HistogramSource {
  readonly source: ResolvedSource;
  readonly read: (term: Uint8Array) => CountedNumbers;
}

/** Source of counted values; null where the field has none. @throws ShoalError for what such a field does not take */
export function histogramSource(ctx: AggregationContext, wanted: ValuesSource): HistogramSource | null {
  const kind = ctx.mapping.field(wanted.field)?.kind;
  const read = kind === undefined ? undefined : fieldType(kind).aggregation.histogram;
  if (read === undefined) return null;
  if (wanted.script !== null) {
    const reason = 'value source of type [histogram] is not supported by scripts';
    throw new ShoalError('aggregation_execution_exception', 500, reason);
  }
  return { source: resolveSource(ctx, wanted), read };
}

/** @throws ShoalError for a field that has counted values only; `type`: of the aggregation, for the error */
export function checkValues(source: ResolvedSource, type: string): void {
  if (source.kind !== null && fieldType(source.kind).aggregation.histogram !== undefined)
    throw notNumeric(source, type);
}

/** @throws ShoalError for aggregations below one of counted values, which are not of documents; `what`: the aggregation above */
export function checkIsLeaf(what: string, { isEmpty }: ChildBatch): void {
  if (isEmpty) return;
  throw illegalArgument(`${what} aggregation on histogram fields does not support sub-aggregations`);
}

export class HistogramBatch {
  readonly #source: HistogramSource;
  #column: OrdinalColumn | null = null;

  constructor(source: HistogramSource) {
    this.#source = source;
  }

  enter({ segment }: SegmentView): void {
    assert(this.#column === null, `a segment of ${segment.docCount} documents was entered before another was left`);
    this.#column = segment.ordinalColumn(this.#source.source.field);
  }

  leave(): void {
    this.#column = null;
  }

  /** Calls `take` with what a document has, and its position in the batch. */
  each({ docs, count }: DocBatch, take: (numbers: CountedNumbers, position: number) => void): void {
    const column = this.#column;
    if (column === null) return;
    for (let i = 0; i < count; i++) {
      const end = column.start((docs[i] as number) + 1);
      for (let at = column.start(docs[i] as number); at < end; at++) {
        take(this.#source.read(column.value(column.ordinal(at))), i);
      }
    }
  }
}
