/**
 * Requests of a program that were written wrong, and some that were written right: what the compiler must refuse and let pass.
 *
 * Each stands in a module of its own after `PRELUDE`, so that one error hides no other.
 */

/** Head of every module: a client of the index of `shop-mapping.json`. */
export const PRELUDE = `import { shopClient, type ShopDocument } from './shop.ts';
const shop = shopClient({ node: 'http://127.0.0.1:9200' });
`;

/** What is wrong in each: the mistakes that people make. */
export const WRONG: Readonly<Record<string, string>> = {
  'a misspelled field of a term': `shop.search({ query: { term: { brnad: 'acme' } } });`,
  'a misspelled field beside a right one': `shop.search({ query: { bool: { filter: [{ term: { brand: 'acme' } }, { range: { prize: { gte: 1 } } }] } } });`,
  'a misspelled field of an object': `shop.search({ query: { term: { 'maker.nmae': 'acme' } } });`,
  'a multi-field that is not there': `shop.search({ query: { term: { 'title.raw': 'x' } } });`,
  'a query that does not exist': `shop.search({ query: { trem: { brand: 'acme' } } });`,
  'a misspelled member of bool': `shop.search({ query: { bool: { filters: [{ term: { brand: 'acme' } }] } } });`,
  'a misspelled option of match': `shop.search({ query: { match: { title: { query: 'lamp', operater: 'and' } } } });`,
  'an operator that does not exist': `shop.search({ query: { match: { title: { query: 'lamp', operator: 'both' } } } });`,
  'a text for a number': `shop.search({ query: { term: { price: 'cheap' } } });`,
  'a number for a keyword': `shop.search({ query: { term: { brand: 5 } } });`,
  'a text for a boolean': `shop.search({ query: { term: { active: 'yes' } } });`,
  'a range with a bound that does not exist': `shop.search({ query: { range: { price: { from_: 1 } } } });`,
  'a range of points': `shop.search({ query: { range: { place: { gte: 1 } } } });`,
  'a range of numbers with a text': `shop.search({ query: { range: { stock: { gte: 'many' } } } });`,
  'a prefix of a number': `shop.search({ query: { prefix: { price: '1' } } });`,
  'a field that is not indexed': `shop.search({ query: { match: { secret: 'x' } } });`,
  'a field of nested objects outside of nested': `shop.search({ query: { term: { 'reviews.author': 'ann' } } });`,
  'a field of documents inside of nested': `shop.search({ query: { nested: { path: 'reviews', query: { term: { brand: 'acme' } } } } });`,
  'a nested path that is not there': `shop.search({ query: { nested: { path: 'comments', query: { match_all: {} } } } });`,
  'a distance to what is no point': `shop.search({ query: { geo_distance: { distance: '1km', brand: [1, 2] } } });`,
  'a misspelled field of multi_match': `shop.search({ query: { multi_match: { query: 'lamp', fields: ['titel^2', 'brand'] } } });`,
  'a sort by words': `shop.search({ sort: 'title' });`,
  'a sort by a field without values by document': `shop.search({ sort: [{ hidden: 'asc' }] });`,
  'a sort in no direction': `shop.search({ sort: [{ price: 'down' }] });`,
  'a sort by nested objects without saying so': `shop.search({ sort: [{ 'reviews.stars': 'desc' }] });`,
  'buckets of words': `shop.search({ aggs: { titles: { terms: { field: 'title' } } } });`,
  'an average of keywords': `shop.search({ aggs: { mean: { avg: { field: 'brand' } } } });`,
  'a misspelled field of an aggregation': `shop.search({ aggs: { mean: { avg: { field: 'prcie' } } } });`,
  'an aggregation that does not exist': `shop.search({ aggs: { brands: { term: { field: 'brand' } } } });`,
  'a misspelled option of an aggregation': `shop.search({ aggs: { brands: { terms: { field: 'brand', siez: 5 } } } });`,
  'a histogram of dates by number': `shop.search({ aggs: { months: { date_histogram: { field: 'price', calendar_interval: 'month' } } } });`,
  'a sub-aggregation of a field that is not there': `shop.search({ aggs: { brands: { terms: { field: 'brand' }, aggs: { mean: { avg: { field: 'cost' } } } } } });`,
  'a sub-aggregation of nested objects outside of nested': `shop.search({ aggs: { stars: { avg: { field: 'reviews.stars' } } } });`,
  'a look at an answer that was not asked for': `const a = await shop.search({ aggs: { brands: { terms: { field: 'brand' } } } }); a.aggregations.brand.buckets;`,
  'a metric that is read as buckets': `const a = await shop.search({ aggs: { mean: { avg: { field: 'price' } } } }); a.aggregations.mean.buckets;`,
  'a misspelled field of a hit': `const a = await shop.search({ query: { match_all: {} } }); a.hits.hits[0]?._source.tilte;`,
  'a misspelled member of a search': `shop.search({ qurey: { match_all: {} } });`,
  'a source filter of a field that is not there': `shop.search({ _source: ['titel'] });`,
  'marks in a field that is not there': `shop.search({ highlight: { fields: { titel: {} } } });`,
  'a document with a field that is not there': `shop.index({ title: 'lamp', colour: 'red' });`,
  'a document with a text for a number': `shop.index({ price: 'cheap' });`,
  'a document with a multi-field': `shop.index({ 'title.keyword': 'lamp' });`,
  'an update of a field that is not there': `shop.update('1', { doc: { colour: 'red' } });`,
  'a bulk operation with a wrong document': `shop.bulk([{ index: { _id: '1' }, document: { pirce: 5 } }]);`,
  'values by document of words': `shop.search({ docvalue_fields: ['title'] });`,
  'one value where a list is wanted': `shop.search({ query: { terms: { brand: 'acme' } } });`,
  'a misspelled option of a range': `shop.search({ query: { range: { price: { greater: 5 } } } });`,
  'a misspelled field of a rescore': `shop.search({ rescore: { window_size: 5, query: { rescore_query: { match: { titel: 'x' } } } } });`,
  'a search for vectors of a field that has none': `shop.search({ knn: { field: 'price', query_vector: [1, 2] } });`,
  'a query for vectors of a misspelled field': `shop.search({ query: { knn: { field: 'embeding', query_vector: [1, 2] } } });`,
  'a count with a misspelled field': `shop.count({ query: { exists: { field: 'prcie' } } });`,
};

