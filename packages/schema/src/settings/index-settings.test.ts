import { describe, expect, test } from 'vitest';
import { parseIndexSettings, updateIndexSettings } from './index-settings.ts';
import { defaultRoutingShards, typedIndexSettings } from './typed-index-settings.ts';

describe('index settings', () => {
  test.each([
    [{ number_of_shards: 3 }],
    [{ 'index.number_of_shards': '3' }],
    [{ index: { number_of_shards: 3 } }],
    [{ settings: { index: { number_of_shards: '3' } } }],
  ])('%j come out flat', (json) => {
    expect(parseIndexSettings(json)).toEqual({ 'index.number_of_shards': '3' });
  });

  test.each([
    [{ number_of_shards: 0 }, 'Failed to parse value [0] for setting [index.number_of_shards] must be >= 1'],
    [{ number_of_shards: 2000 }, 'must be <= 1024'],
    [
      { nothing_near: 1 },
      'unknown setting [index.nothing_near] please check that any required plugins are installed, or check the breaking changes documentation for removed settings',
    ],
    [{ number_of_shard: 1 }, 'unknown setting [index.number_of_shard] did you mean [index.number_of_shards]?'],
    [{ refresh_interval: 'x' }, 'failed to parse setting [index.refresh_interval] with value [x] as a time value'],
  ])('%j are refused', (json, text) => {
    expect(() => parseIndexSettings(json)).toThrow(text);
  });

  test.each([
    [{ 'similarity.x.type': 'scripted' }, 'must specify either [source] for an inline script or [id] for a stored'],
    [
      { 'similarity.x.type': 'scripted', 'similarity.x.script.source': 'return 1', 'similarity.x.script.bar': '2' },
      '[1:2] [script] unknown field [bar]',
    ],
    [{ 'similarity.x.type': 'nope' }, 'Unknown Similarity type [nope] for [x]'],
    [{ 'similarity.x.k1': 1 }, 'Similarity [x] must have an associated type'],
    [{ 'similarity.BM25.type': 'BM25' }, 'Cannot redefine built-in Similarity [BM25]'],
    [
      { 'similarity.x.type': 'BM25', 'similarity.x.k1': -1 },
      'illegal k1 value: -1.0, must be a non-negative finite value',
    ],
    [{ 'similarity.x.type': 'BM25', 'similarity.x.b': 2 }, 'illegal b value: 2.0, must be between 0 and 1'],
    [{ 'similarity.x.type': 'BM25', 'similarity.x.mu': 2 }, 'Unknown settings for similarity of type [BM25]: [mu]'],
    [
      { 'similarity.x.type': 'boolean', 'similarity.x.k1': 2 },
      'Unknown settings for similarity of type [boolean]: [k1]',
    ],
    [{ 'similarity.x.type': 'BM25', 'similarity.x.k1': 'abc' }, 'Failed to parse float setting [k1] with value [abc]'],
    [{ 'similarity.x': 1 }, "because of a missing '.'"],
    [{ 'soft_deletes.enabled': 'maybe' }, 'Failed to parse value [maybe]'],
    [{ 'search.slowlog.threshold.query.loud': '1s' }, 'unknown setting [index.search.slowlog.threshold.query.loud]'],
    [{ 'search.slowlog.threshold.query.warn': 'soon' }, 'as a time value: unit is missing or unrecognized'],
    [{ 'indexing.slowlog.source': 'all' }, 'Failed to parse value [all] for setting [index.indexing.slowlog.source]'],
    [{ 'write.wait_for_active_shards': 'most' }, 'cannot parse ActiveShardCount[most]'],
    [{ auto_expand_replicas: '1' }, 'failed to parse [index.auto_expand_replicas] from value: [1] at index -1'],
    [
      { auto_expand_replicas: '2-1' },
      "[index.auto_expand_replicas] minReplicas must be =< maxReplicas but wasn't 2 > 1",
    ],
  ])('that ask for what is not built, or for nothing that makes sense, are refused: %j', (json, text) => {
    expect(() => parseIndexSettings(json)).toThrow(text);
  });

  test('that ask for nothing are taken', () => {
    const neutral = { routing_partition_size: 1, 'soft_deletes.enabled': false };
    expect(Object.keys(parseIndexSettings(neutral))).toHaveLength(2);
  });

  test('with a range of replicas have the fewest, at creation and after a change', () => {
    const range = { auto_expand_replicas: '1-all', number_of_replicas: 4 };
    expect(parseIndexSettings(range)['index.number_of_replicas']).toBe('1');
    const options = { isOpen: true, index: 'lib' };
    const changed = updateIndexSettings(parseIndexSettings(range), { auto_expand_replicas: '0-1' }, options);
    expect(changed['index.number_of_replicas']).toBe('0');
    expect(parseIndexSettings({ auto_expand_replicas: false, number_of_replicas: 4 })['index.number_of_replicas']).toBe(
      '4',
    );
  });

  test('of an open index change only where dynamic', () => {
    const current = { 'index.number_of_shards': '1', 'index.refresh_interval': '5s' };
    const options = { isOpen: true, index: 'lib' };
    expect(updateIndexSettings(current, { refresh_interval: null, max_result_window: 5 }, options)).toEqual({
      'index.number_of_shards': '1',
      'index.max_result_window': '5',
    });
    expect(() => updateIndexSettings(current, { codec: 'default', number_of_shards: 2 }, options)).toThrow(
      "Can't update non dynamic settings [[index.codec, index.number_of_shards]] for open indices [[lib]]",
    );
  });

  test('that are final change not even while the index is closed', () => {
    const options = { isOpen: false, index: 'lib' };
    expect(updateIndexSettings({}, { codec: 'default' }, options)).toEqual({ 'index.codec': 'default' });
    expect(() => updateIndexSettings({}, { number_of_shards: 2 }, options)).toThrow(
      'final lib setting [index.number_of_shards], not updateable',
    );
  });

  test('have the defaults of Elasticsearch', () => {
    expect(typedIndexSettings({})).toMatchObject({
      numberOfShards: 1,
      refreshIntervalMs: null,
      maxResultWindow: 10_000,
      translogDurability: 'request',
      translogFlushThresholdBytes: 512 * 1024 * 1024,
    });
    expect(typedIndexSettings({ 'index.refresh_interval': '-1' }).refreshIntervalMs).toBe(-1);
  });

  test.each([
    [1, 1024],
    [2, 1024],
    [3, 768],
    [5, 640],
    [1024, 2048],
  ])('route %i shards over %i', (shards, routing) => {
    expect(defaultRoutingShards(shards)).toBe(routing);
  });
});

describe('a setting that is a list', () => {
  const fields = (list: unknown) => ({ 'index.query.default_field': list });
  test('has a key an entry, and is replaced as a whole', () => {
    const two = parseIndexSettings(fields(['a', 'b']));
    expect(two).toEqual({ 'index.query.default_field.0': 'a', 'index.query.default_field.1': 'b' });
    expect(updateIndexSettings(two, fields(['c']), { isOpen: true })).toEqual({ 'index.query.default_field.0': 'c' });
    expect(updateIndexSettings(two, fields('d'), { isOpen: true })).toEqual({ 'index.query.default_field': 'd' });
    expect(updateIndexSettings(two, fields(null), { isOpen: true })).toEqual({});
  });
  test('is one of those that may be', () => {
    expect(() => parseIndexSettings({ number_of_shards: [1, 2] })).toThrow(
      'unknown setting [index.number_of_shards.0]',
    );
  });
});
