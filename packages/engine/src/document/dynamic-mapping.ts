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

/** The new fields as a mapping update: `{properties: {...}}`. */
export function mappingUpdate(fields: NewFields): MappingJson {
  return { properties: Object.fromEntries(fields) };
}
