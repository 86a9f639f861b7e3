/**
 * `geo_shape` and `shape`: documents whose shapes, or points, stand in a relation to a shape, on the globe or in a plane.
 */
import {
  illegalArgument,
  type JsonMember,
  type JsonNode,
  type JsonObjectNode,
  jsonNodeValue,
  parsingException,
  type ShoalError,
  tokenName,
  type ValueReader,
} from '@shoal/core';
import {
  type Geometry,
  parseError,
  parseGeoJson,
  parseWellKnownText,
  REQUEST_REFUSALS,
  type ShapeRelation,
  wellKnownTextOf,
} from '@shoal/geo';
import { readBoolean, readNumber, readObject, readString } from '../../members/request-values.ts';
import type { Mutable } from '../../node/mutable.ts';
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { type QueryNode, readBase } from '../../node/query-node.ts';

interface ShapeMembers {
  readonly field: string;
  /** Well-known text; not yet checked to lie on the globe. */
  readonly shape: string;
  readonly relation: ShapeRelation;
  /** A field that no mapping has matches nothing, instead of being an error. */
  readonly ignoreUnmapped: boolean;
}

export interface GeoShapeQuery extends QueryNode, ShapeMembers {
  readonly kind: 'geoShape';
}

export interface PlaneShapeQuery extends QueryNode, ShapeMembers {
  readonly kind: 'planeShape';
}

type Given = Mutable<ShapeMembers> & { boost: number; name: string | null };

const RELATIONS: readonly ShapeRelation[] = ['intersects', 'disjoint', 'within', 'contains'];
const STRATEGIES: readonly string[] = ['recursive', 'term'];

const READING = { turnsRings: false, closesRings: false, ignoresZ: true, refusals: REQUEST_REFUSALS };

function parseShapeQuery(node: JsonNode, query: string): Given {
  const result: Given = {
    field: '',
    shape: '',
    relation: 'intersects',
    ignoreUnmapped: false,
    // Elasticsearch gives matches no score unless the query has a boost.
    boost: 0,
    name: null,
  };
  let isFound = false;
  for (const member of readObject(node, query).members) {
    if (member.value.kind !== 'object') {
      parseOption(result, member);
      continue;
    }
    if (isFound) throw parsingException(`point specified twice. [${member.name}]`, member.value.at);
    isFound = true;
    result.field = member.name;
    parseShape(result, member.value, query === 'geo_shape');
  }
  if (!isFound) throw illegalArgument('fieldName is required');
  if (result.shape === '') throw noShape();
  return result;
}

function parseOption(result: Given, { name, value }: JsonMember): void {
  if (value.kind === 'array') return;
  if (name === 'boost') result.boost = readNumber(value, name);
  else if (name === '_name') result.name = readString(value, name);
  else if (name === 'ignore_unmapped') result.ignoreUnmapped = readBoolean(value, name);
  else throw parsingException(`query does not support [${name}]`, value.at);
}

function parseShape(result: Given, { members }: JsonObjectNode, hasStrategy: boolean): void {
  let strategy: string | null = null;
  for (const { name, value } of members) {
    if (name === 'relation') result.relation = readRelation(value);
    else if (name === 'shape') result.shape = readGeometry(value);
    else if (name === 'strategy' && hasStrategy) strategy = readStrategy(value);
    else if (name === 'indexed_shape') checkIndexedShape(value);
    else throw parsingException(`query does not support [${name}]`, value.at);
  }
  if (strategy === 'term' && result.relation !== 'intersects') {
    throw illegalArgument(`strategy [term] only supports relation [intersects] found relation [${result.relation}]`);
  }
}

function readRelation(node: JsonNode): ShapeRelation {
  const text = readString(node, 'relation');
  const found = RELATIONS.find((name) => name === text.toLowerCase());
  if (found === undefined) throw parsingException(`Unknown shape operation [${text} ]`, node.at);
  return found;
}

/** Both strategies find the same in fields of this server, which keep shapes as they are. */
function readStrategy(node: JsonNode): string {
  const text = readString(node, 'strategy');
  if (!STRATEGIES.includes(text)) throw parsingException(`Unknown strategy [${text} ]`, node.at);
  return text;
}

/** A whole one has been replaced by the shape of its document before the query is parsed. */
function checkIndexedShape(node: JsonNode): void {
  if (node.kind !== 'object') return;
  for (const { name, value } of node.members) {
    if (value.kind !== 'object' && value.kind !== 'array') continue;
    throw parsingException(`unknown token [${tokenName(value)}] after [${name}]`, value.at);
  }
}

function readGeometry(node: JsonNode): string {
  const value = jsonNodeValue(node);
  if (value === null) return '';
  if (typeof value === 'string') return textOf(parseWellKnownText(value, READING));
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw parseError('shape must be an object consisting of type and coordinates');
  }
  return textOf(parseGeoJson(value, READING));
}

function textOf(geometry: Geometry): string {
  const isEmptyLine = geometry.kind === 'LineString' && geometry.points.length === 0;
  return isEmptyLine ? '' : wellKnownTextOf(geometry);
}

function noShape(): ShoalError {
  return illegalArgument('either shape or indexedShapeId is required');
}

function readShapeMembers(r: ValueReader): ShapeMembers {
  return {
    field: r.string('field'),
    shape: r.string('shape'),
    relation: r.oneOf('relation', RELATIONS),
    ignoreUnmapped: r.boolean('ignoreUnmapped'),
  };
}

export const geoShape: QueryKind<GeoShapeQuery> = {
  kind: 'geoShape',
  parse: (node) => ({ kind: 'geoShape', ...parseShapeQuery(node, 'geo_shape') }),
  read: (r) => ({ kind: 'geoShape', ...readShapeMembers(r), ...readBase(r) }),
  inner: noInner,
};

export const planeShape: QueryKind<PlaneShapeQuery> = {
  kind: 'planeShape',
  parse: (node) => ({ kind: 'planeShape', ...parseShapeQuery(node, 'shape') }),
  read: (r) => ({ kind: 'planeShape', ...readShapeMembers(r), ...readBase(r) }),
  inner: noInner,
};
