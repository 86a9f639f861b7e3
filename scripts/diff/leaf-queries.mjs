/**
 * Queries of one field that look at terms, values or places.
 */

/** Options that most queries share. */
const common = (r) => r.options({ boost: [0.15, () => r.boost()], _name: [0.05, () => r.name()] });

function term(r) {
  const field = r.field('keyword', 'number', 'date', 'ip', 'boolean', 'text', 'range');
  const value = r.value(field);
  if (r.chance(0.3)) return { term: { [field.path]: value } };
  const cases = field.type === 'keyword' && r.chance(0.2) ? { case_insensitive: r.chance(0.8) } : {};
  return { term: { [field.path]: { value, ...cases, ...common(r) } } };
}

function terms(r) {
  const field = r.field('keyword', 'number', 'date', 'ip', 'text', 'boolean');
  if (r.chance(0.12)) {
    const document = r.document();
    const routing = document.routing === undefined ? {} : { routing: document.routing };
    return {
      terms: { [field.path]: { index: r.target.index, id: document.id, path: field.from, ...routing }, ...common(r) },
    };
  }
  return { terms: { [field.path]: r.list(0, 5, () => r.value(field)), ...common(r) } };
}

function dateBound(r, field) {
  if (r.chance(0.5) && field.values.length > 0 && field.type !== 'date_range') return r.pick(field.values);
  if (field.field.format !== undefined) return r.pick(field.values);
  const day = r.isoTime().slice(0, 10);
  const rounding = r.pick(['/d', '/M', '/y', '/w', '/h', '+1M/M', '-3d', '+1y-1M/d', '+36h', '']);
  return r.pick([`${day}||${rounding}`, day, r.isoTime(), day.slice(0, 7), day.slice(0, 4), Date.parse(day)]);
}

function rangeBound(r, field) {
  if (/date/.test(field.type)) return dateBound(r, field);
  const value = r.value(field);
  return typeof value === 'number' && r.chance(0.2) ? value + 0.5 : value;
}

function range(r) {
  const field = r.field('number', 'number', 'date', 'date', 'ip', 'keyword', 'range');
  const body = {};
  if (r.chance(0.8)) body[r.pick(['gte', 'gt', 'from'])] = rangeBound(r, field);
  if (r.chance(0.7)) body[r.pick(['lte', 'lt', 'to'])] = rangeBound(r, field);
  if (/date/.test(field.type)) Object.assign(body, r.options({ time_zone: [0.25, () => r.zone()] }));
  if (field.type === 'date' && field.field.format === undefined && r.chance(0.1)) {
    Object.assign(body, { format: 'dd.MM.yyyy||yyyy', gte: '05.03.2020', lte: r.pick(['2021', '01.01.2021']) });
    delete body.gt;
    delete body.lt;
    delete body.from;
    delete body.to;
  }
  if (/_range$/.test(field.type))
    Object.assign(body, r.options({ relation: [0.5, () => r.pick(['within', 'contains', 'intersects'])] }));
  return { range: { [field.path]: { ...body, ...common(r) } } };
}

function exists(r) {
  const { path } = r.pick(r.target.fields.filter(({ nested }) => nested === r.nested));
  return {
    exists: {
      field: r.chance(0.1) ? r.pick(['person', 'items', 'absent', 'relation', '_id', 'per*']) : path,
      ...common(r),
    },
  };
}

const ids = (r) => ({ ids: { values: r.list(0, 5, () => r.document().id), ...common(r) } });

function pattern(r, word) {
  const at = r.int(0, word.length);
  return r.pick([
    `${word.slice(0, at)}*`,
    `*${word.slice(at)}`,
    `${word.slice(0, 1)}*${word.slice(-1)}`,
    `${word.slice(0, Math.max(0, at - 1))}?${word.slice(at)}`,
    '*',
    word,
  ]);
}

const REWRITES = [
  'constant_score',
  'scoring_boolean',
  'constant_score_boolean',
  'top_terms_5',
  'top_terms_boost_3',
  'top_terms_blended_freqs_4',
];
const rewrite = (r) => r.options({ rewrite: [0.2, () => r.pick(REWRITES)] });
const cases = (r) => r.options({ case_insensitive: [0.25, () => r.chance(0.8)] });
const wordOf = (r, field) => (field.type === 'text' ? r.word(field).toLowerCase() : String(r.value(field)));

