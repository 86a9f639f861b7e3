/**
 * Documents that have a feature, scored by a function of its value.
 */
import { NO_MORE_DOCS, type NumericColumn } from '../../format/reader/segment-reader.ts';
import { scorerAt } from '../explain/explain-weight.ts';
import { type Explanation, explained, noMatch } from '../weight/explanation.ts';
import type { Scorer } from '../weight/scorer.ts';
import type { Weight } from '../weight/weight.ts';

/** Function of the value of a feature, with what explanations say of it. */
export interface FeatureFunction {
  /** In Lucene's notation. */
  readonly text: string;
  /** Text of the function before the values of the shard are looked at; left out where that is the same. */
  readonly plainText?: string;
  /** Name, and how the score follows from its parts. */
  readonly formula: readonly [string, string];
  /** Its constants, with what each is. */
  readonly parts: readonly (readonly [number, string])[];
  /** Score of a value, without the boost. */
  readonly score: (value: number) => number;
}

/** Feature as Lucene names it. */
export interface FeatureName {
  readonly field: string;
  readonly feature: string;
}

export interface FeatureOptions {
  /** Field that has the values. */
  readonly field: string;
  readonly name: FeatureName;
  readonly scored: FeatureFunction;
  readonly boost: number;
}

export function featureWeight(options: FeatureOptions): Weight {
  const { field, name, scored } = options;
  const textWith = (shape: string): string =>
    `FeatureQuery(field=${name.field}, feature=${name.feature}, function=${shape})`;
  const text = textWith(scored.text);
  return {
    text,
    ...(scored.plainText !== undefined && { plainText: textWith(scored.plainText) }),
    scorer(view) {
      const column = view.segment.numericColumn(field);
      return column && new FeatureScorer(column, view.segment.docCount, options);
    },
    explain(view, doc) {
      const found = scorerAt(this, view, doc);
      const column = view.segment.numericColumn(field);
      if (found === null || column === null) {
        return noMatch(`weight(${text} in ${doc}) [${scored.text}]. Feature ${name.feature} doesn't exist.`);
      }
      return explainFeature(options, found.score(), column.value(column.start(doc)));
    },
    count: () => -1,
  };
}

function explainFeature({ name, scored, boost }: FeatureOptions, score: number, value: number): Explanation {
  const [kind, formula] = scored.formula;
  const text = `${kind} function on the ${name.field} field for the ${name.feature} feature, computed as ${formula} from:`;
  return explained(score, text, [
    explained(boost, 'w, weight of this function'),
    ...scored.parts.map(([part, what]) => explained(part, what)),
    explained(value, 'S, feature value'),
  ]);
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
    return Math.fround(Math.fround(options.boost) * options.scored.score(column.value(column.start(this.doc))));
  }
}
