export { dateFormatter, printIso } from './dates/date-formats.ts';
export type { DateFormatter, DateParseOptions } from './dates/date-formatter.ts';
export { type DateMathClock, type DateMathOptions, parseDateMath, parseDateMathNanos } from './dates/date-math.ts';
export { type TimeZone, timeZone } from './dates/time-zone.ts';
export { isObjectType } from './declaration/object-type.ts';
export { geohashLetters } from './field-types/completion/context-mapping.ts';
export type { CompletionSettings, ContextMapping } from './field-types/contract/completion-settings.ts';
export type { FrequencyFilter, SourceValue, TermVectorParts } from './field-types/contract/declared-type.ts';
export type { VectorSimilarity } from './field-types/contract/vector-settings.ts';
export { DATE_FORMAT_DEFAULT } from './field-types/date/date.ts';
export { type FieldKind, isFieldKind, isWholeValue, typeOfField } from './field-types/declared-types.ts';
export { multiple, scaled } from './field-types/scaled-float/scaled.ts';
export { printVersion, versionTerm } from './field-types/version/version-term.ts';
export { type AssignedTemplates, checkAssigned, withAssignedTemplates } from './mapping/assigned-templates.ts';
export { anyDeclarationAt, declarationAt } from './mapping/declaration-at.ts';
export { derivedMapping } from './mapping/derived-mapping.ts';
export {
  DYNAMIC_KINDS,
  type DynamicJsonType,
  matchDynamicTemplate,
  type NewField,
  RUNTIME_KINDS,
} from './mapping/dynamic-templates.ts';
export type { DynamicMode, FieldMapping, NestedOptions, ObjectMapping } from './mapping/field-mapping.ts';
export { joinFieldOf, parentIdField, parentKind } from './mapping/join-field.ts';
export { keyedField } from './mapping/keyed-field.ts';
export {
  type DynamicTemplate,
  type Mapping,
  type MappingJson,
  TIMESTAMP_FIELD,
  TIMESTAMP_RULE,
} from './mapping/mapping.ts';
export { overlayMapping } from './mapping/mapping-overlay.ts';
export {
  checkAnalyzers,
  checkFieldCount,
  checkSimilarities,
  fieldCount,
  type MappingLimits,
  mergeMapping,
  parseMapping,
  renderMapping,
} from './mapping/mapping-parser.ts';
export { DOC_COUNT_FIELD, IGNORED_FIELD, requiresRouting } from './mapping/resolve-mapping.ts';
export { checkedRuntimeMappings, withRuntimeFields } from './mapping/runtime-section.ts';
export { sideFieldKind } from './mapping/side-field-kind.ts';
export {
  BM25,
  type LengthNormalization,
  type Similarities,
  type Similarity,
  type SimilarityScript,
} from './mapping/similarity.ts';
export { keepsWhole } from './mapping/source-rule.ts';
export { type StoredApart, valuePathsOf } from './mapping/stored-apart.ts';
export { noColumn, noDocValues, noFielddata } from './mapping/without-column.ts';
export { parseSchedule, type Schedule } from './settings/cron-schedule.ts';
export { indexSettingRule } from './settings/index-setting-registry.ts';
export { replicaRangeOf } from './settings/index-setting-rule.ts';
export {
  type FlatIndexSettings,
  indexSettingNames,
  mergeTemplateSettings,
  parseIndexSettings,
  parseTemplateSettings,
  updateIndexSettings,
} from './settings/index-settings.ts';
export { indexSimilarities } from './settings/index-similarities.ts';
export { checkIndexSort, type IndexSortKey } from './settings/index-sort.ts';
export {
  MERGE_POLICY_DEFAULTS,
  type MergePolicySettings,
  mergePolicySettings,
} from './settings/merge-policy-settings.ts';
export { parseBoolean, parseBytes, parseDurationMs } from './settings/setting-values.ts';
export {
  defaultRoutingShards,
  maxResultWindow,
  SHARD_COUNT_DEFAULTS,
  type TypedIndexSettings,
  typedIndexSettings,
  writeActiveShards,
} from './settings/typed-index-settings.ts';