function wildcard(r) {
  const field = r.field('keyword', 'text');
  const value = pattern(r, wordOf(r, field));
  if (r.chance(0.2)) return { wildcard: { [field.path]: value } };
  return {
    wildcard: { [field.path]: { [r.pick(['value', 'wildcard'])]: value, ...cases(r), ...rewrite(r), ...common(r) } },
  };
}

function prefix(r) {
  const field = r.field('keyword', 'text');
  const word = wordOf(r, field);
  const value = word.slice(0, r.int(0, 4));
  if (r.chance(0.2)) return { prefix: { [field.path]: value } };
  return { prefix: { [field.path]: { value, ...cases(r), ...rewrite(r), ...common(r) } } };
}

function expression(r, word) {
  const escaped = word.replaceAll(/[^\p{L}\p{N}]/gu, (letter) => `\\${letter}`);
  const head = escaped.slice(0, r.int(1, 3)).replace(/\\$/, '');
  return r.pick([
    `${head}.*`,
    `.*${word.slice(-2).replaceAll(/[^\p{L}\p{N}]/gu, '.')}`,
    `${head}[a-m].*`,
    `(${escaped}|fox)`,
    `${head}.{1,4}`,
    `[^a]+`,
    `${head}.?.?.+`,
    escaped,
    '<1-30>',
    `~(${head}.*)`,
    `@&.*e`,
    '..(.)*',
  ]);
}

function regexp(r) {
  const field = r.field('keyword', 'text');
  const value = expression(r, wordOf(r, field));
  if (r.chance(0.2)) return { regexp: { [field.path]: value } };
  const flags = r.options({
    flags: [
      0.3,
      () => r.pick(['ALL', 'NONE', 'INTERVAL', 'COMPLEMENT|INTERVAL', 'INTERSECTION', 'ANYSTRING', 'EMPTY']),
    ],
    max_determinized_states: [0.1, () => r.pick([20000, 100])],
  });
  return { regexp: { [field.path]: { value, ...flags, ...cases(r), ...rewrite(r), ...common(r) } } };
}

function fuzzy(r) {
  const field = r.field('keyword', 'text');
  const value = r.misspelt(wordOf(r, field));
  const options = r.options({
    fuzziness: [0.6, () => r.fuzziness()],
    prefix_length: [0.3, () => r.int(0, 3)],
    max_expansions: [0.2, () => r.int(1, 60)],
    transpositions: [0.2, () => r.chance(0.5)],
  });
  return { fuzzy: { [field.path]: { value, ...options, ...rewrite(r), ...common(r) } } };
}

function termsSet(r) {
  const field = r.field('keyword', 'text');
  const needed = r.chance(0.5)
    ? { minimum_should_match_field: 'needed' }
    : {
        minimum_should_match_script: { source: r.pick(['params.num_terms - 1', 'Math.min(params.num_terms, 2)', '1']) },
      };
  return { terms_set: { [field.path]: { terms: r.list(1, 5, () => r.value(field)), ...needed, ...common(r) } } };
}

function geoDistance(r) {
  const options = r.options({
    distance_type: [0.2, () => r.pick(['arc', 'plane'])],
    validation_method: [0.1, () => r.pick(['STRICT', 'COERCE', 'IGNORE_MALFORMED'])],
    ignore_unmapped: [0.05, () => true],
  });
  return {
    geo_distance: { distance: r.distance(), [r.field('geo').path]: r.writtenPoint(), ...options, ...common(r) },
  };
}

function geoBoundingBox(r) {
  const [one, two] = [r.point(), r.point()];
  const [top, bottom] = [Math.max(one.lat, two.lat), Math.min(one.lat, two.lat)];
  const [left, right] = r.chance(0.9) ? [Math.min(one.lon, two.lon), Math.max(one.lon, two.lon)] : [one.lon, two.lon];
  const box = r.pick([
    { top_left: { lat: top, lon: left }, bottom_right: { lat: bottom, lon: right } },
    { top, left, bottom, right },
    { wkt: `BBOX (${left}, ${right}, ${top}, ${bottom})` },
    { top_right: `${top},${right}`, bottom_left: [left, bottom] },
  ]);
  const options = r.options({
    type: [0.1, () => r.pick(['memory', 'indexed'])],
    validation_method: [0.1, () => 'STRICT'],
  });
  return { geo_bounding_box: { [r.field('geo').path]: box, ...options, ...common(r) } };
}

