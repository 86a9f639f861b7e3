/**
 * Documents with a field of every type, made from a seed: several values, nulls, missing and empty ones, whole numbers beyond
 * 2^53, nested objects in nested objects, parents and children, stored queries, letters of many scripts.
 */
import { Random } from './random.mjs';

const WORDS =
  `the quick brown fox jumps over lazy dog river bank green tree stone bridge library shared editor text server
client engine search index shard node cluster data query filter score term phrase prefix suffix wild card fuzzy café naïve
straße Ünïcode поиск 検索 دیتا running runs ran runner can't won't e-mail foo_bar 3d mp3 v2.0 192 alpha beta gamma delta
epsilon zeta eta theta iota kappa lambda a of and or not to in is it for with`.split(/\s+/);
const TAGS = [
  'red',
  'green',
  'blue',
  'Dark Red',
  'x-ray',
  'naïve',
  'ключ',
  'a/b',
  'zero',
  'RED',
  'été',
  'long tag name',
];
const KINDS = ['book', 'film', 'song', 'game'];
const NAMES = ['anna', 'Bob', 'carol', 'dave', 'Eve', 'frank'];
const COLOURS = ['cyan', 'magenta', 'yellow', 'black'];
const FIRST_DAY = Date.UTC(2019, 0, 1);
const DAYS = 1100;
const DAY_MS = 86_400_000;

export const MIXED_MAPPING = {
  properties: {
    title: {
      type: 'text',
      fields: {
        raw: { type: 'keyword', ignore_above: 60 },
        en: { type: 'text', analyzer: 'english' },
        typed: { type: 'search_as_you_type' },
      },
    },
    body: { type: 'text', term_vector: 'with_positions_offsets' },
    brief: { type: 'text', index_options: 'offsets', norms: false, fielddata: true },
    words: { type: 'token_count', analyzer: 'standard' },
    tags: { type: 'keyword' },
    kind: { type: 'keyword' },
    code: { type: 'keyword', normalizer: 'lowercase' },
    kept: { type: 'keyword', store: true, null_value: 'none' },
    n: { type: 'integer' },
    big: { type: 'long' },
    price: { type: 'double' },
    tiny: { type: 'byte' },
    single: { type: 'float' },
    half: { type: 'half_float' },
    scaled: { type: 'scaled_float', scaling_factor: 100 },
    flag: { type: 'boolean' },
    at: { type: 'date' },
    day: { type: 'date', format: 'yyyy/MM/dd||epoch_second' },
    instant: { type: 'date_nanos' },
    address: { type: 'ip' },
    place: { type: 'geo_point' },
    window: { type: 'integer_range' },
    period: { type: 'date_range' },
    networks: { type: 'ip_range' },
    rank: { type: 'rank_feature' },
    cost: { type: 'rank_feature', positive_score_impact: false },
    topics: { type: 'rank_features' },
    needed: { type: 'integer' },
    items: {
      type: 'nested',
      properties: {
        name: { type: 'keyword' },
        note: { type: 'text' },
        count: { type: 'integer' },
        on: { type: 'date' },
        parts: { type: 'nested', properties: { colour: { type: 'keyword' }, weight: { type: 'float' } } },
      },
    },
    person: { properties: { first: { type: 'keyword' }, age: { type: 'short' } } },
    also: { type: 'alias', path: 'person.first' },
    relation: { type: 'join', relations: { question: ['answer', 'remark'], answer: 'vote' } },
    stored_query: { type: 'percolator' },
    blob: { type: 'binary', doc_values: true },
    completion: { type: 'completion' },
  },
};

const maybe = (r, probability, make) => (r.chance(probability) ? make() : undefined);
const oneOrMore = (r, make) => (r.chance(0.7) ? make() : r.list(0, 4, make));
const text = (r, low, high) => r.list(low, high, () => WORDS[r.zipf(WORDS.length)]).join(r.chance(0.1) ? ', ' : ' ');
const isoTime = (r) => new Date(FIRST_DAY + r.int(0, DAYS * DAY_MS)).toISOString();
const point = (r) => ({ lat: r.int(-8900, 8900) / 100, lon: r.int(-17900, 17900) / 100 });

function writtenPoint(r) {
  const { lat, lon } = r.chance(0.5) ? { lat: 48 + r.int(0, 400) / 100, lon: 2 + r.int(0, 900) / 100 } : point(r);
  return r.pick([{ lat, lon }, `${lat},${lon}`, [lon, lat], `POINT (${lon} ${lat})`]);
}

function address(r) {
  return r.chance(0.7)
    ? `10.${r.int(0, 3)}.${r.int(0, 255)}.${r.int(0, 255)}`
    : `2001:db8::${r.int(0, 65535).toString(16)}`;
}

function bounds(r, make) {
  const [low, high] = [make(), make()].sort((a, b) => (a < b ? -1 : 1));
  return { [low === high ? 'gte' : r.pick(['gte', 'gt'])]: low, ...(r.chance(0.9) ? { lte: high } : {}) };
}

/** Whole, and beyond what a double holds: written as text by `exactJson`. */
const exactLong = (r) =>
  r.pick([
    BigInt(r.int(-1000, 1000)),
    9007199254740993n + BigInt(r.int(0, 9)),
    -9223372036854775807n + BigInt(r.int(0, 3)),
    9223372036854775807n - BigInt(r.int(0, 3)),
  ]);

