/**
 * Queries made of others, and the draw of any query.
 */
import { exactJson } from './exact-json.mjs';
import { LEAF_QUERIES } from './leaf-queries.mjs';
import { POSITIONAL_QUERIES } from './positional-queries.mjs';
import { TEXT_QUERIES } from './text-queries.mjs';

const common = (r) => r.options({ boost: [0.15, () => r.boost()], _name: [0.05, () => r.name()] });

function bool(r, depth) {
  const inner = () => drawQuery(r, depth - 1);
  const some = (most) => (r.chance(0.15) ? inner() : r.list(0, most, inner));
  const body = r.options({
    must: [0.5, () => some(2)],
    should: [0.6, () => some(3)],
    filter: [0.4, () => some(2)],
    must_not: [0.3, () => some(1)],
    minimum_should_match: [0.3, () => r.minimumShouldMatch()],
    adjust_pure_negative: [0.05, () => r.chance(0.5)],
  });
  return { bool: { ...body, ...common(r) } };
}

const MODES = ['multiply', 'sum', 'avg', 'first', 'max', 'min'];

function decay(r) {
  const field = r.field('number', 'date', 'geo');
  const isGeo = field.type === 'geo_point';
  const isDate = /date/.test(field.type);
  const scale = isGeo ? r.distance() : isDate ? r.pick(['30d', '12h', '200d']) : r.int(1, 200);
  const offset = isGeo ? '10km' : isDate ? '1d' : r.int(0, 20);
  const origin = isGeo ? r.writtenPoint() : isDate ? r.pick(field.values) : r.int(-100, 200);
  const shape = {
    origin,
    scale,
    ...r.options({ offset: [0.3, () => offset], decay: [0.3, () => r.pick([0.1, 0.33, 0.9])] }),
  };
  const mode = r.options({ multi_value_mode: [0.25, () => r.pick(['min', 'max', 'avg', 'sum'])] });
  return { [r.pick(['gauss', 'exp', 'linear'])]: { [field.path]: shape, ...mode } };
}

const SCORE_SCRIPTS = [
  '_score * 2',
  "doc['n'].size() == 0 ? 1 : Math.abs(doc['n'].value) + params.a",
  "saturation(doc['price'].size() == 0 ? 1 : doc['price'].value + 1, 10)",
  "sigmoid(doc['price'].size() == 0 ? 1 : doc['price'].value + 1, 2, 1)",
  "doc['at'].size() == 0 ? 0.5 : decayDateLinear('2020-01-01T00:00:00Z', '100d', '0', 0.5, doc['at'].value)",
  "doc['place'].size() == 0 ? 0 : decayGeoGauss('50,5', '300km', '0km', 0.5, doc['place'].value)",
  'Math.log(2 + _score) + params.a',
];
const scoreScript = (r) => ({ source: r.pick(SCORE_SCRIPTS), params: { a: r.int(0, 5) } });

function scoreFunction(r) {
  const kinds = [
    [2, () => decay(r)],
    [
      2,
      () => ({
        field_value_factor: {
          field: r.field('number').path,
          missing: r.int(0, 3),
          ...r.options({
            factor: [0.5, () => r.pick([0.5, 1.2, 3])],
            modifier: [0.5, () => r.pick(['none', 'log1p', 'log2p', 'ln1p', 'ln2p', 'square', 'sqrt'])],
          }),
        },
      }),
    ],
    [1, () => ({ random_score: { seed: r.int(0, 99), field: r.field('number').path } })],
    [1, () => ({ weight: r.pick([0, 0.5, 2, 10]) })],
    [r.target.has('rankFeature') ? 1 : 0, () => ({ script_score: { script: scoreScript(r) } })],
  ];
  return r.weighted(kinds)();
}

function functionScore(r, depth) {
  const one = () => {
    const made = scoreFunction(r);
    return {
      ...made,
      ...r.options({
        filter: [0.5, () => drawQuery(r, 0)],
        ...(made.weight === undefined ? { weight: [0.3, () => r.pick([0.5, 2])] } : {}),
      }),
    };
  };
  const options = r.options({
    query: [0.7, () => drawQuery(r, depth - 1)],
    score_mode: [0.4, () => r.pick(MODES)],
    boost_mode: [0.4, () => r.pick(['multiply', 'replace', 'sum', 'avg', 'max', 'min'])],
    max_boost: [0.15, () => r.pick([1, 2, 50])],
    min_score: [0.15, () => r.pick([0.5, 1, 2])],
  });
  const functions = r.chance(0.25) ? scoreFunction(r) : { functions: r.list(0, 3, one) };
  return { function_score: { ...options, ...functions, ...common(r) } };
}

