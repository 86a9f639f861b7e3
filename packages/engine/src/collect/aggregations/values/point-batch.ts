/**
 * The points of the documents of a batch.
 */
import type { GeoPoint } from '@shoal/geo';
import type { SegmentView } from '../../../format/reader/segment-reader.ts';
import { PointColumn } from '../../../match/geo/point-column.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import type { PointSource } from './point-source.ts';

export class PointBatch {
  private readonly source: PointSource;
  private column: PointColumn | null = null;

  constructor(source: PointSource) {
    this.source = source;
  }

  enter(view: SegmentView): void {
    this.column = PointColumn.of(view, this.source.field);
  }

  leave(): void {
    this.column = null;
  }

  /** Calls `take` with each point and the position in the batch of the document that it belongs to. */
  each({ docs, count }: DocBatch, take: (point: GeoPoint, position: number) => void): void {
    const { column } = this;
    const { missing } = this.source;
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number;
      const from = column?.start(doc) ?? 0;
      const to = column?.start(doc + 1) ?? 0;
      if (from === to && missing !== null) take(missing, i);
      if (column !== null) for (let index = from; index < to; index++) take(column.point(index), i);
    }
  }
}
