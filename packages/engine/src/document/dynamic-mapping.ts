/**
 * Declarations of fields that a document brings for the first time, as Elasticsearch would choose them.
 */
import { isShoalError } from '@shoal/core';
import {
  DYNAMIC_KINDS,
  type DynamicJsonType,
  dateFormatter,
  type Mapping,
  type MappingJson,
  matchDynamicTemplate,
  type NewField,
  RUNTIME_KINDS,
} from '@shoal/schema';

/** Declarations by full path, in the order in which they were met. */
export type NewFields = Map<string, MappingJson>;

const DEFAULT_DATE_FORMAT = 'strict_date_optional_time';
const TEXT_WITH_KEYWORD: MappingJson = {
  type: DYNAMIC_KINDS.string,
  fields: { keyword: { type: 'keyword', ignore_above: 256 } },
};

/** New fields of a document, by whether values are indexed or made when it is searched. */
export interface AddedFields {
  readonly fields: NewFields;
  readonly runtime: NewFields;
}

/** What a new field is made of. */
export interface FirstValue {
  readonly path: string;
  readonly value: unknown;
  /** A number written with a point or an exponent. */
  readonly isFraction: boolean;
  /** Fields that no template fits become runtime fields. */
  readonly isRuntime: boolean;
}

/** Declaration for a new field with this value. */
export function dynamicDeclaration(mapping: Mapping, { path, value, isFraction, isRuntime }: FirstValue): NewField {
  const { type, format } = shownType(mapping, value, isFraction);
  const template = matchDynamicTemplate(mapping, path, type);
  if (template !== null) return template;
  const given = format === null ? {} : { format };
  if (isRuntime) return { declared: { type: RUNTIME_KINDS[type], ...given }, isRuntime };
  return { declared: type === 'string' ? TEXT_WITH_KEYWORD : { type: DYNAMIC_KINDS[type], ...given }, isRuntime };
}

interface ShownType {
  readonly type: Exclude<DynamicJsonType, 'object'>;
  /** Format of dates; null: none, or the usual one. */
  readonly format: string | null;
}

function shownType(mapping: Mapping, value: unknown, isFraction: boolean): ShownType {
  if (typeof value === 'boolean') return { type: 'boolean', format: null };
  const number = (isDouble: boolean): ShownType => ({ type: isDouble ? 'double' : 'long', format: null });
  if (typeof value === 'number' || typeof value === 'bigint') return number(isFraction);
  const text = String(value);
  const isNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text);
  if (isNumber && mapping.hasNumericDetection) return number(!/^[+-]?\d+$/.test(text));
  if (!isNumber && mapping.hasDateDetection) {
    const format = mapping.dynamicDateFormats.find((candidate) => isDate(candidate, text));
    if (format !== undefined) return { type: 'date', format: format === DEFAULT_DATE_FORMAT ? null : format };
  }
  return { type: 'string', format: null };
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

/** The new fields as a mapping update: `{properties: {...}, runtime: {...}}`; null without any. What is below a nested or flat object says so. */
export function mappingUpdate(mapping: Mapping, { fields, runtime }: AddedFields): MappingJson | null {
  if (fields.size === 0 && runtime.size === 0) return null;
  const rootIsFlat = mapping.objects.get('')?.isFlat === true;
  return {
    ...(rootIsFlat && fields.size > 0 && { subobjects: false }),
    ...(fields.size > 0 && {
      properties: rootIsFlat
        ? Object.fromEntries(fields)
        : propertiesBelow('', fields, restatedObject(mapping, fields)),
    }),
    ...(runtime.size > 0 && { runtime: Object.fromEntries(runtime) }),
  };
}

/** What an update has to say of an object again for what is below it to be read rightly; null: nothing. */
type RestatedObject = (path: string) => MappingJson | null;

function restatedObject(mapping: Mapping, fields: NewFields): RestatedObject {
  return (path) => {
    const object = mapping.objects.get(path);
    const priority = object?.passthroughPriority ?? null;
    if (priority !== null) return { type: 'passthrough', priority };
    if (object?.isFlat === true) return { subobjects: false };
    return object?.nested != null || fields.get(path)?.type === 'nested' ? { type: 'nested' } : null;
  };
}

/** @param prefix path of the object around the fields, with its dot */
function propertiesBelow(prefix: string, fields: NewFields, restated: RestatedObject): MappingJson {
  const direct: [string, MappingJson][] = [];
  const below = new Map<string, NewFields>();
  for (const [path, declared] of fields) {
    const object = outermost(prefix, path, restated);
    if (object === null) direct.push([path.slice(prefix.length), declared]);
    else below.set(object, (below.get(object) ?? new Map()).set(path, declared));
  }
  for (const [object, inner] of below) {
    const declared = direct.find(([name]) => name === object.slice(prefix.length));
    const properties = propertiesBelow(`${object}.`, inner, restated);
    if (declared === undefined) direct.push([object.slice(prefix.length), { ...restated(object), properties }]);
    else declared[1] = { ...declared[1], properties };
  }
  return Object.fromEntries(direct);
}

/** First object of which something is restated on the way from an object to a field in it; null when there is none. */
function outermost(prefix: string, path: string, restated: RestatedObject): string | null {
  for (let dot = path.indexOf('.', prefix.length); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const above = path.slice(0, dot);
    if (restated(above) !== null) return above;
  }
  return null;
}
