import { describe, expect, test } from 'vitest';
import { checkClusterSetting } from './cluster-setting-registry.ts';

describe('a cluster setting', () => {
  test.each([
    ['cluster.persistent_tasks.allocation.enable', 'none'],
    ['indices.recovery.max_concurrent_file_chunks', '4'],
    ['ingest.geoip.downloader.enabled', 'false'],
    ['script.max_compilations_rate', '500/5m'],
    ['script.context.update.max_compilations_rate', 'unlimited'],
    ['xpack.monitoring.collection.enabled', 'false'],
    ['action.search.shard_count.limit', '1000'],
  ])('%s may be %s', (name, value) => {
    expect(() => checkClusterSetting(name, value)).not.toThrow();
  });

  test.each([
    ['cluster.persistent_tasks.allocation.enable', 'some', 'must be one of [all, none]'],
    ['ingest.geoip.downloader.enabled', 'true', 'no database is downloaded'],
    ['xpack.monitoring.collection.enabled', 'true', 'no node keeps indices about itself'],
    ['action.search.shard_count.limit', '0', 'must be >= 1'],
    ['script.context.update.nothing', '1', 'it is no setting of a context'],
  ])('%s may not be %s', (name, value, why) => {
    expect(() => checkClusterSetting(name, value)).toThrow(why);
  });
});
