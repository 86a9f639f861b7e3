import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { containerAddresses, elasticsearchEnvironment } from './elasticsearch-environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'shoal-environment-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('variables of the image of Elasticsearch', () => {
  test('with a dot are settings, those that no node knows as well', () => {
    const variables = {
      'discovery.type': 'single-node',
      'node.attr.zone': 'a',
      'no.such': 'x',
      PATH: '/bin',
      'A.b': '1',
    };
    const settings = { 'discovery.type': 'single-node', 'node.attr.zone': 'a', 'no.such': 'x' };
    expect(elasticsearchEnvironment(variables)).toEqual({ settings, withoutEffect: [] });
  });

  test('without dots begin with ES_SETTING_', () => {
    const variables = { ES_SETTING_XPACK_SECURITY_ENABLED: 'false', ES_SETTING_DISCOVERY_SEED__HOSTS: 'a' };
    const settings = { 'xpack.security.enabled': 'false', 'discovery.seed_hosts': 'a' };
    expect(elasticsearchEnvironment(variables).settings).toEqual(settings);
  });

  test('give the password of the user elastic, from a file too', () => {
    const settings = { 'bootstrap.password': 'changeme' };
    expect(elasticsearchEnvironment({ ELASTIC_PASSWORD: 'changeme' }).settings).toEqual(settings);
    const file = join(folder, 'password');
    writeFileSync(file, 'changeme\n');
    expect(elasticsearchEnvironment({ ELASTIC_PASSWORD_FILE: file }).settings).toEqual(settings);
    expect(elasticsearchEnvironment({ ELASTIC_PASSWORD: '' }).settings).toEqual({});
    const both = { ELASTIC_PASSWORD: 'a', ELASTIC_PASSWORD_FILE: file };
    expect(() => elasticsearchEnvironment(both)).toThrow('only one');
    expect(() => elasticsearchEnvironment({ ELASTIC_PASSWORD_FILE: join(folder, 'none') })).toThrow('does not exist');
  });

  test('of the JVM do nothing, and are told', () => {
    const { settings, withoutEffect } = elasticsearchEnvironment({ ES_JAVA_OPTS: '-Xmx1g' });
    expect(settings).toEqual({});
    expect(withoutEffect).toEqual([{ name: 'ES_JAVA_OPTS', because: expect.stringContaining('NODE_OPTIONS') }]);
  });

  test.each(['ES_PATH_CONF', 'KEYSTORE_PASSWORD'])('that ask for what is not here are refused: %s', (name) => {
    expect(() => elasticsearchEnvironment({ [name]: 'x' })).toThrow(name);
  });
});

describe('a node in a container', () => {
  test.each([
    [{}, { insecure: 'true', 'http.host': '0.0.0.0' }],
    [{ 'discovery.type': 'single-node' }, { insecure: 'true', 'http.host': '0.0.0.0' }],
    [{ 'discovery.type': 'single-node', 'network.host': '0.0.0.0' }, { insecure: 'true' }],
    [{ 'transport.host': '127.0.0.1', 'http.host': '0.0.0.0' }, { insecure: 'true' }],
    [{ 'network.host': '0.0.0.0' }, {}],
    [{ 'network.host': '0.0.0.0', insecure: 'true' }, {}],
    [{ insecure: 'false' }, {}],
  ])('that is given %j gets %j', (given, added) => {
    expect(containerAddresses(given)).toEqual(added);
  });
});
