/**
 * `histogram` over counted values: an interval counts each of its values as often as it was met.
 */
import type { CountedNumbers } from '../../../field-types/contract/field-type.ts';
import type { OrdinalColumn } from '../../../format/reader/segment-reader.ts';
import { ColumnHistogramCollector, type ColumnHistogramOptions } from './column-histogram-collector.ts';

export interface CountedHistogramOptions extends ColumnHistogramOptions {
  readonly read: (term: Uint8Array) => CountedNumbers;
}

export class CountedHistogramCollector extends ColumnHistogramCollector {
  private readonly options: CountedHistogramOptions;

  constructor(options: CountedHistogramOptions) {
    super(options);
    this.options = options;
  }

  protected collectOne(column: OrdinalColumn, doc: number, parent: number): void {
    const { intervals, read, span } = this.options;
    for (let at = column.start(doc); at < column.start(doc + 1); at++) {
      const { values, counts } = read(column.value(column.ordinal(at)));
      for (let i = 0; i < values.length; i++) {
        const key = intervals.round(values[i] as number);
        // The document itself counts once for each of its values.
        if (key >= span.least && key <= span.most) this.buckets.add(doc, parent, key, (counts[i] as number) - 1);
      }
    }
  }
}