const geoPolygon = (r) => ({
  geo_polygon: { [r.field('geo').path]: { points: r.list(3, 6, () => r.writtenPoint()) }, ...common(r) },
});

/** Shapes that points may lie in. */
function geoShape(r) {
  const [one, two] = [r.point(), r.point()];
  const [left, right] = [Math.min(one.lon, two.lon), Math.max(one.lon, two.lon) + 0.5];
  const [bottom, top] = [Math.min(one.lat, two.lat), Math.max(one.lat, two.lat) + 0.5];
  const ring = [
    [left, bottom],
    [right, bottom],
    [right, top],
    [left, top],
    [left, bottom],
  ];
  const shape = r.pick([
    {
      type: 'envelope',
      coordinates: [
        [left, top],
        [right, bottom],
      ],
    },
    { type: 'polygon', coordinates: [ring] },
    { type: 'MultiPolygon', coordinates: [[ring]] },
    `POLYGON ((${ring.map((point) => point.join(' ')).join(', ')}))`,
    { type: 'point', coordinates: ring[0] },
  ]);
  const options = r.options({ relation: [0.4, () => r.pick(['intersects', 'within', 'disjoint', 'contains'])] });
  return { geo_shape: { [r.field('geo').path]: { shape, ...options }, ...common(r) } };
}

function distanceFeature(r) {
  const field = r.field('date', 'geo');
  const isGeo = field.type === 'geo_point';
  const origin = isGeo ? r.writtenPoint() : field.field.format === undefined ? r.isoTime() : r.pick(field.values);
  return {
    distance_feature: {
      field: field.path,
      origin,
      pivot: isGeo ? r.distance() : r.pick(['7d', '12h', '100d']),
      ...common(r),
    },
  };
}

function rankFeature(r) {
  const field =
    r.chance(0.3) && r.has('rankFeatures')
      ? `topics.${r.pick(['cyan', 'magenta', 'absent'])}`
      : r.field('rankFeature').path;
  const shape = r.pick([
    {},
    { saturation: {} },
    { saturation: { pivot: 8 } },
    { log: { scaling_factor: 4 } },
    { sigmoid: { pivot: 7, exponent: 0.6 } },
    { linear: {} },
  ]);
  return { rank_feature: { field, ...shape, ...common(r) } };
}

const SCRIPTS = [
  "doc['n'].size() > 0 && doc['n'].value > params.a",
  "doc['kind'].size() != 0 && doc['kind'].value.length() > 3",
  "doc['at'].size() > 0 && doc['at'].value.getMonthValue() > 6",
  "doc['place'].size() > 0 && doc['place'].lat > 50",
  "doc['price'].size() > 0 ? doc['price'].value % 2 < 1 : false",
];
const script = (r) => ({ script: { script: { source: r.pick(SCRIPTS), params: { a: r.int(0, 100) } }, ...common(r) } });

function percolate(r) {
  const document = () => ({
    title: r.words(
      r.target.fields.find(({ path }) => path === 'title'),
      1,
      6,
    ),
    kind: r.pick(['book', 'film']),
    n: r.int(0, 120),
  });
  const given = r.pick([
    () => ({ document: document() }),
    () => ({ documents: r.list(1, 3, document) }),
    () => {
      const { id, routing } = r.document();
      return { index: r.target.index, id, ...(routing === undefined ? {} : { routing }) };
    },
  ])();
  return { percolate: { field: 'stored_query', ...given, ...common(r) } };
}

/** Words of a text, documents of the index, or documents that are in none. */
function liked(r, texts) {
  return r.weighted([
    [3, () => r.words(r.pick(texts), 3, 12)],
    [
      3,
      () => {
        const { id, routing } = r.document();
        return { _index: r.target.index, _id: id, ...(routing === undefined ? {} : { routing }) };
      },
    ],
    [1, () => ({ _index: r.target.index, doc: { [r.pick(texts).path]: r.words(r.pick(texts), 3, 12) } })],
  ])();
}

