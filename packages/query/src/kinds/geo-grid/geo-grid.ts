/**
 * `geo_grid`: documents with a point in a cell of a grid, as the aggregations `geohash_grid` and `geotile_grid` name them. It stands for
 * the box of the cell.
 */
import { illegalArgument, type JsonNode, type JsonObjectNode, parsingException } from '@shoal/core';
import { type GeoBox, geohashCellBox, geotileCellBox } from '@shoal/geo';
import { STRICT } from '../../members/geo-options.ts';
import { readBoolean, readNumber, readObject, readString } from '../../members/request-values.ts';
import type { Mutable } from '../../node/mutable.ts';
import type { QueryAlias } from '../../node/query-kind.ts';
import type { GeoBoundingBoxQuery } from '../geo-bounding-box/geo-bounding-box.ts';

const NAME = 'geo_grid';

function parseGeoGrid(node: JsonNode): GeoBoundingBoxQuery {
  let box: GeoBox | null = null;
  const result: Mutable<Omit<GeoBoundingBoxQuery, 'box'>> = {
    kind: 'geoBoundingBox',
    field: '',
    validation: STRICT,
    ignoreUnmapped: false,
    boost: 1,
    name: null,
  };
  for (const { name, value } of readObject(node, NAME).members) {
    if (value.kind === 'object') {
      if (box !== null) {
        throw parsingException(
          `[${NAME}] query doesn't support multiple fields, found [${result.field}] and [${name}]`,
          value.at,
        );
      }
      box = parseCell(value);
      result.field = name;
    } else if (name === 'boost') result.boost = readNumber(value, name);
    else if (name === '_name') result.name = readString(value, name);
    else if (name === 'ignore_unmapped') result.ignoreUnmapped = readBoolean(value, name);
    else throw parsingException(`failed to parse [${NAME}] query. unexpected field [${name}]`, value.at);
  }
  if (box === null) throw parsingException(`[${NAME}] query: required field and cell not provided`, node.at);
  return { ...result, box };
}

function parseCell(node: JsonObjectNode): GeoBox {
  const [member, other] = node.members;
  if (member === undefined || other !== undefined) {
    throw parsingException(`[${NAME}] query: expected one grid with the name of its cell`, node.at);
  }
  const { name, value } = member;
  switch (name) {
    case 'geohash':
      return geohashCellBox(readString(value, name));
    case 'geotile':
      return geotileCellBox(readString(value, name));
    case 'geohex':
      throw illegalArgument('[geo_grid] queries of the grid [geohex] are not supported by this server');
    default:
      throw parsingException(`Invalid grid name [${name}]`, value.at);
  }
}

export const geoGrid: QueryAlias = { kind: null, parse: parseGeoGrid };
