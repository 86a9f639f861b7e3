import { describe, expect, test } from 'vitest';
import { fetchHits } from '../../phases/fetch/fetch-hits.ts';
import { idsOf, memoryContext, runQuery, shardSearch } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = { properties: { at: { type: 'geo_point' } } };
const SOURCES = [
  '{"at":{"lat":41.12,"lon":-71.34}}',
  '{"at":[[1,2],"3,4"]}',
  '{"at":[-71.34,41.12]}',
  '{"at":"drm3b"}',
  '{}',
  '{"at":[]}',
];

function context(mapping: Readonly<Record<string, unknown>> = MAPPING, sources: readonly string[] = SOURCES) {
  return memoryContext(mapping, [sources.map((source, at) => ({ id: String(at), source }))]);
}

async function shown(
  body: object,
  mapping?: Readonly<Record<string, unknown>>,
  sources?: readonly string[],
): Promise<unknown[]> {
  const searched = context(mapping, sources);
  const { request } = shardSearch(body);
  const ords = Uint32Array.from((sources ?? SOURCES).keys());
  const page = { ords, request };
  const hits = await fetchHits(searched, page, { isStopped: false }, { monotonicMs: () => 0, wallMs: () => 0 });
  return hits.map(({ fields }) =>
    fields === null ? null : JSON.parse(Buffer.from(fields ?? []).toString() || '{}').at,
  );
}

async function found(query: unknown): Promise<string[]> {
  const searched = context();
  return idsOf(searched, (await runQuery(searched, { query })).ords).sort();
}

describe('a geo_point field', () => {
  test('exists where a document has a point', async () => {
    expect(await found({ exists: { field: 'at' } })).toEqual(['0', '1', '2', '3']);
  });

  test('shows the points as GeoJSON, or as text', async () => {
    const near = { coordinates: [-71.34, 41.12], type: 'Point' };
    expect((await shown({ fields: ['at'] })).slice(0, 3)).toEqual([
      [near],
      [
        { coordinates: [1, 2], type: 'Point' },
        { coordinates: [4, 3], type: 'Point' },
      ],
      [near],
    ]);
    expect((await shown({ fields: [{ field: 'at', format: 'wkt' }] }))[0]).toEqual(['POINT (-71.34 41.12)']);
    await expect(shown({ fields: [{ field: 'at', format: 'x' }] })).rejects.toThrow(
      'Unrecognized geometry format [x].',
    );
  });

  test('shows what its column has, to the step', async () => {
    const columns = await shown({ docvalue_fields: ['at'] });
    expect(columns.slice(0, 2)).toEqual([
      ['41.1199999647215, -71.34000004269183'],
      ['1.9999999646097422, 0.9999999403953552', '2.999999988824129, 3.9999999292194843'],
    ]);
  });

  test.each([
    [
      { term: { at: '1,2' } },
      'Geometry fields do not support exact searching, use dedicated geometry queries instead: [at]',
    ],
    [{ range: { at: { gte: '1,2' } } }, 'Field [at] of type [geo_point] does not support range queries'],
    [
      { prefix: { at: '1' } },
      'Can only use prefix queries on keyword, text and wildcard fields - not on [at] which is of type [geo_point]',
    ],
  ])('refuses %j', async (query, reason) => {
    await expect(found(query)).rejects.toThrow(reason);
  });

  test('is no key to sort or to count by', async () => {
    const searched = context();
    await expect(runQuery(searched, { sort: ['at'] })).rejects.toThrow(
      "can't sort on geo_point field without using specific sorting feature, like geo_distance",
    );
    for (const type of ['terms', 'avg']) {
      await expect(runQuery(searched, { size: 0, aggs: { a: { [type]: { field: 'at' } } } })).rejects.toThrow(
        `Field [at] of type [geo_point] is not supported for aggregation [${type}]`,
      );
    }
  });

  test('takes degrees within the globe, unless it ignores what is malformed', async () => {
    for (const [at, reason] of [
      ['"91,0"', 'illegal latitude value [91.0] for at'],
      ['"0,-181"', 'illegal longitude value [-181.0] for at'],
      ['[1]', '[geo_point] field type should have at least two dimensions'],
      ['"x,1"', 'latitude must be a number'],
    ]) {
      expect(() => context(MAPPING, [`{"at":${at}}`])).toThrow(
        expect.objectContaining({ causedBy: expect.objectContaining({ reason }) }),
      );
    }
    const lenient = { properties: { at: { type: 'geo_point', ignore_malformed: true } } };
    expect(await shown({ fields: ['at'] }, lenient, ['{"at":"91,0"}', '{"at":"x,1"}', '{"at":{"lat":1}}'])).toEqual([
      [{ coordinates: [180, 89], type: 'Point' }],
      null,
      null,
    ]);
  });

  test('has a point for null, and refuses third coordinates if told so', () => {
    const strict = { properties: { at: { type: 'geo_point', ignore_z_value: false, null_value: '1,2' } } };
    expect(() => context(strict, ['{"at":[1,2,3]}'])).toThrow();
    expect(context(strict, ['{"at":null}']).searcher.views[0]?.segment.numericColumn('at')?.start(1)).toBe(1);
  });
});