const boosting = (r, depth) => ({
  boosting: {
    positive: drawQuery(r, depth - 1),
    negative: drawQuery(r, depth - 1),
    negative_boost: r.pick([0.2, 0.5, 0, 1]),
    ...common(r),
  },
});
const constantScore = (r, depth) => ({ constant_score: { filter: drawQuery(r, depth - 1), ...common(r) } });
const disMax = (r, depth) => ({
  dis_max: {
    queries: r.list(1, 3, () => drawQuery(r, depth - 1)),
    ...r.options({ tie_breaker: [0.5, () => r.pick([0, 0.3, 0.7, 1])] }),
    ...common(r),
  },
});

const SCORE_MODES = ['avg', 'sum', 'min', 'max', 'none'];
export const innerHits = (r) =>
  r.options({
    inner_hits: [
      0.25,
      () =>
        r.options({
          size: [0.4, () => r.int(0, 4)],
          from: [0.2, () => r.int(0, 2)],
          _source: [0.2, () => r.pick([false, true])],
          name: [0.5, () => `hits${r.int(0, 999_999)}`],
          version: [0.1, () => true],
          seq_no_primary_term: [0.1, () => true],
          explain: [0.05, () => true],
        }),
    ],
  });

function nested(r, depth) {
  const inside = r.target.nestedPaths.filter((path) => r.nested === null || path.startsWith(`${r.nested}.`));
  if (inside.length === 0) return drawQuery(r, 0);
  const path = r.pick(inside);
  const query = r.within(path, () => drawQuery(r, depth - 1));
  const options = r.options({ score_mode: [0.5, () => r.pick(SCORE_MODES)], ignore_unmapped: [0.05, () => true] });
  return { nested: { path, query, ...options, ...innerHits(r), ...common(r) } };
}

function joined(r, depth) {
  if (!r.target.has('rankFeature') || r.nested !== null) return drawQuery(r, 0);
  const query = drawQuery(r, depth - 1);
  return r.weighted([
    [
      3,
      () => ({
        has_child: {
          type: r.pick(['answer', 'remark', 'vote']),
          query,
          ...r.options({
            score_mode: [0.5, () => r.pick(SCORE_MODES)],
            min_children: [0.2, () => r.int(1, 2)],
            max_children: [0.2, () => r.int(1, 4)],
          }),
          ...innerHits(r),
          ...common(r),
        },
      }),
    ],
    [
      2,
      () => ({
        has_parent: {
          parent_type: r.pick(['question', 'answer']),
          query,
          ...r.options({ score: [0.5, () => r.chance(0.7)] }),
          ...innerHits(r),
          ...common(r),
        },
      }),
    ],
    [1, () => ({ parent_id: { type: r.pick(['answer', 'remark', 'vote']), id: r.document().id, ...common(r) } })],
  ])();
}

function scriptScore(r, depth) {
  if (!r.target.has('rankFeature')) return drawQuery(r, 0);
  return {
    script_score: {
      query: drawQuery(r, depth - 1),
      script: scoreScript(r),
      ...r.options({ min_score: [0.2, () => r.pick([0.5, 2])] }),
      ...common(r),
    },
  };
}

const wrapper = (r, depth) => ({
  wrapper: { query: Buffer.from(exactJson(drawQuery(r, depth - 1))).toString('base64') },
});

/** By the name of the query: weight and its generator, which may draw queries `depth - 1` deep. */
const COMPOUND_QUERIES = {
  bool: { weight: 7, make: bool },
  function_score: { weight: 3, make: functionScore },
  boosting: { weight: 1, make: boosting },
  constant_score: { weight: 1, make: constantScore },
  dis_max: { weight: 1.5, make: disMax },
  nested: { weight: 3, make: nested },
  join: { weight: 2, make: joined },
  script_score: { weight: 1, make: scriptScore },
  wrapper: { weight: 0.3, make: wrapper },
};

const LEAVES = Object.entries({ ...LEAF_QUERIES, ...TEXT_QUERIES, ...POSITIONAL_QUERIES });
const COMPOUNDS = Object.entries(COMPOUND_QUERIES);
/** Kinds of all queries, for a driver that wants one of each. */
export const QUERY_KINDS = [...LEAVES, ...COMPOUNDS].map(([name]) => name);

/** A query of the named kind; another when the index has no field for it. */
export function queryOfKind(r, kind, depth) {
  const compound = COMPOUND_QUERIES[kind];
  if (compound !== undefined) return compound.make(r, depth);
  const [, leaf] = LEAVES.find(([name]) => name === kind);
  return r.has(leaf.needs) ? leaf.make(r) : drawQuery(r, 0);
}

/** Any query, with others inside it at most `depth` deep. */
export function drawQuery(r, depth) {
  if (r.chance(0.03)) return r.pick([{ match_all: {} }, { match_all: { boost: 2 } }, { match_none: {} }]);
  const leaves = LEAVES.filter(([, { needs }]) => r.has(needs)).map(([, { weight, make }]) => [weight, make]);
  const compounds = depth > 0 ? COMPOUNDS.map(([, { weight, make }]) => [weight, make]) : [];
  return r.weighted([...leaves, ...compounds])(r, depth);
}
