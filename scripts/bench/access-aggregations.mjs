/**
 * The same questions of an access log for two engines: an aggregation and a query in SQL, with what of both answers must agree.
 *
 * `ours` and `theirs` make comparable texts of an answer; where answers are estimates, they are only said to be close (`near`).
 */
const buckets = ({ a }) => a.buckets.map(({ key, doc_count }) => `${key}: ${doc_count}`).join('\n');
const counted = (rows) => rows.map(([key, count]) => `${key}: ${count}`).join('\n');
const instant = (text) => Date.parse(`${text.replace(' ', 'T')}Z`);
const countedInstants = (rows) => rows.map(([key, count]) => `${instant(key)}: ${count}`).join('\n');

const terms = (field, size) => ({
  body: { size: 0, aggs: { a: { terms: { field, size, order: [{ _count: 'desc' }, { _key: 'asc' }] } } } },
  sql: `SELECT ${field}, count(*) AS n FROM lines GROUP BY 1 ORDER BY n DESC, 1 LIMIT ${size}`,
});

const ofCounts = { ours: (answer) => counts(buckets(answer)), theirs: (rows) => counts(counted(rows)) };

/** Terms of equal counts may stand in any order, and be cut. */
function counts(text) {
  return text.replaceAll(/^.*: /gm, '');
}

export const ACCESS_AGGREGATIONS = {
  'terms status': { ...terms('status', 10), ...ofCounts },
  'terms request': { ...terms('request', 20), ...ofCounts },
  'terms clientip': { ...terms('clientip', 10), ...ofCounts },
  'date_histogram hour': {
    body: { size: 0, aggs: { a: { date_histogram: { field: 'ts', fixed_interval: '1h', min_doc_count: 1 } } } },
    sql: "SELECT date_trunc('hour', ts) AS t, count(*) FROM lines GROUP BY 1 ORDER BY 1",
    ours: buckets,
    theirs: countedInstants,
  },
  'date_histogram day': {
    body: { size: 0, aggs: { a: { date_histogram: { field: 'ts', calendar_interval: 'day', min_doc_count: 1 } } } },
    sql: "SELECT date_trunc('day', ts) AS t, count(*) FROM lines GROUP BY 1 ORDER BY 1",
    ours: buckets,
    theirs: countedInstants,
  },
  'day > status, sum of bytes': {
    body: {
      size: 0,
      aggs: {
        a: {
          date_histogram: { field: 'ts', calendar_interval: 'day', min_doc_count: 1 },
          aggs: { s: { terms: { field: 'status', size: 100 }, aggs: { b: { sum: { field: 'bytes' } } } } },
        },
      },
    },
    sql: "SELECT date_trunc('day', ts) AS t, status, count(*) AS n, sum(bytes) FROM lines GROUP BY 1, 2 ORDER BY t, n DESC, status",
    ours: ({ a }) =>
      a.buckets
        .flatMap(({ key: day, s }) => s.buckets.map((b) => `${day} ${b.key}: ${b.doc_count} ${b.b.value}`))
        .join('\n'),
    theirs: (rows) => rows.map(([day, status, n, sum]) => `${instant(day)} ${status}: ${n} ${sum}`).join('\n'),
  },
  'cardinality clientip': {
    body: { size: 0, aggs: { a: { cardinality: { field: 'clientip' } } } },
    sql: 'SELECT approx_count_distinct(clientip) FROM lines',
    near: 0.1,
    ours: ({ a }) => a.value,
    theirs: ([[count]]) => count,
  },
  'cardinality request': {
    body: { size: 0, aggs: { a: { cardinality: { field: 'request' } } } },
    sql: 'SELECT approx_count_distinct(request) FROM lines',
    near: 0.1,
    ours: ({ a }) => a.value,
    theirs: ([[count]]) => count,
  },
  'percentiles bytes': {
    body: { size: 0, aggs: { a: { percentiles: { field: 'bytes' } } } },
    sql: 'SELECT approx_quantile(bytes, [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99]) FROM lines',
    near: 0.1,
    ours: ({ a }) => a.values['75.0'],
    theirs: ([[quantiles]]) => quantiles[4],
  },
  'percentiles bytes, exact': {
    body: { size: 0, aggs: { a: { percentiles: { field: 'bytes' } } } },
    sql: 'SELECT quantile_cont(bytes, [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99]) FROM lines',
    near: 0.1,
    ours: ({ a }) => a.values['75.0'],
    theirs: ([[quantiles]]) => quantiles[4],
  },
};

/** @throws Error where both answers should be the same and are not */
export function checkAnswers(name, { near, ours, theirs }, answer, rows) {
  const [own, other] = [ours(answer), theirs(rows)];
  const isSame = near === undefined ? own === other : Math.abs(own - other) <= near * Math.abs(other);
  if (!isSame)
    throw new Error(`${name}: ${String(own).slice(0, 400)}\nand of the peer: ${String(other).slice(0, 400)}`);
}
