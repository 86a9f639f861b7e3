/**
 * Documents for the costlier features of a search, and classes of requests that use them: nested objects, relations, places,
 * suggestions, scripts, hits inside buckets, percolated queries.
 */
import { randomFrom, zipfDocuments } from './zipf-corpus.mjs';

export const SHOP = 'bench-shop';
export const ALERTS = 'bench-alerts';

const TITLE_WORDS = 8;
const OFFERS = 3;
const SELLERS = 200;
const CATEGORIES = 40;
const ANSWERS_EACH = 2;
const QUESTIONS = 0.2;
const START_MS = Date.UTC(2024, 0, 1);
const YEAR_MS = 365 * 86_400_000;
const BULK_DOCS = 1_000;
/** Different requests of a class, so that no cache answers. */
const BODIES = 50;

export const SHOP_MAPPING = {
  properties: {
    title: { type: 'text' },
    category: { type: 'keyword' },
    price: { type: 'double' },
    at: { type: 'date' },
    place: { type: 'geo_point' },
    offers: { type: 'nested', properties: { seller: { type: 'keyword' }, price: { type: 'double' } } },
    suggest: { type: 'completion' },
    relation: { type: 'join', relations: { question: 'answer' } },
  },
};
export const ALERTS_MAPPING = {
  properties: {
    query: { type: 'percolator' },
    title: { type: 'text' },
    category: { type: 'keyword' },
    price: { type: 'double' },
  },
};

/** `shop`: bodies of bulk requests; `alerts`: those of stored queries; `words`: of the titles. */
export function makeFeatureCorpus(docCount) {
  const random = randomFrom(7);
  const words = new Set();
  const lines = [];
  let id = 0;
  for (const text of zipfDocuments(docCount)) {
    const title = text.slice(0, TITLE_WORDS);
    for (const word of title) words.add(word);
    lines.push(action(String(id)), shopDocument(title, random, id));
    // Answers stand on the shard of their question, which has one routing for all.
    if (id < docCount * QUESTIONS) {
      for (let i = 0; i < ANSWERS_EACH; i++) {
        const answer = { price: round(random() * 100), relation: { name: 'answer', parent: String(id) } };
        lines.push(action(`${id}-${i}`, String(id)), JSON.stringify(answer));
      }
    }
    id++;
  }
  const known = [...words];
  const alerts = Array.from({ length: Math.max(100, docCount / 20) }, (_, i) => [
    action(String(i)),
    JSON.stringify({ query: alertQuery(known, random) }),
  ]).flat();
  return { shop: bulks(lines), alerts: bulks(alerts), words: known };
}

function shopDocument(title, random, id) {
  return JSON.stringify({
    title: title.join(' '),
    category: `c${Math.trunc(CATEGORIES * random() ** 2)}`,
    price: round(Math.exp(6 * random())),
    at: START_MS + Math.trunc(YEAR_MS * random()),
    place: { lat: round(120 * random() - 60), lon: round(360 * random() - 180) },
    offers: Array.from({ length: OFFERS }, () => ({ seller: seller(random), price: round(1_000 * random()) })),
    suggest: { input: title.slice(0, 3).join(' '), weight: Math.trunc(100 * random()) },
    relation: id % 2 === 0 ? 'question' : { name: 'question' },
  });
}

function alertQuery(words, random) {
  return {
    bool: {
      must: [{ match: { title: pick(words, random) } }],
      filter: [
        { range: { price: { lt: round(1_000 * random()) } } },
        { term: { category: `c${Math.trunc(CATEGORIES * random())}` } },
      ],
    },
  };
}

const round = (number) => Math.round(number * 100) / 100;
const pick = (list, random) => list[Math.trunc(list.length * random())];
const seller = (random) => `s${Math.trunc(SELLERS * random())}`;
const action = (id, routing) => JSON.stringify({ index: { _id: id, ...(routing === undefined ? {} : { routing }) } });

function bulks(lines) {
  const step = 2 * BULK_DOCS;
  return Array.from(
    { length: Math.ceil(lines.length / step) },
    (_, i) => `${lines.slice(i * step, (i + 1) * step).join('\n')}\n`,
  );
}

const script = (source, params = {}) => ({ source, lang: 'painless', params });

