/**
 * Declaration of `knn_vector`, as OpenSearch calls vectors: a list of `dimension` numbers and the space that they are compared in.
 */
import { asObject, own } from '../../declaration/json-object.ts';
import { mapperParsing } from '../../declaration/mapping-error.ts';
import { type DeclaredType, NO_SETTINGS } from '../contract/declared-type.ts';
import { choice, flag, META, type ParameterRule, withoutEffect } from '../contract/parameter-rule.ts';
import type { VectorSimilarity } from '../contract/vector-settings.ts';

/** Largest "dimension". */
const DIMENSION_MAX = 16_000;

/** Similarities by the name of the space; both score alike. */
const SPACES: ReadonlyMap<string, VectorSimilarity> = new Map([
  ['l2', 'l2_norm'],
  ['cosinesimil', 'cosine'],
  ['innerproduct', 'max_inner_product'],
]);
const SPACE_DEFAULT = 'l2';
const METHODS: readonly string[] = ['hnsw', 'ivf'];
const ENGINES: readonly string[] = ['lucene', 'faiss', 'nmslib'];
const EXACT = 'every vector is compared as it is, whatever structure is asked for';

/** Rule of `method`: only its space changes answers. */
const METHOD: ParameterRule = { kind: 'parsed', otherwise: null, change: 'never', parse: readMethod };

function readMethod(value: unknown): unknown {
  const method = asObject(value);
  if (method === null) throw mapperParsing('unable to parse [method]');
  for (const [key, given] of Object.entries(method)) {
    if (key === 'name') checkOneOf('method', given, METHODS);
    else if (key === 'engine') checkOneOf('engine', given, ENGINES);
    else if (key === 'space_type') checkOneOf('space type', given, [...SPACES.keys()]);
    else if (key !== 'parameters') throw mapperParsing(`Invalid parameter for [method]: ${key}`);
  }
  return method;
}

function checkOneOf(what: string, given: unknown, known: readonly string[]): void {
  if (known.includes(String(given))) return;
  throw mapperParsing(`the ${what} [${String(given)}] is not supported by this server: it has [${known.join(', ')}]`);
}

export const KNN_VECTOR: DeclaredType = {
  parameters: new Map<string, ParameterRule>([
    ['dimension', { kind: 'integer', otherwise: null, min: Number.MIN_SAFE_INTEGER, change: 'never' }],
    ['method', METHOD],
    ['space_type', choice(SPACE_DEFAULT, [...SPACES.keys()])],
    ['data_type', choice('float', ['float', 'byte'])],
    ['mode', withoutEffect('in_memory', ['in_memory', 'on_disk'], EXACT)],
    ['compression_level', withoutEffect('1x', ['1x', '2x', '4x', '8x', '16x', '32x'], EXACT)],
    ['doc_values', flag(true)],
    ['meta', META],
  ]),
  isWhole: (value) => Array.isArray(value),
  check: (name, json) => {
    const dimension = own(json, 'dimension');
    if (dimension === undefined || dimension === null) {
      throw mapperParsing(`Dimension value missing for vector: ${name}`);
    }
    if (Number(dimension) >= 1 && Number(dimension) <= DIMENSION_MAX) return;
    throw mapperParsing(
      `Dimension value must be greater than 0 and at most [${DIMENSION_MAX}] for vector: ${name}, but was [${String(dimension)}]`,
    );
  },
  settings: (value) => {
    const space = own(asObject(value('method')) ?? {}, 'space_type') ?? value('space_type');
    return {
      ...NO_SETTINGS,
      dims: Number(value('dimension')),
      vectors: {
        similarity: SPACES.get(String(space)) ?? 'l2_norm',
        checksLength: false,
        isByte: value('data_type') === 'byte',
      },
    };
  },
  storedValue: (value) => value,
};
