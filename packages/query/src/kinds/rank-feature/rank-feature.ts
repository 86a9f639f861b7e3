/**
 * `rank_feature`: documents with a feature, scored by a function of its value.
 */
import { illegalArgument, type JsonNode, javaFloatText, parsingException } from '@shoal/core';
import { readNumber, readObject, readString, unsupported } from '../../members/request-values.ts';
import type { Mutable } from '../../node/mutable.ts';
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { type QueryNode, readBase } from '../../node/query-node.ts';

const SHAPES = ['saturation', 'log', 'sigmoid'] as const;

export interface RankFeatureQuery extends QueryNode {
  readonly kind: 'rankFeature';
  readonly field: string;
  /** How the score grows with the value: value / (value + pivot), its logarithm, or an s-shaped curve. */
  readonly shape: (typeof SHAPES)[number];
  /** Value whose score is half of the boost, above 0; null: the mean of the shard, or a shape that has none. */
  readonly pivot: number | null;
  /** Exponent of a sigmoid, above 0; null for other shapes. */
  readonly exponent: number | null;
  /** Added to the value before its logarithm is taken, at least 1; null for other shapes. */
  readonly scalingFactor: number | null;
}

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
  let hasShape = false;
  for (const member of readObject(node, query).members) {
    const { name, value } = member;
    if (name === 'field') parsed.field = readString(value, name);
    else if (name === 'boost') parsed.boost = readNumber(value, name);
    else if (name === '_name') parsed.name = readString(value, name);
    else if (isShape(name)) {
      if (hasShape) {
        throw illegalArgument('Can only specify one of [log], [saturation] and [sigmoid]');
      }
      hasShape = true;
      parsed.shape = name;
      readShape(parsed, value);
    } else throw unsupported(query, member);
  }
  if (parsed.field === '') throw parsingException('[rank_feature] query requires a [field]', node.at);
  return parsed;
}

function isShape(name: string): name is RankFeatureQuery['shape'] {
  return SHAPES.some((shape) => shape === name);
}

function readShape(into: Mutable<RankFeatureQuery>, node: JsonNode): void {
  const { shape } = into;
  for (const member of readObject(node, shape).members) {
    const { name, value } = member;
    if (name === 'pivot' && shape !== 'log') into.pivot = positive(readNumber(value, name), name);
    else if (name === 'exponent' && shape === 'sigmoid') into.exponent = positive(readNumber(value, name), name);
    else if (name === 'scaling_factor' && shape === 'log') into.scalingFactor = readNumber(value, name);
    else throw unsupported(shape, member);
  }
  if (shape === 'log') {
    if (into.scalingFactor === null) throw illegalArgument('Required [scaling_factor]');
    if (!(into.scalingFactor >= 1) || !Number.isFinite(into.scalingFactor)) {
      throw illegalArgument(`scalingFactor must be >= 1, got: ${javaFloatText(into.scalingFactor)}`);
    }
  }
  if (shape === 'sigmoid' && (into.pivot === null || into.exponent === null)) {
    throw illegalArgument('Required [pivot, exponent]');
  }
}

function positive(value: number, name: string): number {
  if (value > 0 && Number.isFinite(value)) return value;
  throw illegalArgument(`${name === 'exponent' ? 'exp' : name} must be > 0, got: ${javaFloatText(value)}`);
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
