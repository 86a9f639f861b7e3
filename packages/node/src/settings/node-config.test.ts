import { DEFAULT_COORDINATION_SETTINGS } from '@shoal/consensus';
import { COORDINATION_SETTING_NAMES, readCoordinationSettings } from '@shoal/membership';
import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { COORDINATION_SETTINGS } from './coordination-setting-definitions.ts';
import { nodeConfig } from './node-config.ts';
import { NODE_SETTINGS } from './node-settings.ts';

const { machine } = createNodeRuntime({ log: createSilentLog() });
const config = (given: Readonly<Record<string, unknown>>, kind: 'data' | 'coordinator' = 'data') =>
  nodeConfig(NODE_SETTINGS.parse(given), kind, machine);

describe('a node without settings', () => {
  test('listens on loopback, on the first free of the usual ports', () => {
    expect(config({})).toMatchObject({
      clusterName: 'shoal',
      transportHost: '127.0.0.1',
      httpHost: '127.0.0.1',
      httpPorts: { first: 9200, last: 9300 },
      transportPorts: { first: 9300, last: 9400 },
      isExposed: false,
      accessLog: null,
    });
  });

  test('writes an access log only when it is told to, where and as long as it is told to', () => {
    expect(config({ 'http.access_log': true }).accessLog).toEqual({
      path: 'logs/http-access.log',
      fileBytesMax: 16 * 1024 * 1024,
    });
    expect(config({ http: { access_log: { path: 'a.log', max_size: '1mb' } } }).accessLog).toEqual({
      path: 'a.log',
      fileBytesMax: 1024 * 1024,
    });
    expect(config({ 'http.access_log': 'false' }).accessLog).toBeNull();
  });

  test('takes a worker that is silent for two minutes for stuck', () => {
    expect(config({}).workerSilentMsMax).toBe(120_000);
    expect(config({ 'node.worker.silent_limit': -1 }).workerSilentMsMax).toBe(-1);
    expect(() => config({ 'node.worker.silent_limit': '500ms' })).toThrow(
      'setting [node.worker.silent_limit] must be -1 or at least [1000ms], and is [500ms]',
    );
  });

  test('has the roles of its kind', () => {
    expect(config({}).roles).toEqual(['cluster_manager', 'data', 'ingest']);
    expect(config({}, 'coordinator').roles).toEqual([]);
  });
});

describe('roles', () => {
  test('are read under their old names too', () => {
    expect(config({ 'node.roles': ['master', 'data_hot'] }).roles).toEqual(['cluster_manager', 'data']);
    expect(config({ 'node.roles': [] }).roles).toEqual([]);
    expect(config({ node: { master: false, data: true } }).roles).toEqual(['data', 'ingest']);
    expect(config({ node: { master: false, data: false, ingest: false } }).roles).toEqual([]);
    expect(config({ 'node.voting_only': true, 'node.ingest': false }).roles).toContain('voting_only');
  });

  test.each([
    [{ 'node.roles': 'data', 'node.master': false }, 'use legacy role setting [node.master]'],
    [{ 'node.roles': 'dta' }, 'unknown role [dta] did you mean [data]?'],
    [{ 'node.roles': 'voting_only' }, 'needs the role [cluster_manager]'],
  ])('%j is refused', (given, reason) => {
    expect(() => config(given)).toThrow(reason);
  });

  test('of a coordinator are none', () => {
    expect(() => config({ 'node.roles': 'data' }, 'coordinator')).toThrow('a coordinator has no roles');
  });
});

describe('listening beyond loopback', () => {
  test.each([{ 'network.host': '0.0.0.0' }, { 'http.host': '192.168.1.5' }, { 'transport.host': '::' }])(
    'is refused without saying that it is wanted: %j',
    (given) => {
      expect(() => config(given)).toThrow('--insecure');
      expect(config({ ...given, insecure: true }).isExposed).toBe(true);
    },
  );

  test('loopback under any of its names is not beyond it', () => {
    for (const host of ['localhost', '_local_', '127.0.0.5', '::1']) {
      expect(config({ 'network.host': host }).isExposed).toBe(false);
    }
  });
});

test('seed hosts are names or addresses with or without a port', () => {
  const given = ['a', 'b:9400', '[::1]:9500', '[::1]'];
  expect(config({ 'discovery.seed_hosts': given.join(', ') }).seedHosts).toEqual(given);
  expect(config({}).seedHosts).toBeNull();
  for (const wrong of ['host:93oo', 'host:70000', '::1:9300']) {
    expect(() => config({ 'discovery.seed_hosts': wrong })).toThrow('[discovery.seed_hosts]');
  }
});

test('an unknown setting stops the start with the nearest known name', () => {
  expect(() => config({ 'discovery.seed_host': 'a' })).toThrow(
    'unknown setting [discovery.seed_host] did you mean [discovery.seed_hosts]?',
  );
});

test('old names of settings mean the new ones', () => {
  expect(config({ 'cluster.initial_master_nodes': ['n1', 'n2'] }).initialClusterManagers).toEqual(['n1', 'n2']);
});

test('every setting of coordination that the cluster reads is declared here, with the same default', () => {
  expect(COORDINATION_SETTINGS.map((setting) => setting.name).sort()).toEqual([...COORDINATION_SETTING_NAMES].sort());
  const defaults = Object.fromEntries(COORDINATION_SETTINGS.map((setting) => [setting.name, setting.defaultText]));
  expect(readCoordinationSettings(defaults)).toEqual(DEFAULT_COORDINATION_SETTINGS);
});
