import { describe, expect, test } from 'vitest';
import { parseSeedHost } from '../connections/seed-prober.ts';
import { bootstrapPlanOf, type ClusterOptions, readCoordinationSettings, seedHostsOf } from './cluster-options.ts';

const options: ClusterOptions = {
  clusterName: 'c',
  nodeName: 'n',
  roles: ['cluster_manager'],
  dataPath: null,
  bind: { host: '127.0.0.1', port: 9_300 },
  httpAddress: null,
  seedHosts: null,
  initialClusterManagerNodes: null,
  discoveryType: null,
  onFatal: () => undefined,
};

describe('how a cluster begins', () => {
  test('on loopback without any setting: with whoever is found', () => {
    expect(bootstrapPlanOf(options)).toEqual({ kind: 'bestEffort' });
    expect(seedHostsOf(options)).toEqual(['127.0.0.1', '[::1]']);
  });

  test('elsewhere without any setting: not by itself', () => {
    expect(bootstrapPlanOf({ ...options, bind: { host: '10.0.0.1', port: 9_300 } })).toEqual({ kind: 'none' });
    expect(bootstrapPlanOf({ ...options, seedHosts: ['a'] })).toEqual({ kind: 'none' });
  });

  test('as a single node that never looks for others, and must not name any', () => {
    const single: ClusterOptions = { ...options, discoveryType: 'single-node' };
    expect(bootstrapPlanOf(single)).toEqual({ kind: 'singleNode' });
    expect(seedHostsOf({ ...single, seedHosts: ['a'] })).toEqual([]);
    expect(() => bootstrapPlanOf({ ...single, initialClusterManagerNodes: ['n'] })).toThrow(/is not allowed when/);
  });
});

test.each([
  ['host', { host: 'host', port: 9_300 }],
  ['10.0.0.1:9400', { host: '10.0.0.1', port: 9_400 }],
  ['[::1]', { host: '::1', port: 9_300 }],
  ['[fe80::2]:1', { host: 'fe80::2', port: 1 }],
  ['::1', { host: '::1', port: 9_300 }],
  ['a:70000', null],
  ['a:b:c', null],
  ['', null],
])('the seed host [%s] is read', (text, address) => {
  expect(parseSeedHost(text)).toEqual(address);
});

describe('coordination settings', () => {
  test('are read by their names; others are not looked at', () => {
    const settings = readCoordinationSettings({
      'cluster.fault_detection.leader_check.interval': '500ms',
      'cluster.fault_detection.follower_check.retry_count': '5',
      'cluster.auto_shrink_voting_configuration': 'false',
      'http.port': '9200',
    });
    expect(settings).toMatchObject({
      leaderCheckIntervalMs: 500,
      followerCheckRetries: 5,
      autoShrinkVotingConfiguration: false,
      publishTimeoutMs: 30_000,
    });
  });

  test('with a value that is none are refused', () => {
    expect(() => readCoordinationSettings({ 'cluster.publish.timeout': 'soon' })).toThrow(
      'failed to parse value [soon] for setting [cluster.publish.timeout]',
    );
  });
});
