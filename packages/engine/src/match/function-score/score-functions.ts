/**
 * Functions of a document's values that change its score, and how they explain themselves.
 */
import { assert, FloatNumber, javaDoubleText, ShoalError } from '@shoal/core';
import type { DecayCurve, FieldValueFunction, ValueMode, ValueModifier } from '@shoal/query';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import { type Explanation, explained } from '../weight/explanation.ts';
import type { Distances, DistancesOf } from './distances.ts';

/** A function in one segment. */
export interface BoundFunction {
  /** @param queryScore of the document in the query; 0 unless the function needs it */
  score(doc: number, queryScore: number): number;
  /** @param query how the query scores the document */
  explain(doc: number, query: Explanation): Explanation;
}

export interface ScoreFunction {
  /** Left out where the score of the query does not matter. */
  readonly needsScore?: true;
  bind(view: SegmentView): BoundFunction;
}

export const CONSTANT_FUNCTION: ScoreFunction = {
  bind: () => ({ score: () => 1, explain: () => explained(1, 'constant score 1.0 - no function provided') }),
};

const MODIFIERS: Readonly<Record<ValueModifier, (value: number) => number>> = {
  none: (value) => value,
  log: Math.log10,
  log1p: (value) => Math.log10(value + 1),
  log2p: (value) => Math.log10(value + 2),
  ln: Math.log,
  ln1p: Math.log1p,
  ln2p: (value) => Math.log1p(value + 1),
  square: (value) => value * value,
  sqrt: Math.sqrt,
  reciprocal: (value) => 1 / value,
};

/** The least value of a document's field, through a modifier. */
export function fieldValueFunction({ field, modifier, missing, ...given }: FieldValueFunction): ScoreFunction {
  // The factor is a float, what it is multiplied with a double.
  const factor = Math.fround(given.factor);
  return {
    bind(view) {
      const column = view.segment.numericColumn(field);
      const valueAt = (doc: number): number => {
        if (column && column.start(doc) < column.start(doc + 1)) return column.value(column.start(doc));
        if (missing !== null) return missing;
        throw new ShoalError('exception', 500, `Missing value for field [${field}]`);
      };
      const score = (doc: number): number => {
        const value = valueAt(doc);
        const result = MODIFIERS[modifier](value * factor);
        if (result < 0) {
          throw new ShoalError(
            'illegal_argument_exception',
            400,
            `field value function must not produce negative scores, but got: [${javaDoubleText(result)}] for field value: [${javaDoubleText(value)}]`,
          );
        }
        return result;
      };
      const text = `${modifier}(doc['${field}'].value${missing === null ? '' : `?:${javaDoubleText(missing)}`} * factor=${String(new FloatNumber(factor))})`;
      return { score, explain: (doc) => explained(score(doc), `field value function: ${text}`) };
    },
  };
}

export interface Decay {
  readonly curve: DecayCurve;
  readonly field: string;
  /** In the unit of scale and offset. */
  readonly distances: DistancesOf;
  /** For explanations. */
  readonly origin: string;
  readonly scale: number;
  readonly offset: number;
  readonly decay: number;
  readonly mode: ValueMode;
}

/** How much is left at a distance: 1 at none, `decay` at `scale`. */
function decayCurve({ curve, scale, decay }: Decay): (distance: number) => number {
  switch (curve) {
    case 'gauss': {
      const width = (0.5 * scale ** 2) / Math.log(decay);
      return (distance) => Math.exp((0.5 * distance ** 2) / width);
    }
    case 'exp': {
      const rate = Math.log(decay) / scale;
      return (distance) => Math.exp(rate * distance);
    }
    case 'linear': {
      const end = scale / (1 - decay);
      return (distance) => Math.max(0, (end - distance) / end);
    }
  }
}

export function decayFunction(decay: Decay): ScoreFunction {
  const { field, origin, offset } = decay;
  const curve = decayCurve(decay);
  assert(decay.scale > 0 && offset >= 0, `decay on ${field} with scale ${decay.scale} and offset ${offset}`);
  return {
    bind(view) {
      const distances = decay.distances(view);
      const score = (doc: number): number => {
        const from = distances?.start(doc) ?? 0;
        const to = distances?.start(doc + 1) ?? 0;
        // A document without a value is as near as can be.
        if (!distances || from === to) return curve(0);
        return curve(combinedDistance(distances, from, to, decay));
      };
      const explain = (doc: number): Explanation => {
        const value = score(doc);
        const what = `${decay.curve}(distance from ${origin}, offset ${offset}, scale ${decay.scale}, decay ${decay.decay})`;
        return explained(value, `Function for field ${field}:`, [explained(value, what)]);
      };
      return { score, explain };
    },
  };
}

function combinedDistance(
  distances: Distances,
  from: number,
  to: number,
  { offset, mode }: Pick<Decay, 'offset' | 'mode'>,
): number {
  let [least, greatest, sum] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (let index = from; index < to; index++) {
    const distance = Math.max(0, distances.at(index) - offset);
    least = Math.min(least, distance);
    greatest = Math.max(greatest, distance);
    sum += distance;
  }
  switch (mode) {
    case 'min':
      return least;
    case 'max':
      return greatest;
    case 'sum':
      return sum;
    case 'avg':
      return sum / (to - from);
  }
}
