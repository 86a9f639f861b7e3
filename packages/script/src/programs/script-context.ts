/**
 * What a script finds and gives back: the variables of the place it runs in, and the type of its result.
 */
import type { ContextFunction } from '../compile/compiler.ts';
import { SCRIPT_TOKEN_CLASS } from '../library/analysis-classes.ts';
import { SCRIPT_INTERVAL_CLASS } from '../search-classes/interval-classes.ts';
import {
  SIMILARITY_DOC_CLASS,
  SIMILARITY_FIELD_CLASS,
  SIMILARITY_QUERY_CLASS,
  SIMILARITY_TERM_CLASS,
} from '../search-classes/similarity-classes.ts';
import type { ScriptType } from '../types/script-type.ts';
import { EXTRACTION_FUNCTIONS } from './extraction-functions.ts';
import { SCORE_FUNCTIONS } from './score-functions.ts';

export interface ScriptVariable {
  readonly name: string;
  readonly type: ScriptType;
  /** `_script_context` lists it as a parameter of `execute`, and not as a getter. */
  readonly isParameter?: boolean;
}

export interface ScriptContext {
  /** Name as `_script_context` lists it. */
  readonly name: string;
  /** Variables by name, in the order in which a run is given their values. */
  readonly variables: readonly ScriptVariable[];
  readonly functions: Readonly<Record<string, ContextFunction>>;
  /** `void`, `double`, `boolean`, `def`, … */
  readonly returns: ScriptType;
}

const PARAMS = { name: 'params', type: 'java.util.Map' } as const;
const DOC = { name: 'doc', type: 'java.util.Map' } as const;
const CTX = { name: 'ctx', type: 'java.util.Map' } as const;
const SCORE = { name: '_score', type: 'double' } as const;

const NO_FUNCTIONS = {};

function context(name: string, returns: ScriptType, ...variables: ScriptContext['variables']): ScriptContext {
  return { name, returns, variables, functions: NO_FUNCTIONS };
}

/** Scripts of `_update` and bulk, `_update_by_query` and `_reindex`. */
export const UPDATE_CONTEXT: ScriptContext = context('update', 'void', PARAMS, CTX);
/** The processor `script`. */
export const INGEST_CONTEXT: ScriptContext = context('ingest', 'void', PARAMS, CTX);
/** `if` of a processor. */
export const PROCESSOR_CONDITIONAL_CONTEXT: ScriptContext = context('processor_conditional', 'boolean', PARAMS, CTX);
/** Scores: of `script_score`, and of that function of `function_score`. */
export const SCORE_CONTEXT: ScriptContext = {
  ...context('score', 'double', PARAMS, DOC, SCORE),
  functions: SCORE_FUNCTIONS,
};
/** The query `script`. */
export const FILTER_CONTEXT: ScriptContext = context('filter', 'boolean', PARAMS, DOC);
/** `script_fields`. */
export const FIELD_CONTEXT: ScriptContext = context('field', 'def', PARAMS, DOC);
export const NUMBER_SORT_CONTEXT: ScriptContext = context('number_sort', 'double', PARAMS, DOC, SCORE);
export const STRING_SORT_CONTEXT: ScriptContext = context('string_sort', 'java.lang.String', PARAMS, DOC, SCORE);
/** `minimum_should_match_script` of `terms_set`. */
export const TERMS_SET_CONTEXT: ScriptContext = context('terms_set', 'java.lang.Number', PARAMS, DOC);
/** Values of an aggregation: of a document, or made of each value of a field, which is `_value`. */
export const AGGREGATION_CONTEXT: ScriptContext = context('aggs', 'def', PARAMS, DOC, SCORE, {
  name: '_value',
  type: 'def',
});
const STATE = { name: 'state', type: 'java.util.Map' } as const;
/** `init_script` of `scripted_metric`. */
export const AGGREGATION_INIT_CONTEXT: ScriptContext = context('aggs_init', 'void', PARAMS, STATE);
export const AGGREGATION_MAP_CONTEXT: ScriptContext = context('aggs_map', 'void', PARAMS, STATE, DOC, SCORE);
export const AGGREGATION_COMBINE_CONTEXT: ScriptContext = context('aggs_combine', 'def', PARAMS, STATE);
export const AGGREGATION_REDUCE_CONTEXT: ScriptContext = context('aggs_reduce', 'def', PARAMS, {
  name: 'states',
  type: 'java.util.List',
});
/** Scores of significant terms. */
export const SCRIPT_HEURISTIC_CONTEXT: ScriptContext = context('script_heuristic', 'double', PARAMS);
/** `moving_fn`. */
export const MOVING_FUNCTION_CONTEXT: ScriptContext = context('moving-function', 'double', PARAMS, {
  name: 'values',
  type: 'double[]',
});
/** `bucket_script`. */
export const BUCKET_AGGREGATION_CONTEXT: ScriptContext = context('bucket_aggregation', 'java.lang.Number', PARAMS);
/** `bucket_selector`. */
export const BUCKET_SELECTOR_CONTEXT: ScriptContext = context('aggregation_selector', 'boolean', PARAMS);

