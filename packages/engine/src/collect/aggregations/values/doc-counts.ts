/**
 * `_doc_count` of a segment's documents: how many documents each counts as in a bucket. Metrics count each once.
 */
import { DOC_COUNT_FIELD } from '@shoal/schema';
import type { NumericColumn, SegmentView } from '../../../format/reader/segment-reader.ts';

export class DocCounts {
  private readonly column: NumericColumn;

  private constructor(column: NumericColumn) {
    this.column = column;
  }

  /** null: every document of the segment counts as one. */
  static of({ segment }: SegmentView): DocCounts | null {
    const column = segment.numericColumn(DOC_COUNT_FIELD.path);
    return column === null ? null : new DocCounts(column);
  }

  at(doc: number): number {
    const from = this.column.start(doc);
    return from === this.column.start(doc + 1) ? 1 : this.column.value(from);
  }
}
