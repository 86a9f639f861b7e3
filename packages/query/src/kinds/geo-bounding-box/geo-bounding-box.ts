/**
 * `geo_bounding_box`: documents with a point in a box.
 */
import {
  illegalArgument,
  isShoalError,
  type JsonMember,
  type JsonNode,
  type JsonObjectNode,
  parsingException,
  type ValueReader,
} from '@shoal/core';
import { type GeoBox, parseError } from '@shoal/geo';
import { checkBoxSides, readGeoBox } from '../../members/geo-box-member.ts';
import { type PointValidation, readValidation, STRICT, validationOf } from '../../members/geo-options.ts';
import { readBoolean, readNumber, readObject, readString } from '../../members/request-values.ts';
import { withoutEffect } from '../../members/without-effect.ts';
import type { Mutable } from '../../node/mutable.ts';
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { type QueryNode, readBase } from '../../node/query-node.ts';

export interface GeoBoundingBoxQuery extends QueryNode {
  readonly kind: 'geoBoundingBox';
  readonly field: string;
  /** Not yet checked to lie on the globe. */
  readonly box: GeoBox;
  readonly validation: PointValidation;
  /** A field that no mapping has matches nothing, instead of being an error. */
  readonly ignoreUnmapped: boolean;
}

const NAME = 'geo_bounding_box';
/** The Java client writes it in capitals. */
const EXECUTION_TYPE = /^(?:memory|indexed)$/i;

function parseGeoBoundingBox(node: JsonNode): GeoBoundingBoxQuery {
  let box: GeoBox | null = null;
  const result: Mutable<Omit<GeoBoundingBoxQuery, 'box'>> = {
    kind: 'geoBoundingBox',
    field: '',
    validation: STRICT,
    ignoreUnmapped: false,
    boost: 1,
    name: null,
  };
  for (const member of readObject(node, NAME).members) {
    if (member.value.kind === 'object') {
      box = parseBox(member.value);
      result.field = member.name;
    } else parseOption(result, member);
  }
  if (box === null) throw parseError(`failed to parse [${NAME}] query. bounding box not provided`);
  checkBoxSides(box);
  return { ...result, box };
}

function parseBox(node: JsonObjectNode): GeoBox {
  try {
    return readGeoBox(node);
  } catch (error) {
    if (!isShoalError(error)) throw error;
    throw parseError(`failed to parse [${NAME}] query. [${error.reason}]`);
  }
}

function parseOption(result: Mutable<Omit<GeoBoundingBoxQuery, 'box'>>, { name, value }: JsonMember): void {
  if (name === 'boost') result.boost = readNumber(value, name);
  else if (name === '_name') result.name = readString(value, name);
  else if (name === 'validation_method') result.validation = readValidation(value);
  else if (name === 'ignore_unmapped') result.ignoreUnmapped = readBoolean(value, name);
  else if (name === 'type') {
    withoutEffect('type');
    const type = readString(value, name);
    if (!EXECUTION_TYPE.test(type)) throw illegalArgument(`no type can be parsed from ordinal ${type}`);
  } else throw parsingException(`failed to parse [${NAME}] query. unexpected field [${name}]`, value.at);
}

function readBox(r: ValueReader): GeoBox {
  return { west: r.number('west'), east: r.number('east'), south: r.number('south'), north: r.number('north') };
}

export const geoBoundingBox: QueryKind<GeoBoundingBoxQuery> = {
  kind: 'geoBoundingBox',
  parse: parseGeoBoundingBox,
  read: (r) => ({
    kind: 'geoBoundingBox',
    field: r.string('field'),
    box: readBox(r.object('box')),
    validation: validationOf(r),
    ignoreUnmapped: r.boolean('ignoreUnmapped'),
    ...readBase(r),
  }),
  inner: noInner,
};
