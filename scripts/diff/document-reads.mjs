/**
 * Reads of documents by their ids: one, several, its source, its term vectors.
 */

const route = ({ routing }) => (routing === undefined ? {} : { routing });
const someFields = (r) => r.list(1, 3, () => r.field('keyword', 'number', 'text', 'date').path);

/** Options of what is shown, as parameters of a URI. */
const shown = (r) =>
  r.options({
    _source: [0.2, () => r.pick(['false', 'true', someFields(r).join(',')])],
    _source_includes: [0.2, () => `${someFields(r)[0].slice(0, 2)}*`],
    _source_excludes: [0.2, () => someFields(r).join(',')],
    stored_fields: [0.2, () => r.pick(['kept', '_none_', 'kept,title', '_source'])],
    realtime: [0.1, () => String(r.chance(0.5))],
    version: [0.05, () => '1'],
    version_type: [0.05, () => r.pick(['internal', 'external', 'external_gte'])],
  });

const address = (r, api, id, parameters) => {
  const query = String(new URLSearchParams(parameters));
  return `/${r.target.index}/${api}/${id}${query === '' ? '' : `?${query}`}`;
};

function one(r) {
  const document = r.document();
  const id = r.chance(0.9) ? document.id : 'absent';
  const parameters = { ...(r.chance(0.9) ? route(document) : {}), ...shown(r) };
  return { class: '_doc', method: 'GET', path: address(r, r.pick(['_doc', '_doc', '_source']), id, parameters) };
}

function several(r) {
  const item = () => {
    const document = r.document();
    const options = r.options({
      _source: [0.3, () => r.pick([false, someFields(r), { includes: someFields(r), excludes: someFields(r) }])],
      stored_fields: [0.1, () => ['kept']],
    });
    return { _id: r.chance(0.9) ? document.id : 'absent', ...route(document), ...options };
  };
  const body = r.chance(0.7) ? { docs: r.list(0, 4, item) } : { ids: r.list(0, 4, () => r.document().id) };
  return { class: '_mget', method: 'POST', path: `/${r.target.index}/_mget`, body };
}

/** Statistics that follow from deleted documents and segments are left out. */
function termVectors(r) {
  const document = r.document();
  const body = {
    fields: r.some(
      r.target.of('text').map(({ path }) => path),
      1,
      3,
    ),
    ...r.options({
      positions: [0.3, () => r.chance(0.5)],
      offsets: [0.3, () => r.chance(0.5)],
      term_statistics: [0.3, () => true],
      field_statistics: [0.3, () => r.chance(0.5)],
      filter: [
        0.3,
        () =>
          r.options({
            max_num_terms: [0.7, () => r.int(1, 5)],
            min_term_freq: [0.3, () => r.int(1, 2)],
            min_doc_freq: [0.3, () => r.int(1, 9)],
            min_word_length: [0.3, () => r.int(1, 4)],
          }),
      ],
      per_field_analyzer: [0.1, () => ({ [r.field('text').path]: r.analyzer() })],
    }),
  };
  return {
    class: '_termvectors',
    method: 'POST',
    path: address(r, '_termvectors', document.id, route(document)),
    body,
  };
}

/** Any read of documents. */
export function drawRead(r) {
  return r.weighted([
    [2, one],
    [2, several],
    [1.5, termVectors],
  ])(r);
}
