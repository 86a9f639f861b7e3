/**
 * Parameters that each kind of field takes: their values, defaults, and which may change after the field exists.
 *
 * One table instead of a parser per kind: parsing, merging and printing all read it. A parameter of Elasticsearch that
 * has no effect here yet is refused unless it has its default value, so that nobody relies on what does not happen.
 */
import type { FieldKind } from './field-mapping.ts';

export type ParameterRule =
  | { readonly kind: 'flag'; readonly otherwise: boolean; readonly change: ParameterChange }
  | {
      readonly kind: 'integer';
      readonly otherwise: number | null;
      readonly min: number;
      readonly change: ParameterChange;
    }
  | { readonly kind: 'number'; readonly otherwise: number; readonly change: ParameterChange }
  | { readonly kind: 'text'; readonly otherwise: string | null; readonly change: ParameterChange }
  | {
      readonly kind: 'choice';
      readonly otherwise: string;
      readonly choices: readonly string[];
      readonly change: ParameterChange;
    }
  /** Any JSON scalar; `null_value`. */
  | { readonly kind: 'scalar'; readonly otherwise: null; readonly change: ParameterChange }
  /** Kept and printed, without meaning here; `meta`. */
  | { readonly kind: 'opaque'; readonly otherwise: null; readonly change: ParameterChange };

/** `toFalse`: only from true to false. */
export type ParameterChange = 'always' | 'never' | 'toFalse';

export type ParameterTable = ReadonlyMap<string, ParameterRule>;

const flag = (otherwise: boolean, change: ParameterChange = 'never'): ParameterRule => ({
  kind: 'flag',
  otherwise,
  change,
});
const text = (otherwise: string | null, change: ParameterChange = 'never'): ParameterRule => ({
  kind: 'text',
  otherwise,
  change,
});
const choice = (otherwise: string, choices: readonly string[]): ParameterRule => ({
  kind: 'choice',
  otherwise,
  choices,
  change: 'never',
});
const SCALAR: ParameterRule = { kind: 'scalar', otherwise: null, change: 'never' };

const COMMON: readonly (readonly [string, ParameterRule])[] = [
  ['index', flag(true)],
  ['store', flag(false)],
  ['meta', { kind: 'opaque', otherwise: null, change: 'always' }],
  ['boost', { kind: 'number', otherwise: 1, change: 'always' }],
];

/** Nothing is kept for them: highlighting analyses the text again, and longer texts where they were declared. */
const TERM_VECTORS = [
  'no',
  'yes',
  'with_offsets',
  'with_positions',
  'with_positions_offsets',
  'with_positions_payloads',
  'with_positions_offsets_payloads',
];

const TEXT: ParameterTable = new Map([
  ...COMMON,
  ['analyzer', text('default')],
  ['search_analyzer', text(null, 'always')],
  ['search_quote_analyzer', text(null, 'always')],
  ['norms', flag(true, 'toFalse')],
  ['index_options', choice('positions', ['docs', 'freqs', 'positions', 'offsets'])],
  ['position_increment_gap', { kind: 'integer', otherwise: 100, min: 0, change: 'never' }],
  ['eager_global_ordinals', flag(false, 'always')],
  ['similarity', choice('BM25', ['BM25'])],
  ['term_vector', choice('no', TERM_VECTORS)],
  ['fielddata', choice('false', ['false'])],
  ['index_phrases', choice('false', ['false'])],
]);

const KEYWORD: ParameterTable = new Map([
  ...COMMON,
  ['doc_values', flag(true)],
  ['norms', flag(false, 'toFalse')],
  ['null_value', SCALAR],
  ['ignore_above', { kind: 'integer', otherwise: null, min: 0, change: 'always' }],
  ['index_options', choice('docs', ['docs', 'freqs'])],
  ['eager_global_ordinals', flag(false, 'always')],
  ['split_queries_on_whitespace', choice('false', ['false'])],
  ['similarity', choice('BM25', ['BM25'])],
]);

const NUMERIC: ParameterTable = new Map([
  ...COMMON,
  ['doc_values', flag(true)],
  ['null_value', SCALAR],
  ['coerce', flag(true, 'always')],
  ['ignore_malformed', flag(false, 'always')],
]);

const BOOLEAN: ParameterTable = new Map([
  ...COMMON,
  ['doc_values', flag(true)],
  ['null_value', SCALAR],
  ['ignore_malformed', flag(false, 'always')],
]);

/** What dates are read and printed with when the mapping names no format. */
export const DATE_FORMAT_DEFAULT = 'strict_date_optional_time||epoch_millis';

const DATE: ParameterTable = new Map([
  ...BOOLEAN,
  ['format', text(DATE_FORMAT_DEFAULT)],
  ['locale', choice('', ['', 'en', 'en_US', 'ROOT'])],
]);

const TABLES: ReadonlyMap<FieldKind, ParameterTable> = new Map<FieldKind, ParameterTable>([
  ['text', TEXT],
  ['keyword', KEYWORD],
  ['long', NUMERIC],
  ['integer', NUMERIC],
  ['short', NUMERIC],
  ['byte', NUMERIC],
  ['double', NUMERIC],
  ['float', NUMERIC],
  ['boolean', BOOLEAN],
  ['date', DATE],
  ['ip', BOOLEAN],
]);

/** null when no such kind of field exists. */
export function parameterTable(type: string): ParameterTable | null {
  return TABLES.get(type as FieldKind) ?? null;
}

/** True when `type` names a kind of field. */
export function isFieldKind(type: string): type is FieldKind {
  return TABLES.has(type as FieldKind);
}
