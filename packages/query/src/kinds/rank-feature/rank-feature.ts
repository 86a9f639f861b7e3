/**
 * `rank_feature`: documents with a feature, scored by a function of its value.
 */
import { contentError, illegalArgument, type JsonNode, type JsonObjectNode, javaFloatText } from '@shoal/core';
import { NUMBERS, OBJECTS, STRINGS } from '../../members/content-errors.ts';
import { baseFields, type DeclaredField, type DeclaredFields, readFields } from '../../members/declared-fields.ts';
import { readNumber, readObject, readString } from '../../members/request-values.ts';
import type { Mutable } from '../../node/mutable.ts';
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { type QueryNode, readBase } from '../../node/query-node.ts';

const SHAPES = ['saturation', 'log', 'sigmoid', 'linear'] as const;

export interface RankFeatureQuery extends QueryNode {
  readonly kind: 'rankFeature';
  readonly field: string;
  /** How the score grows with the value: value / (value + pivot), its logarithm, an s-shaped curve, or as the value does. */
  readonly shape: (typeof SHAPES)[number];
  /** Value whose score is half of the boost, above 0; null: the mean of the shard, or a shape that has none. */
  readonly pivot: number | null;
  /** Exponent of a sigmoid, above 0; null for other shapes. */
  readonly exponent: number | null;
  /** Added to the value before its logarithm is taken, at least 1; null for other shapes. */
  readonly scalingFactor: number | null;
}

/** What errors call the query. */
const WHERE = 'feature';

function parseRankFeature(node: JsonNode, query: string): RankFeatureQuery {
  const parsed: Mutable<RankFeatureQuery> = {
    kind: 'rankFeature',
    field: '',
    shape: 'saturation',
    pivot: null,
    exponent: null,
    scalingFactor: null,
    boost: 1,
    name: null,
  };
  const shapes = new Set<RankFeatureQuery['shape']>();
  const shape = (name: RankFeatureQuery['shape']): DeclaredField => ({
    kinds: OBJECTS,
    read: (value) => {
      shapes.add(name);
      parsed.shape = name;
      readShape(parsed, readObject(value, name));
    },
  });
  const fields: DeclaredFields = {
    field: { kinds: STRINGS, read: (value, name) => (parsed.field = readString(value, name)) },
    ...baseFields(parsed),
    log: shape('log'),
    saturation: shape('saturation'),
    sigmoid: shape('sigmoid'),
    linear: shape('linear'),
  };
  const object = readObject(node, query);
  readFields(object, WHERE, fields, ['field']);
  if (shapes.size > 1) {
    const cause = illegalArgument('Can only specify one of [log], [saturation], [sigmoid] and [linear]');
    throw contentError(object.at, `Failed to build [${WHERE}] after last required field arrived`, cause);
  }
  return parsed;
}

function readShape(into: Mutable<RankFeatureQuery>, node: JsonObjectNode): void {
  const number = (take: (value: number) => void): DeclaredField => ({
    kinds: NUMBERS,
    read: (value, name) => take(readNumber(value, name)),
  });
  const pivot = number((value) => {
    into.pivot = positive(value, 'pivot');
  });
  const exponent = number((value) => {
    into.exponent = positive(value, 'exp');
  });
  const factor = number((value) => {
    into.scalingFactor = atLeastOne(value);
  });
  const fields: Readonly<Record<RankFeatureQuery['shape'], DeclaredFields>> = {
    log: { scaling_factor: factor },
    saturation: { pivot },
    sigmoid: { pivot, exponent },
    linear: {},
  };
  const { shape } = into;
  // A saturation finds its pivot by itself.
  readFields(node, shape, fields[shape], shape === 'saturation' ? [] : Object.keys(fields[shape]));
}

function atLeastOne(factor: number): number {
  if (factor >= 1 && Number.isFinite(factor)) return factor;
  throw illegalArgument(`scalingFactor must be >= 1, got: ${javaFloatText(factor)}`);
}

function positive(value: number, name: string): number {
  if (value > 0 && Number.isFinite(value)) return value;
  throw illegalArgument(`${name} must be > 0, got: ${javaFloatText(value)}`);
}

export const rankFeature: QueryKind<RankFeatureQuery> = {
  kind: 'rankFeature',
  parse: parseRankFeature,
  read: (r) => ({
    kind: 'rankFeature',
    field: r.string('field'),
    shape: r.oneOf('shape', SHAPES),
    pivot: r.optionalNumber('pivot'),
    exponent: r.optionalNumber('exponent'),
    scalingFactor: r.optionalNumber('scalingFactor'),
    ...readBase(r),
  }),
  inner: noInner,
};