/** Classes by name: of the index they ask, and bodies that differ. */
export function featureRequests(words) {
  const random = randomFrom(11);
  const word = () => pick(words, random);
  const place = () => ({ lat: round(100 * random() - 50), lon: round(340 * random() - 170) });
  const misspelled = () => {
    const text = word();
    return `${text.slice(0, 1)}${text.slice(2)}x`;
  };
  const inOffers = (query) => ({ nested: { path: 'offers', query } });
  const box = () => {
    const { lat, lon } = place();
    return { top_left: { lat: lat + 5, lon: lon - 5 }, bottom_right: { lat: lat - 5, lon: lon + 5 } };
  };
  const classes = {
    'nested query': () => ({
      query: inOffers({
        bool: { filter: [{ term: { 'offers.seller': seller(random) } }, { range: { 'offers.price': { lt: 500 } } }] },
      }),
    }),
    'nested, inner hits': () => ({
      query: { nested: { path: 'offers', query: { term: { 'offers.seller': seller(random) } }, inner_hits: {} } },
    }),
    'nested sort': () => ({
      query: { match: { title: word() } },
      sort: [{ 'offers.price': { order: 'asc', nested: { path: 'offers' } } }],
    }),
    'nested, terms within': () => ({
      size: 0,
      query: { term: { category: `c${Math.trunc(CATEGORIES * random())}` } },
      aggs: { o: { nested: { path: 'offers' }, aggs: { s: { terms: { field: 'offers.seller' } } } } },
    }),
    has_child: () => ({
      query: { has_child: { type: 'answer', query: { range: { price: { lt: round(20 * random()) } } } } },
    }),
    geo_distance: () => ({ query: { geo_distance: { distance: '500km', place: place() } } }),
    geo_bounding_box: () => ({ query: { geo_bounding_box: { place: box() } } }),
    'geo sort': () => ({
      query: { match: { title: word() } },
      sort: [{ _geo_distance: { place: place(), order: 'asc' } }],
    }),
    geohash_grid: () => ({
      size: 0,
      query: { range: { price: { gte: round(100 * random()) } } },
      aggs: { g: { geohash_grid: { field: 'place', precision: 3 } } },
    }),
    'top_hits in terms': () => ({
      size: 0,
      query: { range: { price: { gte: round(100 * random()) } } },
      aggs: {
        c: {
          terms: { field: 'category', size: 10 },
          aggs: { h: { top_hits: { size: 3, sort: [{ price: 'desc' }] } } },
        },
      },
    }),
    completion: () => ({ suggest: { s: { prefix: word().slice(0, 3), completion: { field: 'suggest', size: 5 } } } }),
    'completion, fuzzy': () => ({
      suggest: { s: { prefix: word().slice(0, 5), completion: { field: 'suggest', fuzzy: {} } } },
    }),
    'term suggester': () => ({ size: 0, suggest: { s: { text: misspelled(), term: { field: 'title' } } } }),
    'phrase suggester': () => ({
      size: 0,
      suggest: { s: { text: `${word()} ${misspelled()} ${word()}`, phrase: { field: 'title' } } },
    }),
    script_score: () => ({
      query: {
        script_score: {
          query: { range: { price: { gte: round(100 * random()) } } },
          script: script("Math.log(2 + doc['price'].value) * params.f", { f: round(random()) }),
        },
      },
    }),
    'script query': () => ({
      query: {
        bool: {
          filter: [{ script: { script: script("doc['price'].value > params.p", { p: round(400 * random()) }) } }],
        },
      },
    }),
    'script sort': () => ({
      query: { range: { price: { gte: round(100 * random()) } } },
      sort: {
        _script: {
          type: 'number',
          order: 'desc',
          script: script("doc['price'].value % params.m", { m: 7 + Math.trunc(50 * random()) }),
        },
      },
    }),
    function_score: () => ({
      query: {
        function_score: {
          query: { match: { title: word() } },
          functions: [
            { gauss: { place: { origin: place(), scale: '1000km' } } },
            { field_value_factor: { field: 'price', modifier: 'log1p' } },
          ],
        },
      },
    }),
    highlight: () => ({ query: { match: { title: `${word()} ${word()}` } }, highlight: { fields: { title: {} } } }),
  };
  const all = Object.entries(classes).map(([name, make]) => [name, SHOP, Array.from({ length: BODIES }, make)]);
  const percolate = () => ({
    query: {
      percolate: {
        field: 'query',
        document: {
          title: Array.from({ length: TITLE_WORDS }, word).join(' '),
          category: 'c1',
          price: round(500 * random()),
        },
      },
    },
  });
  return [...all, ['percolate', ALERTS, Array.from({ length: BODIES }, percolate)]];
}