function item(r) {
  return {
    name: oneOrMore(r, () => r.pick(NAMES)),
    note: maybe(r, 0.8, () => text(r, 1, 8)),
    count: maybe(r, 0.9, () => r.int(0, 20)),
    on: maybe(r, 0.7, () => isoTime(r)),
    parts: maybe(r, 0.6, () => r.list(1, 3, () => ({ colour: r.pick(COLOURS), weight: r.int(0, 400) / 8 }))),
  };
}

function storedQuery(r) {
  return r.pick([
    () => ({ match: { title: WORDS[r.zipf(WORDS.length)] } }),
    () => ({ term: { kind: r.pick(KINDS) } }),
    () => ({ range: { n: { gte: r.int(0, 100) } } }),
    () => ({ match_phrase: { title: `${WORDS[r.zipf(20)]} ${WORDS[r.zipf(20)]}` } }),
    () => ({
      bool: { must: [{ match: { title: WORDS[r.zipf(30)] } }], must_not: [{ term: { kind: r.pick(KINDS) } }] },
    }),
  ])();
}

function source(r) {
  return {
    title: maybe(r, 0.95, () => text(r, 1, 9)),
    body: maybe(r, 0.85, () => (r.chance(0.85) ? text(r, 5, 60) : r.list(1, 3, () => text(r, 3, 20)))),
    brief: maybe(r, 0.7, () => text(r, 1, 4)),
    words: maybe(r, 0.7, () => text(r, 1, 12)),
    tags: maybe(r, 0.85, () => oneOrMore(r, () => r.pick(TAGS))),
    kind: maybe(r, 0.95, () => r.pick(KINDS)),
    code: maybe(r, 0.8, () => `${r.pick(['Ab', 'aB', 'CD', 'é'])}${r.int(1, 40)}`),
    kept: maybe(r, 0.8, () => (r.chance(0.1) ? null : oneOrMore(r, () => r.pick(TAGS)))),
    n: maybe(r, 0.9, () => oneOrMore(r, () => r.int(-20, 120))),
    big: maybe(r, 0.8, () => oneOrMore(r, () => exactLong(r))),
    price: maybe(r, 0.9, () => r.int(0, 100_000) / 64),
    tiny: maybe(r, 0.8, () => r.int(-128, 127)),
    single: maybe(r, 0.8, () => r.int(-1000, 1000) / 10),
    half: maybe(r, 0.8, () => r.int(-100, 100) / 4),
    scaled: maybe(r, 0.8, () => r.int(0, 5000) / 100),
    flag: maybe(r, 0.8, () => r.pick([true, false, 'true', 'false', null])),
    at: maybe(r, 0.9, () => oneOrMore(r, () => isoTime(r))),
    day: maybe(r, 0.8, () => isoTime(r).slice(0, 10).replaceAll('-', '/')),
    instant: maybe(r, 0.8, () => isoTime(r).replace('Z', `${String(r.int(0, 999_999)).padStart(6, '0')}Z`)),
    address: maybe(r, 0.8, () => oneOrMore(r, () => address(r))),
    place: maybe(r, 0.8, () => (r.chance(0.9) ? writtenPoint(r) : r.list(2, 3, () => point(r)))),
    window: maybe(r, 0.7, () => bounds(r, () => r.int(0, 100))),
    period: maybe(r, 0.7, () => bounds(r, () => isoTime(r))),
    networks: maybe(r, 0.5, () => `10.${r.int(0, 3)}.0.0/${r.pick([12, 16, 20])}`),
    rank: maybe(r, 0.8, () => r.int(1, 1000) / 4),
    cost: maybe(r, 0.8, () => r.int(1, 1000) / 4),
    topics: maybe(r, 0.7, () => Object.fromEntries(r.some(COLOURS, 1, 3).map((name) => [name, r.int(1, 80) / 2]))),
    needed: maybe(r, 0.8, () => r.int(0, 4)),
    items: maybe(r, 0.6, () => r.list(1, 4, () => item(r))),
    person: maybe(r, 0.7, () => ({ first: r.pick(NAMES), age: r.int(1, 90) })),
    blob: maybe(r, 0.3, () => Buffer.from(WORDS[r.zipf(20)]).toString('base64')),
    stored_query: maybe(r, 0.15, () => storedQuery(r)),
    completion: maybe(r, 0.6, () =>
      r.chance(0.5) ? text(r, 1, 3) || 'a' : { input: r.list(1, 3, () => text(r, 1, 2)), weight: r.int(1, 30) },
    ),
  };
}

/** Whose child a document of a join is: `[relation, parent id, routing]`. */
function relation(r, id, joined) {
  const parents = (name) => joined.filter((one) => one.name === name);
  const [kind, of] = r.weighted([
    [3, ['question']],
    [3, ['answer', 'question']],
    [2, ['remark', 'question']],
    [1, ['vote', 'answer']],
  ]);
  const parent = of === undefined ? undefined : r.pick(parents(of));
  const made =
    parent === undefined
      ? { name: 'question', id, routing: id }
      : { name: kind, id, routing: parent.routing, parent: parent.id };
  joined.push(made);
  return made;
}

/** `count` documents as `{id, routing?, source}`. */
export function mixedDocuments(seed, count) {
  const r = new Random(seed);
  const joined = [];
  return Array.from({ length: count }, (_, number) => {
    const id = `d${number}`;
    const made = source(r);
    if (r.chance(0.4)) return { id, source: made };
    const { name, parent, routing } = relation(r, id, joined);
    made.relation = parent === undefined ? r.pick([name, { name }]) : { name, parent };
    return { id, source: made, ...(parent === undefined ? {} : { routing }) };
  });
}
