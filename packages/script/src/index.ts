export type { ScriptSource } from './errors/script-source.ts';
export { ScriptToken } from './library/analysis-classes.ts';
export {
  DocumentFields,
  FieldValues,
  type FieldValuesClass,
  type FieldValuesReader,
  ScriptPoint,
} from './library/document-values.ts';
export { itemsOrNull as listItems } from './library/items-of.ts';
export { type BoundProgram, compileScript, type ScriptProgram } from './programs/compile-script.ts';
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
  NUMBER_SORT_CONTEXT,
  PAINLESS_TEST_CONTEXT,
  PROCESSOR_CONDITIONAL_CONTEXT,
  RUNTIME_FIELD_CONTEXTS,
  SCORE_CONTEXT,
  SCRIPT_CONTEXTS,
  SCRIPT_HEURISTIC_CONTEXT,
  type ScriptContext,
  TERMS_SET_CONTEXT,
  UPDATE_CONTEXT,
} from './programs/script-context.ts';
export { jsonText, paramsOf, parseScript, readScript, type ScriptRequest } from './programs/script-request.ts';
export { fromJsonNode, fromPlain, toPlain } from './programs/script-values.ts';
export { readScriptValue, writeScriptValue } from './programs/value-codec.ts';
export { scriptValueBytes } from './programs/value-size.ts';
export { JavaMap } from './values/java-map.ts';
export { classOf as scriptClassOf, textOf } from './values/java-text.ts';
export { FieldDateTime } from './values/java-time.ts';
export { VECTOR_DOCS, type VectorBatch, type VectorColumn } from './vectors/vector.ts';
export type { VectorInputs } from './vectors/vector-compiler.ts';
export type { VectorProgram } from './vectors/vector-program.ts';
