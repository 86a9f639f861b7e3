export { dateFormatter, printIso } from './date-formats.ts';
export type { DateFormatter, DateParseOptions } from './date-formatter.ts';
export { type DynamicJsonType, matchDynamicTemplate } from './dynamic-templates.ts';
export {
  type DynamicMode,
  type FieldKind,
  type FieldMapping,
  isNumericKind,
  type NumericKind,
  type ObjectMapping,
} from './field-mapping.ts';
export { type FlatIndexSettings, parseIndexSettings, updateIndexSettings } from './index-settings.ts';
export type { DynamicTemplate, Mapping, MappingJson } from './mapping.ts';
export {
  checkAnalyzers,
  checkFieldCount,
  type MappingLimits,
  mergeMapping,
  parseMapping,
  renderMapping,
} from './mapping-parser.ts';
export { parseBoolean, parseBytes, parseDurationMs } from './setting-values.ts';
export { type TimeZone, timeZone } from './time-zone.ts';
export {
  defaultRoutingShards,
  maxResultWindow,
  type TypedIndexSettings,
  typedIndexSettings,
} from './typed-index-settings.ts';
