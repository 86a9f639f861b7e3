import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { gatherSettings, type SettingSources } from './setting-sources.ts';

const folder = mkdtempSync(join(tmpdir(), 'shoal-settings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileWith(text: string): string {
  const path = join(mkdtempSync(join(folder, 'f')), 'shoal.yml');
  writeFileSync(path, text);
  return path;
}

const none: SettingSources = {
  configFile: fileWith(''),
  environment: {},
  knownNames: ['cluster.name', 'discovery.seed_hosts'],
  flags: {},
  assignments: [],
};

describe('settings of a node', () => {
  test('nested maps, dotted names and lists of a file mean the same', async () => {
    const configFile = fileWith('cluster:\n  name: a\nhttp.port: 9201\ndiscovery.seed_hosts: [h1, h2]\n');
    expect(await gatherSettings({ ...none, configFile })).toEqual({
      'cluster.name': 'a',
      'http.port': '9201',
      'discovery.seed_hosts': 'h1,h2',
    });
  });

  test('command line beats environment beats file', async () => {
    const configFile = fileWith('cluster.name: file\n');
    const environment = { SHOAL_CLUSTER_NAME: 'environment', PATH: '/bin' };
    expect((await gatherSettings({ ...none, configFile }))['cluster.name']).toBe('file');
    expect((await gatherSettings({ ...none, configFile, environment }))['cluster.name']).toBe('environment');
    expect(
      (await gatherSettings({ ...none, configFile, environment, flags: { 'cluster.name': 'flag' } }))['cluster.name'],
    ).toBe('flag');
    expect(
      (await gatherSettings({ ...none, environment, assignments: ['cluster.name=set=by hand'] }))['cluster.name'],
    ).toBe('set=by hand');
  });

  test('a variable whose name has underscores of its own finds its setting', async () => {
    expect(
      await gatherSettings({ ...none, environment: { 'discovery.seed_hosts': 'b:1', 'un.known': 'x', name: 'y' } }),
    ).toEqual({ 'discovery.seed_hosts': 'b:1' });
    expect(await gatherSettings({ ...none, environment: { SHOAL_DISCOVERY_SEED_HOSTS: 'a:1' } })).toEqual({
      'discovery.seed_hosts': 'a:1',
    });
  });

  test('what cannot be read is refused with the file or the argument', async () => {
    await expect(gatherSettings({ ...none, configFile: join(folder, 'none.yml') })).rejects.toThrow(
      'none.yml does not exist',
    );
    await expect(gatherSettings({ ...none, configFile: fileWith('just text') })).rejects.toThrow(
      'expected settings as name: value',
    );
    await expect(gatherSettings({ ...none, configFile: fileWith('a: [') })).rejects.toThrow('shoal.yml');
    await expect(gatherSettings({ ...none, assignments: ['novalue'] })).rejects.toThrow(
      '--set wants name=value, found [novalue]',
    );
  });
});