/** What a program may write. Nothing in it runs. */
export const RIGHT = `
const document: ShopDocument = {
  title: ['lamp', 'light'], brand: 'acme', price: 9.5, stock: 3, sold: '9007199254740993', active: true, released: '2024-05-01', stamp: 1,
  place: { lat: 1, lon: 2 }, area: 'POINT (1 2)', address: '10.0.0.1', labels: { colour: { shade: 'red' } }, tags: null,
  sizes: { gte: 1, lt: 5 }, valid: { gte: 'now' }, suggest: { input: ['lamp'], weight: 2 }, rank: 3, relation: { name: 'answer', parent: '1' },
  maker: { name: 'acme', since: 1999 }, raw: { anything: [1] }, reviews: [{ author: 'ann', stars: 5, at: '2024-01-01' }],
  spread: { values: [1, 2], counts: [3, 4] },
};
await shop.index(document, { id: '1', refresh: true });
await shop.create('2', { title: 'lamp' });
await shop.update('1', { doc: { price: 8 }, detect_noop: true });
await shop.update('3', { script: { source: 'ctx._source.stock--' }, upsert: document });
await shop.bulk([{ index: { _id: '1' }, document }, { delete: { _id: '2' } }, { update: { _id: '1' }, body: { doc: { stock: 1 } } }]);
const got = await shop.get('1');
if (got.found) { const price: number | readonly number[] | null | undefined = got._source.price; price; }
await shop.count({ query: { exists: { field: 'reviews' } } });
await shop.deleteByQuery({ query: { range: { released: { lt: 'now-1y' } } } });
const lists = await shop.msearch([{ query: { match: { title: 'lamp' } } }, { size: 0, aggs: { brands: { terms: { field: 'brand' } } } }]);
for (const list of lists) { if ('error' in list) list.error.type; else list.hits.hits[0]?._source.title; }
const answer = await shop.search({
  query: {
    bool: {
      must: [{ match: { title: { query: 'lamp', operator: 'and' } } }, { multi_match: { query: 'x', fields: ['title^2', 'brand', 'maker.*'] } }],
      filter: [
        { term: { brand: 'acme' } }, { term: { 'labels.colour': 'red' } }, { terms: { tags: ['a', 'b'], boost: 2 } }, { term: { label_name: 'acme' } },
        { range: { price: { gte: 5, lt: 10 } } }, { range: { released: { gte: 'now-1d/d', time_zone: '+01:00' } } }, { exists: { field: 'labels' } },
        { nested: { path: 'reviews', query: { bool: { filter: { range: { 'reviews.stars': { gte: 4 } } } } }, score_mode: 'max' } },
        { geo_distance: { distance: '10km', place: { lat: 1, lon: 2 } } }, { term: { hidden: 'x' } }, { ids: { values: ['1'] } }, { term: { _id: '1' } },
        { prefix: { 'title.keyword': 'la' } }, { wildcard: { brand: { value: 'a*', case_insensitive: true } } }, { term: { price: '9.5' } },
      ],
      should: { rank_feature: { field: 'rank', boost: 2 } },
      minimum_should_match: 0,
    },
  },
  sort: [{ price: 'asc' }, { 'title.keyword': { order: 'desc', missing: '_last' } }, { 'reviews.stars': { order: 'desc', nested: { path: 'reviews' } } }, { _geo_distance: { place: [1, 2], unit: 'km' } }, '_score', { 'title.words': 'asc' }],
  _source: ['title', 'maker.*'],
  fields: ['price', 'title', { field: 'released', format: 'yyyy' }],
  docvalue_fields: ['price', 'place', 'sizes', 'title.keyword', 'reviews.stars', { field: 'released', format: 'yyyy' }],
  highlight: { fields: { title: { number_of_fragments: 1 } } },
  suggest: { lamps: { prefix: 'la', completion: { field: 'suggest' } } },
  collapse: { field: 'brand' },
  aggs: {
    brands: { terms: { field: 'brand', size: 5, order: { mean: 'desc' } }, aggs: { mean: { avg: { field: 'price' } }, top: { top_hits: { size: 1, sort: 'price' } } } },
    stocks: { terms: { field: 'stock' } },
    months: { date_histogram: { field: 'released', calendar_interval: 'month' }, aggs: { sold: { sum: { field: 'sold' } } } },
    reviews: { nested: { path: 'reviews' }, aggs: { authors: { terms: { field: 'reviews.author' }, aggs: { back: { reverse_nested: {}, aggs: { makers: { cardinality: { field: 'maker.name' } } } } } } } },
    kinds: { filters: { filters: { cheap: { range: { price: { lt: 5 } } }, dear: { range: { price: { gte: 5 } } } } } },
    prices: { range: { field: 'price', ranges: [{ to: 5 }, { from: 5 }] } },
    oldest: { min: { field: 'released' } },
    words: { terms: { field: 'title.words' } },
    spread: { percentiles: { field: 'spread', percents: [50, 99] } },
  },
});
const near = { field: 'embedding', query_vector: [1, 2], k: 3, num_candidates: 10 } as const;
await shop.search({ knn: { ...near, filter: { term: { brand: 'acme' } } }, size: 3 });
await shop.search({ query: { bool: { should: [{ knn: near }, { match: { title: 'lamp' } }] } } });
const brand: string | undefined = answer.aggregations.brands.buckets[0]?.key;
const stock: number | undefined = answer.aggregations.stocks.buckets[0]?.key;
const mean: number | null | undefined = answer.aggregations.brands.buckets[0]?.mean.value;
const best = answer.aggregations.brands.buckets[0]?.top.hits.hits[0]?._source.title;
const sold: number | null | undefined = answer.aggregations.months.buckets[0]?.sold.value;
const makers: number | undefined = answer.aggregations.reviews.authors.buckets[0]?.back.makers.value;
const cheap: number = answer.aggregations.kinds.buckets.cheap.doc_count;
const titles = answer.hits.hits.map((hit) => [hit._id, hit._source.title, hit.highlight?.title?.[0], hit.fields?.price?.[0]]);
const bare = await shop.search({ _source: false });
const nothing: undefined = bare.hits.hits[0]?._source;
[brand, stock, mean, best, sold, makers, cheap, titles, nothing];
`;