/** Runtime fields: what `emit` is called with are the values of the field. */
function emitting(name: string, ...parameters: readonly ScriptType[]): ScriptContext {
  return emittingBy(name, { parameters, returns: 'void', emits: true, run: () => null });
}

function emittingBy(name: string, emit: ContextFunction): ScriptContext {
  return { ...context(name, 'void', PARAMS, DOC), functions: { emit, ...EXTRACTION_FUNCTIONS } };
}

/** Fields that one script makes: a name and its value, or a map of them. */
const EMIT_PARTS: ContextFunction = {
  parameters: ['def', 'def'],
  optionalCount: 1,
  returns: 'void',
  emits: true,
  run: () => null,
};

/** Runtime fields of each type. */
export const RUNTIME_FIELD_CONTEXTS: Readonly<Record<string, ScriptContext>> = {
  boolean: emitting('boolean_field', 'boolean'),
  composite: emittingBy('composite_field', EMIT_PARTS),
  date: emitting('date_field', 'long'),
  double: emitting('double_field', 'double'),
  geo_point: emitting('geo_point_field', 'double', 'double'),
  ip: emitting('ip_field', 'java.lang.String'),
  keyword: emitting('keyword_field', 'java.lang.String'),
  long: emitting('long_field', 'long'),
};

/** The token filters `condition` and `predicate_token_filter`. */
export const ANALYSIS_CONTEXT: ScriptContext = context('analysis', 'boolean', {
  name: 'token',
  type: SCRIPT_TOKEN_CLASS,
  isParameter: true,
});
/** Filters of intervals. */
export const INTERVAL_CONTEXT: ScriptContext = context('interval', 'boolean', {
  name: 'interval',
  type: SCRIPT_INTERVAL_CLASS,
  isParameter: true,
});
const STATISTICS = [
  { name: 'query', type: SIMILARITY_QUERY_CLASS, isParameter: true },
  { name: 'field', type: SIMILARITY_FIELD_CLASS, isParameter: true },
  { name: 'term', type: SIMILARITY_TERM_CLASS, isParameter: true },
] as const;
/** `weight_script` of a similarity: the part of a score that is the same for all documents. */
export const SIMILARITY_WEIGHT_CONTEXT: ScriptContext = context('similarity_weight', 'double', ...STATISTICS);
/** `script` of a similarity. */
export const SIMILARITY_CONTEXT: ScriptContext = context(
  'similarity',
  'double',
  { name: 'weight', type: 'double', isParameter: true },
  ...STATISTICS,
  { name: 'doc', type: SIMILARITY_DOC_CLASS, isParameter: true },
);
/** Texts of searches, where a script takes the place of a template. */
export const TEMPLATE_CONTEXT: ScriptContext = context('template', 'java.lang.String', PARAMS);

/** `_scripts/painless/_execute`. */
export const PAINLESS_TEST_CONTEXT: ScriptContext = context('painless_test', 'def', PARAMS);

/** All contexts. */
export const SCRIPT_CONTEXTS: readonly ScriptContext[] = [
  ...[UPDATE_CONTEXT, INGEST_CONTEXT, PROCESSOR_CONDITIONAL_CONTEXT, SCORE_CONTEXT, FILTER_CONTEXT, FIELD_CONTEXT],
  ...[
    NUMBER_SORT_CONTEXT,
    STRING_SORT_CONTEXT,
    TERMS_SET_CONTEXT,
    AGGREGATION_CONTEXT,
    AGGREGATION_INIT_CONTEXT,
    AGGREGATION_MAP_CONTEXT,
    AGGREGATION_COMBINE_CONTEXT,
    AGGREGATION_REDUCE_CONTEXT,
    SCRIPT_HEURISTIC_CONTEXT,
    MOVING_FUNCTION_CONTEXT,
    BUCKET_AGGREGATION_CONTEXT,
    BUCKET_SELECTOR_CONTEXT,
    ANALYSIS_CONTEXT,
    INTERVAL_CONTEXT,
    TEMPLATE_CONTEXT,
    PAINLESS_TEST_CONTEXT,
    SIMILARITY_CONTEXT,
    SIMILARITY_WEIGHT_CONTEXT,
  ],
  ...Object.values(RUNTIME_FIELD_CONTEXTS),
];

/** Language of templates, which run in no context but that of templates. */
export const MUSTACHE = 'mustache';

/** Why no template runs in a context. */
export function unfitForTemplates(contextName: string): string {
  return `mustache engine does not know how to handle context [${contextName}]`;
}
