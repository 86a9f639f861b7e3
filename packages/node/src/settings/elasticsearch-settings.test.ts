import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { settingsWithoutEffect } from './elasticsearch-settings.ts';
import { nodeConfig } from './node-config.ts';
import { NODE_SETTINGS } from './node-settings.ts';

const { machine } = createNodeRuntime({ log: createSilentLog() });

describe('a configuration written for Elasticsearch', () => {
  test('starts where it asks for nothing that is not here, and says what does nothing', () => {
    const settings = NODE_SETTINGS.parse({
      'cluster.name': 'docker',
      discovery: { type: 'single-node' },
      bootstrap: { memory_lock: true },
      xpack: { security: { enabled: false }, ml: { enabled: false }, license: { self_generated: { type: 'basic' } } },
      'transport.tcp.port': 9411,
      'discovery.zen.ping.unicast.hosts': ['a', 'b'],
      'thread_pool.write.queue_size': 1_000,
      cluster: { routing: { allocation: { disk: { watermark: { low: '95%', high: '97%', flood_stage: '98%' } } } } },
      'action.destructive_requires_name': false,
    });
    expect(nodeConfig(settings, 'data', machine)).toMatchObject({
      clusterName: 'docker',
      isSingleNode: true,
      transportPorts: { first: 9411, last: 9411 },
      seedHosts: [expect.anything(), expect.anything()],
    });
    expect(settingsWithoutEffect(settings).map(({ name }) => name)).toEqual([
      'bootstrap.memory_lock',
      'thread_pool.write.queue_size',
      'xpack.ml.enabled',
      'xpack.license.self_generated.type',
    ]);
  });

  test.each([
    'xpack.security.transport.ssl.enabled',
    'xpack.security.http.ssl.enabled',
    'xpack.security.audit.enabled',
  ])('does not start unprotected where %s asks for protection', (name) => {
    const settings = NODE_SETTINGS.parse({ [name]: true });
    expect(() => nodeConfig(settings, 'data', machine)).toThrow(/neither TLS nor users.*put a proxy in front/);
  });

  test.each([
    [{ 'xpack.license.self_generated.type': 'trial' }, 'must be one of [basic]'],
    [{ 'xpack.nosuch': true }, 'unknown setting [xpack.nosuch]'],
    [{ 'indices.query.bool.max_clause_count': 10_000 }, 'must be <= 4096'],
    [{ 'script.allowed_types': 'none' }, 'must be one of [both'],
    [{ 'bootstrap.memory_lock': 'maybe' }, 'Failed to parse value [maybe]'],
  ])('%j is refused', (given, reason) => {
    expect(() => NODE_SETTINGS.parse(given)).toThrow(reason);
  });

  test.each([
    [{ 'bootstrap.password': 'secret' }, 'secret'],
    [{ 'bootstrap.password': 'secret', 'xpack.security.enabled': true }, 'secret'],
    [{ 'bootstrap.password': 'secret', 'xpack.security.enabled': false }, null],
    [{}, null],
  ])('with %j requests must have the password %j', (given, password) => {
    expect(nodeConfig(NODE_SETTINGS.parse(given), 'data', machine).httpAccess.password).toBe(password);
  });

  test('security without a password is refused, with what to set', () => {
    const settings = NODE_SETTINGS.parse({ 'xpack.security.enabled': true });
    expect(() => nodeConfig(settings, 'data', machine)).toThrow(
      /set \[bootstrap.password\].*or set \[xpack.security.enabled\] to false/,
    );
  });
});
