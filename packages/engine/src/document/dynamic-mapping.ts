/**
 * Declarations of fields that a document brings for the first time, as Elasticsearch would choose them.
 */
import { isShoalError } from '@shoal/core';
import { DYNAMIC_KINDS, dateFormatter, type Mapping, type MappingJson, matchDynamicTemplate } from '@shoal/schema';

/** Declarations by full path, in the order in which they were met. */
export type NewFields = Map<string, MappingJson>;

const DEFAULT_DATE_FORMAT = 'strict_date_optional_time';
const TEXT_WITH_KEYWORD: MappingJson = {
  type: DYNAMIC_KINDS.string,
  fields: { keyword: { type: 'keyword', ignore_above: 256 } },
};

/** Declaration for a new field with this value. `isFraction`: a number written with a point or an exponent. */
export function dynamicDeclaration(mapping: Mapping, path: string, value: unknown, isFraction: boolean): MappingJson {
  if (typeof value === 'boolean')
    return matchDynamicTemplate(mapping, path, 'boolean') ?? { type: DYNAMIC_KINDS.boolean };
  if (typeof value === 'number' || typeof value === 'bigint') return numberDeclaration(mapping, path, isFraction);
  const text = String(value);
  const isNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text);
  if (isNumber && mapping.hasNumericDetection) return numberDeclaration(mapping, path, !/^[+-]?\d+$/.test(text));
  if (!isNumber && mapping.hasDateDetection) {
    const format = mapping.dynamicDateFormats.find((candidate) => isDate(candidate, text));
    if (format !== undefined) {
      const template = matchDynamicTemplate(mapping, path, 'date');
      return template ?? { type: DYNAMIC_KINDS.date, ...(format === DEFAULT_DATE_FORMAT ? {} : { format }) };
    }
  }
  return matchDynamicTemplate(mapping, path, 'string') ?? TEXT_WITH_KEYWORD;
}

function numberDeclaration(mapping: Mapping, path: string, isFraction: boolean): MappingJson {
  if (isFraction) return matchDynamicTemplate(mapping, path, 'double') ?? { type: DYNAMIC_KINDS.double };
  return matchDynamicTemplate(mapping, path, 'long') ?? { type: DYNAMIC_KINDS.long };
}

function isDate(format: string, text: string): boolean {
  // A text without a digit fits no format; words are common, and an exception for each is slow.
  if (!/\d/.test(text)) return false;
  try {
    dateFormatter(format).parseMs(text);
    return true;
  } catch (error) {
    if (isShoalError(error)) return false;
    throw error;
  }
}

/** The new fields as a mapping update: `{properties: {...}}`. What is below a nested object says so. */
export function mappingUpdate(mapping: Mapping, fields: NewFields): MappingJson {
  const isNested = (path: string): boolean =>
    mapping.objects.get(path)?.nested != null || fields.get(path)?.type === 'nested';
  return { properties: propertiesBelow('', fields, isNested) };
}

/** @param prefix path of the object around the fields, with its dot */
function propertiesBelow(prefix: string, fields: NewFields, isNested: (path: string) => boolean): MappingJson {
  const direct: [string, MappingJson][] = [];
  const below = new Map<string, NewFields>();
  for (const [path, declared] of fields) {
    const around = outermost(prefix, path, isNested);
    if (around === null) direct.push([path.slice(prefix.length), declared]);
    else below.set(around, (below.get(around) ?? new Map()).set(path, declared));
  }
  for (const [around, inner] of below) {
    const declared = direct.find(([name]) => name === around.slice(prefix.length));
    const properties = propertiesBelow(`${around}.`, inner, isNested);
    if (declared === undefined) direct.push([around.slice(prefix.length), { type: 'nested', properties }]);
    else declared[1] = { ...declared[1], properties };
  }
  return Object.fromEntries(direct);
}

/** First nested object on the way from an object to a field in it; null when there is none. */
function outermost(prefix: string, path: string, isNested: (path: string) => boolean): string | null {
  for (let dot = path.indexOf('.', prefix.length); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const above = path.slice(0, dot);
    if (isNested(above)) return above;
  }
  return null;
}
