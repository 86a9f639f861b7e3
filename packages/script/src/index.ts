export type { ScriptSource } from './errors/script-source.ts';
export { ScriptToken } from './library/analysis-classes.ts';
export {
  DocumentFields,
  FieldValues,
  type FieldValuesClass,
  type FieldValuesReader,
  ScriptPoint,
} from './library/document-values.ts';
export {
  exponentialAverage,
  linearAverage,
  plainAverage,
  seasonForecasts,
  trendForecasts,
} from './library/forecasts.ts';
export { itemsOrNull as listItems } from './library/items-of.ts';
export { VectorFieldValues, type VectorReader } from './library/vector-values.ts';
export { type BoundProgram, compileScript, type ScriptProgram } from './programs/compile-script.ts';
export { compileExpressionScript, EXPRESSION, EXPRESSION_CONTEXTS } from './programs/expression-program.ts';
export { type IntervalTest, intervalTest } from './programs/interval-script.ts';
export { ReadOnlyValues } from './programs/read-only-values.ts';
export { castNumber, doublesOf, resultNumber, resultValues, scriptNumber } from './programs/result-values.ts';
export { programOf } from './programs/script-cache.ts';
export {
  AGGREGATION_COMBINE_CONTEXT,
  AGGREGATION_CONTEXT,
  AGGREGATION_INIT_CONTEXT,
  AGGREGATION_MAP_CONTEXT,
  AGGREGATION_REDUCE_CONTEXT,
  ANALYSIS_CONTEXT,
  BUCKET_AGGREGATION_CONTEXT,
  BUCKET_SELECTOR_CONTEXT,
  FIELD_CONTEXT,
  FILTER_CONTEXT,
  INGEST_CONTEXT,
  MOVING_FUNCTION_CONTEXT,
  MUSTACHE,
  NUMBER_SORT_CONTEXT,
  PAINLESS_TEST_CONTEXT,
  PROCESSOR_CONDITIONAL_CONTEXT,
  RUNTIME_FIELD_CONTEXTS,
  SCORE_CONTEXT,
  SCRIPT_CONTEXTS,
  SCRIPT_HEURISTIC_CONTEXT,
  type ScriptContext,
  STRING_SORT_CONTEXT,
  TEMPLATE_CONTEXT,
  TERMS_SET_CONTEXT,
  UPDATE_CONTEXT,
  unfitForTemplates,
} from './programs/script-context.ts';
export {
  CONTENT_TYPE,
  illegalOption,
  jsonText,
  paramsOf,
  parseScript,
  parseScriptOf,
  readScript,
  type ScriptRequest,
  type ScriptWithOptions,
} from './programs/script-request.ts';
export { toPlain } from './programs/script-values.ts';
export { checkScriptedSimilarity, ScriptedScores, type ScriptedSimilarity } from './programs/similarity-scripts.ts';
export { readScriptValue, writeScriptValue } from './programs/value-codec.ts';
export { scriptValueBytes } from './programs/value-size.ts';
export { javaText, type PlainValue, plainValueOf } from './templates/plain-values.ts';
export { renderTemplate, type TemplateParams, type TemplateSource } from './templates/render-template.ts';
export {
  isTemplate,
  JSON_WITH_CHARSET,
  MEDIA_TYPES,
  type MediaType,
  TemplateScript,
} from './templates/template-script.ts';
export { FieldDateTime } from './time/instants.ts';
export { JavaMap } from './values/java-map.ts';
export { classOf as scriptClassOf, textOf } from './values/java-text.ts';
export { fromJsonNode, fromPlain } from './values/json-values.ts';
export { sizeInBytes } from './values/size-in-bytes.ts';
export { urlDecoded } from './values/url-decoded.ts';
export { VECTOR_DOCS, type VectorBatch, type VectorColumn } from './vectors/vector.ts';
export type { VectorInputs } from './vectors/vector-compiler.ts';
export type { VectorProgram } from './vectors/vector-program.ts';
