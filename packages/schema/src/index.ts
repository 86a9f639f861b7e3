export type { DateFormatter, DateParseOptions } from './date-formatter.ts';
export {
  type DynamicMode,
  type FieldKind,
  type FieldMapping,
  isNumericKind,
  type NumericKind,
  type ObjectMapping,
} from './field-mapping.ts';
export type { DynamicTemplate, Mapping, MappingJson } from './mapping.ts';
export { parseBoolean, parseBytes, parseDurationMs } from './setting-values.ts';
export { defaultRoutingShards, type TypedIndexSettings, typedIndexSettings } from './typed-index-settings.ts';
