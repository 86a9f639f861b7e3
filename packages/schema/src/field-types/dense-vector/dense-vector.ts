/**
 * Declaration of `dense_vector`: a list of `dims` numbers, declared or counted in the first document that has one, that scripts of
 * scores and searches for the nearest ones compare with that of a request.
 */
import { illegalArgument } from '@shoal/core';
import { asObject, type JsonObject, own } from '../../declaration/json-object.ts';
import { mapperParsing } from '../../declaration/mapping-error.ts';
import { type DeclaredType, NO_SETTINGS } from '../contract/declared-type.ts';
import { choice, META, type ParameterRule } from '../contract/parameter-rule.ts';
import { VECTOR_SIMILARITIES } from '../contract/vector-settings.ts';

/** Largest "dims". */
const DIMS_MAX = 4096;

/** Rule of `index`: a field that does not say is searched, but takes every vector as before there were such searches. */
const INDEX: ParameterRule = {
  kind: 'parsed',
  otherwise: null,
  change: 'never',
  parse: (value) => {
    if (value === true || value === 'true') return true;
    if (value === false || value === 'false') return false;
    throw illegalArgument(`Failed to parse value [${String(value)}] as only [true] or [false] are allowed.`);
  },
};

/** Structures of `index_options` with the members that each has. */
const INDEX_STRUCTURES: ReadonlyMap<string, readonly string[]> = new Map([
  ['hnsw', ['m', 'ef_construction']],
  ['int8_hnsw', ['m', 'ef_construction', 'confidence_interval']],
  ['int4_hnsw', ['m', 'ef_construction', 'confidence_interval']],
  ['bbq_hnsw', ['m', 'ef_construction']],
  ['flat', []],
  ['int8_flat', ['confidence_interval']],
  ['int4_flat', ['confidence_interval']],
  ['bbq_flat', []],
]);

/** Rule of `index_options`: they trade exactness for speed, and every vector is compared as it is. */
const INDEX_OPTIONS: ParameterRule = { kind: 'parsed', otherwise: null, change: 'always', parse: readIndexOptions };

function readIndexOptions(value: unknown): unknown {
  const options = asObject(value);
  if (options === null) throw mapperParsing('[index_options] must be an object');
  const type = own(options, 'type');
  if (type === undefined) throw mapperParsing('[index_options] requires field [type] to be configured');
  const members = INDEX_STRUCTURES.get(String(type));
  if (members === undefined) throw mapperParsing(`Unknown vector index options type [${String(type)}]`);
  const unknown = Object.keys(options).filter((key) => key !== 'type' && !members.includes(key));
  if (unknown.length > 0) {
    const listed = unknown.map((key) => ` [${key} : ${String(own(options, key))}]`).join('');
    throw mapperParsing(`Mapping definition for [index_options] has unsupported parameters: ${listed}`);
  }
  return options;
}

export const DENSE_VECTOR: DeclaredType = {
  parameters: new Map<string, ParameterRule>([
    ['dims', { kind: 'integer', otherwise: null, min: Number.MIN_SAFE_INTEGER, change: 'fromNull' }],
    ['index', INDEX],
    ['similarity', choice('cosine', VECTOR_SIMILARITIES)],
    ['index_options', INDEX_OPTIONS],
    ['element_type', choice('float', ['float', 'byte'])],
    ['meta', META],
  ]),
  implied: new Map<string, unknown>([['doc_values', true]]),
  isWhole: (value) => Array.isArray(value),
  check: (name, json) => {
    checkDims(name, json);
    if (String(own(json, 'index')) !== 'false') return;
    for (const key of ['similarity', 'index_options']) {
      if (own(json, key) === undefined) continue;
      throw mapperParsing(`Field [${key}] can only be specified for a field of type [dense_vector] when it is indexed`);
    }
  },
  settings: (value) => ({
    ...NO_SETTINGS,
    dims: Number(value('dims') ?? 0),
    vectors: {
      similarity: value('index') === false ? null : similarityOf(value('similarity')),
      checksLength: value('index') === true,
      isByte: value('element_type') === 'byte',
    },
  }),
  storedValue: (value) => value,
};

function similarityOf(value: unknown): (typeof VECTOR_SIMILARITIES)[number] {
  return VECTOR_SIMILARITIES.find((similarity) => similarity === value) ?? 'cosine';
}

function checkDims(name: string, json: JsonObject): void {
  const dims = own(json, 'dims');
  // The first document that has a vector says how long all are.
  if (dims === undefined || dims === null) return;
  if (Number(dims) >= 1 && Number(dims) <= DIMS_MAX) return;
  throw mapperParsing(
    `The number of dimensions for field [${name}] should be in the range [1, ${DIMS_MAX}] but was [${String(dims)}]`,
  );
}
