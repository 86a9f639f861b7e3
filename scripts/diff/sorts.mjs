/**
 * Sorts: by fields with modes and missing values, within nested objects, by distance, script, score and place in the index.
 */
import { drawQuery } from './compound-queries.mjs';

const order = (r) => r.pick(['asc', 'desc']);

function byField(r) {
  const field = r.field('keyword', 'number', 'number', 'date', 'boolean', 'ip');
  if (r.chance(0.2)) return { [field.path]: order(r) };
  const isNumber = r.target.of('number', field.nested).includes(field);
  const options = r.options({
    order: [0.8, () => order(r)],
    mode: [0.3, () => r.pick(isNumber ? ['min', 'max', 'sum', 'avg', 'median'] : ['min', 'max'])],
    missing: [0.3, () => r.pick(isNumber ? ['_first', '_last', r.int(0, 50)] : ['_first', '_last'])],
    unmapped_type: [0.1, () => 'long'],
    numeric_type: [isNumber ? 0.1 : 0, () => r.pick(['double', 'long'])],
  });
  return { [field.path]: options };
}

function byNested(r) {
  const path = r.pick(r.target.nestedPaths);
  return r.within(path, () => {
    const field = r.field('keyword', 'number');
    const isNumber = r.target.of('number', path).includes(field);
    const inner = path.includes('.') && r.chance(0.5) ? { path: path.split('.')[0], nested: { path } } : { path };
    const filter = r.options({
      filter: [0.3, () => (inner.nested === undefined ? drawQuery(r, 0) : { match_all: {} })],
    });
    return {
      [field.path]: {
        order: order(r),
        mode: r.pick(isNumber ? ['min', 'max', 'sum', 'avg'] : ['min', 'max']),
        nested: { ...inner, ...filter },
        ...r.options({ missing: [0.2, () => r.pick(['_first', '_last'])] }),
      },
    };
  });
}

const byDistance = (r) => ({
  _geo_distance: {
    [r.field('geo').path]: r.chance(0.2)
      ? [r.writtenPoint(), r.writtenPoint()].filter((point) => !Array.isArray(point)).concat([{ lat: 50, lon: 5 }])
      : r.writtenPoint(),
    order: order(r),
    ...r.options({
      unit: [0.5, () => r.pick(['km', 'mi', 'm'])],
      mode: [0.3, () => r.pick(['min', 'max', 'avg', 'median'])],
      distance_type: [0.2, () => r.pick(['arc', 'plane'])],
      ignore_unmapped: [0.05, () => true],
    }),
  },
});

const byScript = (r) =>
  r.pick([
    {
      _script: {
        type: 'number',
        script: { source: "doc['n'].size() == 0 ? params.a : doc['n'].value * 2", params: { a: 5 } },
        order: order(r),
      },
    },
    { _script: { type: 'string', script: "doc['kind'].size() == 0 ? 'zzz' : doc['kind'].value", order: order(r) } },
  ]);

function one(r) {
  const isMixed = r.target.has('rankFeature');
  return r.weighted([
    [6, () => byField(r)],
    [1.5, () => r.pick(['_score', { _score: order(r) }, { _score: { order: order(r) } }])],
    [1.5, () => r.pick(['_doc', { _doc: order(r) }])],
    [0.4, () => ({ _id: order(r) })],
    [0.3, () => ({ _seq_no: order(r) })],
    [0.2, () => ({ _index: order(r) })],
    [0.2, () => ({ absent: { order: order(r), unmapped_type: r.pick(['long', 'keyword', 'date', 'double']) } })],
    [isMixed ? 1.5 : 0, () => byNested(r)],
    [isMixed ? 1.5 : 0, () => byDistance(r)],
    [isMixed ? 0.7 : 0, () => byScript(r)],
  ])();
}

/** A list of sorts; fields are those of whole documents. */
export function drawSort(r) {
  return r.within(null, () => r.list(1, 3, () => one(r)));
}
