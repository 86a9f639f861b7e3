export { BytePieces } from './bytes/byte-pieces.ts';
export { ByteSink } from './bytes/byte-sink.ts';
export { ByteSource, DamagedBytes } from './bytes/byte-source.ts';
export { type CancelFlag, CancelSource, checkNotCancelled } from './cancellation.ts';
export { type ConfigFile, type ConfigFiles, NO_CONFIG_FILES } from './config-files.ts';
export { contentError, didYouMean, unknownMember } from './content/content-errors.ts';
export { type ItemReader, isMalformedMessage, malformedMessage, ValueReader } from './decoding/value-reader.ts';
export { AssertionFailure, assert, isAssertionFailure, unreachable } from './errors/assert.ts';
export {
  circuitBreaking,
  illegalArgument,
  indexNotFound,
  masterNotDiscovered,
  parsingException,
  rejectedExecution,
  versionConflict,
} from './errors/error-catalogue.ts';
export { fromWireError, renderCause, renderErrorBody, toWireError, type WireError } from './errors/error-rendering.ts';
export { messageOf } from './errors/message-of.ts';
export { rootCausesOf } from './errors/root-causes.ts';
export {
  asShoalError,
  changedError,
  type ErrorMetadata,
  isShoalError,
  ShoalError,
  type ShoalErrorOptions,
} from './errors/shoal-error.ts';
export { withSuppressed } from './errors/suppressed-errors.ts';
export { firstAtLeast } from './first-at-least.ts';
export { type HostPort, isLoopback, parseHostPort, showHostPort } from './host-port.ts';
export { DOCUMENT_ID_CHARS, IdGenerator, randomUuid } from './id-generator.ts';
export { inJavaHashOrder, javaTextHash } from './java-text-hash.ts';
export { isObject } from './json/is-object.ts';
export { asFloat, DoubleNumber, FloatNumber, javaDoubleText, javaFloatText } from './json/java-numbers.ts';
export type { JsonLocation } from './json/json-location.ts';
export { JSON_TOKENS_MAX, JsonTokens } from './json/json-reader.ts';
export { type JsonMemberSpan, jsonItems, jsonMembers } from './json/json-spans.ts';
export { isLargeJson, writeJsonInSteps } from './json/json-steps.ts';
export {
  type JsonArrayNode,
  type JsonMember,
  type JsonNode,
  type JsonNumberNode,
  type JsonObjectNode,
  jsonNodeValue,
  parseJsonTree,
  parseJsonTreeInSteps,
  tokenName,
} from './json/json-tree.ts';
export { ANY_TOKENS, parseJson } from './json/json-value.ts';
export { type JsonWriteOptions, RawJson, writeJson, writeJsonText } from './json/json-writer.ts';
export { lazy } from './lazy.ts';
export { murmur3, murmur3Ascii, murmur3Bytes, murmur3Final } from './murmur3.ts';
export { murmur3Wide } from './murmur3-wide.ts';
export { NumberedEntries } from './numbered-entries.ts';
export { RecentByObject, RecentEntries } from './recent-entries.ts';
export { parseByteSize, renderByteSize } from './settings/byte-size.ts';
export { editDistance, nearestNames } from './settings/edit-distance.ts';
export {
  type BoundedOptions,
  booleanSetting,
  byteSizeSetting,
  choiceSetting,
  integerSetting,
  listSetting,
  type PortRange,
  portSetting,
  type SettingDefinition,
  type SettingOptions,
  textSetting,
  timeSetting,
} from './settings/setting-definition.ts';
export { flattenSettings, Settings, SettingsRegistry } from './settings/settings-registry.ts';
export { parseTimeValue } from './settings/time-value.ts';
export { type RoutedShards, shardIdForHash } from './shard-of-hash.ts';
export { matchesAny, simpleMatch } from './simple-match.ts';
export { sortInSteps } from './steps/sort-in-steps.ts';
export { runSteps, StepMeter, type Steps } from './steps/steps.ts';
export { API_VERSION, INDEX_VERSION_CREATED, SHOAL_VERSION, versionId, versionText } from './version.ts';
export { type GrowingMemory, growMemory, instantiate, reserveMemory, WASM_PAGE_BYTES } from './wasm-memory.ts';
export { asInteger, fitWideIntegers, type WideIntegers, wideIntegers } from './wide-integers.ts';
