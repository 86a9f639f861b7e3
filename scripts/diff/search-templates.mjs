/**
 * Searches made of templates, their rendering, and ratings of searches.
 */
import { drawQuery } from './compound-queries.mjs';

const VALUES = ['fox', 5, true, null, ['a', 'b'], { x: 1 }, 'say "hi"', '<b>'];
const TEMPLATES = [
  '{"query":{"match":{"title":"{{a}}"}},"size":{{size}}{{^size}}2{{/size}}}',
  '{"query":{"terms":{"kind":{{#toJson}}list{{/toJson}}}},"_source":false}',
  '{"query":{"match":{"title":"{{#join}}a{{/join}}"}},"_source":false,"size":1}',
  '{"query":{"bool":{"filter":[{{#b}}{"match_all":{}},{{/b}}{"match_all":{}}]}},"size":0}',
  '{"query":{"match":{"title":"{{{a}}}"}},"size":1,"_source":false}',
  '{"query":{"match":{"title":"{{#url}}{{a}}{{/url}}"}},"size":0}',
  '{"query":{"match":{"title":"{{b}}{{^b}}quick{{/b}}"}},"size":1,"_source":false}',
];

const drawn = (r) => ({
  source: r.pick(TEMPLATES),
  params: {
    list: r.list(0, 3, () => r.pick(['book', 'film'])),
    ...r.options({ a: [0.9, () => r.pick(VALUES)], b: [0.4, () => r.pick(VALUES)], size: [0.5, () => r.int(0, 4)] }),
  },
});

function rating(r) {
  const request = () => ({
    id: r.name(),
    request: { query: drawQuery(r, 0) },
    ratings: r
      .some(r.target.documents, 1, 4)
      .map(({ id }) => ({ _index: r.target.index, _id: id, rating: r.int(0, 3) })),
  });
  const metric = r.pick([
    { precision: { k: r.int(1, 10), ...r.options({ ignore_unlabeled: [0.3, () => true] }) } },
    { recall: { k: r.int(1, 10), relevant_rating_threshold: 1 } },
    { mean_reciprocal_rank: { k: 10 } },
    { dcg: { k: 10, normalize: r.chance(0.5) } },
    { expected_reciprocal_rank: { maximum_relevance: 3, k: 10 } },
  ]);
  return {
    class: '_rank_eval',
    method: 'POST',
    path: `/${r.target.index}/_rank_eval`,
    body: { requests: [request()], metric },
  };
}

/** A template searched with or rendered, or a rated search. */
export function drawTemplate(r) {
  return r.weighted([
    [
      3,
      () => ({
        class: '_search/template',
        method: 'POST',
        path: `/${r.target.index}/_search/template`,
        body: drawn(r),
      }),
    ],
    [2, () => ({ class: '_render/template', method: 'POST', path: '/_render/template', body: drawn(r) })],
    [2, () => rating(r)],
  ])();
}
