/**
 * The index that searches are measured on: documents of made-up words with a keyword, numbers and a date beside them.
 */
import { QueryClasses } from './query-classes.mjs';
import { randomFrom, zipfDocuments } from './zipf-corpus.mjs';

export const INDEX = 'bench';
const BATCH_BYTES = 2 * 1024 * 1024;
const QUERIES_PER_CLASS = 40;
const CATEGORIES = 1_000;
const START_MS = Date.UTC(2024, 0, 1);
const SPAN_MS = 366 * 86_400_000;
/** Deeper than any page that is asked for. */
const WINDOW_MAX = 10_000_000;

export const MAPPING = {
  properties: {
    title: { type: 'text' },
    body: { type: 'text' },
    cat: { type: 'keyword' },
    n: { type: 'long' },
    x: { type: 'double' },
    ts: { type: 'date' },
  },
};

export function indexSettings(shards) {
  return { number_of_shards: shards, number_of_replicas: 0, 'index.max_result_window': WINDOW_MAX };
}

/** Writes bodies of bulks, so many at once; throws when one of their documents is refused. */
export async function fill(client, batches, { index, writers }) {
  let next = 0;
  const writer = async () => {
    for (let batch = batches[next++]; batch !== undefined; batch = batches[next++]) {
      const path = `/${index}/_bulk?filter_path=errors`;
      const answer = await client.send('POST', path, batch.body, 'application/x-ndjson');
      if (answer !== '{"errors":false}') throw new Error(`a bulk failed: ${answer}`);
    }
  };
  await Promise.all(Array.from({ length: writers }, writer));
}

/** Bulk bodies of `count` documents, and queries by class over them. */
export function makeCorpus(count) {
  const random = randomFrom(7);
  const classes = new QueryClasses();
  const batches = [];
  let lines = [];
  let bytes = 0;
  let words = 0;
  const endBatch = () => {
    if (lines.length > 0) batches.push({ body: Buffer.from(lines.join('')), count: lines.length });
    lines = [];
    bytes = 0;
  };
  for (const text of zipfDocuments(count)) {
    classes.add(text);
    words += text.length;
    const document = {
      title: text.slice(0, 5).join(' '),
      body: text.join(' '),
      cat: `cat-${Math.trunc(CATEGORIES * random() ** 3)}`,
      n: Math.trunc(1_000_000 * random()),
      x: Math.round(Math.exp(6 * random()) * 100) / 100,
      ts: new Date(START_MS + Math.trunc(SPAN_MS * random())).toISOString(),
    };
    const line = `{"index":{}}\n${JSON.stringify(document)}\n`;
    lines.push(line);
    bytes += line.length;
    if (bytes >= BATCH_BYTES) endBatch();
  }
  endBatch();
  return { batches, words, queries: new Map(classes.make(QUERIES_PER_CLASS)) };
}

const match = (words, operator) => ({ match: { body: { query: words.join(' '), operator } } });

/** [name, request bodies] of the query classes, top 10. */
export function queryRequests(queries) {
  const of = (name, make) => queries.get(name).map((words) => make(words));
  const exact = { track_total_hits: true };
  const between = { range: { n: { gte: 200_000, lt: 500_000 } } };
  return [
    ['match_all', [{ query: { match_all: {} } }]],
    ['term, frequent', of('term_high', (words) => ({ query: match(words, 'or') }))],
    ['term, rare', of('term_low', (words) => ({ query: match(words, 'or') }))],
    ['two words, any', of('or2_hm', (words) => ({ query: match(words, 'or') }))],
    ['eight words, any', of('or8', (words) => ({ query: match(words, 'or') }))],
    ['eight words, all counted', of('or8', (words) => ({ ...exact, query: match(words, 'or') }))],
    ['two words, both', of('and2_hh', (words) => ({ query: match(words, 'and') }))],
    ['phrase', of('phrase2', (words) => ({ query: { match_phrase: { body: words.join(' ') } } }))],
    [
      'word and range',
      of('term_high', (words) => ({ query: { bool: { must: [match(words, 'or')], filter: [between] } } })),
    ],
    ['range, counted', [{ ...exact, size: 0, query: between }]],
    ['prefix', of('term_mid', ([word]) => ({ query: { prefix: { body: word.slice(0, 3) } } }))],
    ['fuzzy', of('term_mid', ([word]) => ({ query: { fuzzy: { body: word } } }))],
    ['sorted by number', of('term_high', (words) => ({ query: match(words, 'or'), sort: ['n'] }))],
  ];
}

/** [name, request body] of the aggregations, over all documents. */
export const AGGREGATIONS = [
  ['terms', { terms: { field: 'cat' } }],
  ['terms, average within', { terms: { field: 'cat' }, aggs: { a: { avg: { field: 'x' } } } }],
  ['date_histogram', { date_histogram: { field: 'ts', calendar_interval: 'week' } }],
  ['histogram', { histogram: { field: 'n', interval: 10_000 } }],
  ['cardinality', { cardinality: { field: 'n' } }],
  ['percentiles', { percentiles: { field: 'x' } }],
  ['stats', { stats: { field: 'x' } }],
].map(([name, aggregation]) => [name, { size: 0, aggs: { a: aggregation } }]);

/** [name, request body without `from`] of what is paged through. */
export function pagedRequests(queries) {
  const [words] = queries.get('term_high');
  return [
    ['match_all', { query: { match_all: {} } }],
    ['frequent word', { query: match(words, 'or') }],
    ['sorted by number', { sort: ['n'] }],
  ];
}