function moreLikeThis(r) {
  const texts = r.target.of('text');
  const like = () => liked(r, texts);
  const options = r.options({
    fields: [
      0.9,
      () =>
        r.some(
          [...texts, ...r.target.of('keyword')].map(({ path }) => path),
          1,
          3,
        ),
    ],
    unlike: [0.15, like],
    max_query_terms: [0.4, () => r.int(1, 30)],
    min_term_freq: [0.7, () => r.int(1, 2)],
    min_doc_freq: [0.6, () => r.int(1, 8)],
    max_doc_freq: [0.1, () => r.int(20, 400)],
    min_word_length: [0.2, () => r.int(1, 5)],
    max_word_length: [0.1, () => r.int(4, 9)],
    stop_words: [0.1, () => ['the', 'fox', 'library']],
    analyzer: [0.1, () => r.analyzer()],
    minimum_should_match: [0.4, () => r.minimumShouldMatch()],
    boost_terms: [0.2, () => r.pick([1, 2.5])],
    include: [0.2, () => r.chance(0.6)],
    fail_on_unsupported_field: [0.1, () => r.chance(0.5)],
  });
  return { more_like_this: { like: r.chance(0.7) ? like() : r.list(1, 3, like), ...options, ...common(r) } };
}

/** Fields that every document has of its own. */
function metadata(r) {
  const { id, routing = id } = r.document();
  return r.pick([
    () => ({ term: { _id: id } }),
    () => ({ terms: { _id: [id, r.document().id, 'absent'] } }),
    () => ({ term: { _index: r.pick([r.target.index, 'absent']) } }),
    () => ({ terms: { _index: [r.target.index, 'absent'] } }),
    () => ({ prefix: { _index: r.target.index.slice(0, 4) } }),
    () => ({ wildcard: { _index: r.pick(['d*', '*mixed', 'x*']) } }),
    () => ({ term: { _routing: routing } }),
    () => ({ exists: { field: '_routing' } }),
    () => ({ exists: { field: r.pick(['_source', '_id', '_index', '_seq_no', '_version', '_ignored']) } }),
    () => ({ range: { _seq_no: { gte: r.int(0, 500), lt: r.int(100, 900) } } }),
    () => ({ term: { _seq_no: r.int(0, 900) } }),
    () => ({ term: { _ignored: 'homepage' } }),
    () => ({ match: { _id: id } }),
    () => ({ prefix: { _id: 'd1' } }),
    () => ({ query_string: { query: r.pick([`_id:${id}`, '_index:d*', `_routing:${routing}`, '_exists_:_routing']) } }),
  ])();
}

/** By the name of the query: weight, what it needs, and its generator. */
export const LEAF_QUERIES = {
  term: { weight: 3, needs: 'keyword', make: term },
  terms: { weight: 3, needs: 'keyword', make: terms },
  range: { weight: 4, needs: 'keyword', make: range },
  exists: { weight: 1, needs: 'keyword', make: exists },
  ids: { weight: 1, needs: 'keyword', make: ids },
  wildcard: { weight: 2, needs: 'keyword', make: wildcard },
  prefix: { weight: 2, needs: 'keyword', make: prefix },
  regexp: { weight: 2, needs: 'keyword', make: regexp },
  fuzzy: { weight: 2, needs: 'keyword', make: fuzzy },
  terms_set: { weight: 1, needs: 'rankFeatures', make: termsSet },
  geo_distance: { weight: 1, needs: 'geo', make: geoDistance },
  geo_bounding_box: { weight: 1, needs: 'geo', make: geoBoundingBox },
  geo_polygon: { weight: 0.5, needs: 'geo', make: geoPolygon },
  geo_shape: { weight: 0.7, needs: 'geo', make: geoShape },
  distance_feature: { weight: 1, needs: 'geo', make: distanceFeature },
  rank_feature: { weight: 1, needs: 'rankFeature', make: rankFeature },
  script: { weight: 0.7, needs: 'rankFeature', make: script },
  percolate: { weight: 0.7, needs: 'rankFeature', make: percolate },
  more_like_this: { weight: 1, needs: 'text', make: moreLikeThis },
  metadata: { weight: 0.7, needs: 'keyword', make: metadata },
};
