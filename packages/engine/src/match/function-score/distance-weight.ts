/**
 * Documents that have a number or a place, the nearer to an origin the better: half of the boost at the pivot's distance.
 */
import { assert, javaDoubleText } from '@shoal/core';
import { NO_MORE_DOCS, type SegmentView } from '../../format/reader/segment-reader.ts';
import { scorerAt } from '../explain/explain-weight.ts';
import { counted, type Explanation, explained, noMatch } from '../weight/explanation.ts';
import type { Scorer } from '../weight/scorer.ts';
import type { Weight } from '../weight/weight.ts';
import { type Distances, type DistancesOf, nearestValue } from './distances.ts';

export interface DistanceOptions {
  readonly field: string;
  readonly distances: DistancesOf;
  /** One number, or latitude and longitude; for explanations. */
  readonly origin: readonly number[];
  /** > 0 */
  readonly pivot: number;
  /** What explanations count in, in units of the pivot: nanoseconds of fields that hold these. */
  readonly unit: number;
  readonly boost: number;
}

/** Printed without the field, as Lucene prints it. */
function originText(origin: readonly number[]): string {
  if (origin.length === 1) return `origin=${origin[0]}`;
  const [lat, lon] = origin.map(javaDoubleText);
  return `originLat=${lat},originLon=${lon}`;
}

export function distanceWeight(options: DistanceOptions): Weight {
  const { field, origin, pivot } = options;
  assert(pivot > 0, `pivot ${pivot} of a distance on ${field}`);
  assert(!origin.some(Number.isNaN), `origin ${origin} of a distance on ${field}`);
  const kind = origin.length === 1 ? 'LongDistanceFeatureQuery' : 'LatLonPointDistanceFeatureQuery';
  return {
    text: `${kind}(field=,${originText(origin)},pivotDistance=${origin.length === 1 ? pivot : javaDoubleText(pivot)})`,
    scorer(view) {
      const distances = options.distances(view);
      return distances && new DistanceScorer(distances, view.segment.docCount, options);
    },
    explain(view, doc) {
      const found = scorerAt(this, view, doc);
      if (!found) return noMatch(`Document ${doc} doesn't have a value for field ${field}`);
      return explainDistance(options, view, doc, found.score());
    },
    count: () => -1,
  };
}

function explainDistance(options: DistanceOptions, view: SegmentView, doc: number, score: number): Explanation {
  const { origin, pivot, unit, boost } = options;
  const distances = options.distances(view);
  assert(distances !== null, `a distance of document ${doc}, which has no value`);
  const nearest = nearestValue(distances, doc);
  const isPlace = origin.length > 1;
  const names = isPlace ? ['originLat', 'originLon', 'current lat', 'current lon'] : ['origin', 'current value'];
  return explained(
    score,
    `Distance score, computed as weight * pivotDistance / (pivotDistance + abs(${isPlace ? 'distance' : 'value - origin'})) from:`,
    [
      explained(boost, 'weight'),
      counted(pivot * unit, 'pivotDistance'),
      ...[...origin, ...distances.value(nearest)].map((value, i) => counted(value * unit, names[i] ?? '')),
      ...(isPlace ? [counted(distances.at(nearest), 'distance')] : []),
    ],
  );
}

class DistanceScorer implements Scorer {
  doc = -1;
  readonly cost: number;
  private readonly distances: Distances;
  private readonly options: DistanceOptions;

  constructor(distances: Distances, docCount: number, options: DistanceOptions) {
    this.distances = distances;
    this.cost = docCount;
    this.options = options;
  }

  next(): number {
    return this.advance(this.doc + 1);
  }

  advance(target: number): number {
    const { distances, cost } = this;
    for (let doc = target; doc < cost; doc++) {
      if (distances.start(doc) < distances.start(doc + 1)) return (this.doc = doc);
    }
    return (this.doc = NO_MORE_DOCS);
  }

  score(): number {
    const { boost, pivot } = this.options;
    const { distances } = this;
    const distance = distances.at(nearestValue(distances, this.doc));
    return Math.fround(Math.fround(boost) * (pivot / (pivot + distance)));
  }
}
