/**
 * Documents that have a feature, scored by a function of its value.
 */
import { NO_MORE_DOCS, type NumericColumn } from '../../format/reader/segment-reader.ts';
import { scorerAt } from '../explain/explain-weight.ts';
import { explained, noMatch } from '../weight/explanation.ts';
import type { Scorer } from '../weight/scorer.ts';
import type { Weight } from '../weight/weight.ts';

export interface FeatureOptions {
  readonly field: string;
  /** Score of a value, without the boost. */
  readonly score: (value: number) => number;
  readonly text: string;
  readonly boost: number;
}

export function featureWeight(options: FeatureOptions): Weight {
  const { field, text } = options;
  return {
    text,
    scorer(view) {
      const column = view.segment.numericColumn(field);
      return column && new FeatureScorer(column, view.segment.docCount, options);
    },
    explain(view, doc) {
      const found = scorerAt(this, view, doc);
      return found
        ? explained(found.score(), `${text}, computed from the value of the feature`, [])
        : noMatch(`no feature [${field}]`);
    },
    count: () => -1,
  };
}

class FeatureScorer implements Scorer {
  doc = -1;
  readonly cost: number;
  private readonly column: NumericColumn;
  private readonly options: FeatureOptions;

  constructor(column: NumericColumn, docCount: number, options: FeatureOptions) {
    this.column = column;
    this.cost = docCount;
    this.options = options;
  }

  next(): number {
    return this.advance(this.doc + 1);
  }

  advance(target: number): number {
    const { column, cost } = this;
    for (let doc = target; doc < cost; doc++) {
      if (column.start(doc) < column.start(doc + 1)) return (this.doc = doc);
    }
    return (this.doc = NO_MORE_DOCS);
  }

  score(): number {
    const { column, options } = this;
    return Math.fround(Math.fround(options.boost) * options.score(column.value(column.start(this.doc))));
  }
}
