import { inputPlugins, outputPlugins } from '@shoal/agent-plugins';
import type { ThreadProfile } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { testAgent } from '../../agent/agent.test-support.ts';
import { locatedPlugins, pluginFinder, pluginOfUrl } from './main-thread-plugins.ts';

const CONFIG =
  'input { generator { id => "g" count => 1 } heartbeat { id => "h1" } heartbeat { id => "h2" } } output { null { id => "n" } }';

/** A profile of one stack, the innermost function first. */
function profileOf(...urls: readonly string[]): ThreadProfile {
  const frames = urls.map((url, i) => ({ name: 'work', url, line: 1, parent: i + 1 < urls.length ? i + 1 : -1 }));
  return { frames, samples: [{ atMs: 0, frame: 0 }] };
}

describe('the plugin of a file', () => {
  test.each([
    ['the sources', 'file:///shoal/packages/agent-plugins/src/inputs/http-poller/poll-fields.ts'],
    ['the build', 'file:///shoal/packages/agent-plugins/dist/inputs/http-poller/http-poller.js'],
    ['the joined bundle', 'file:///shoal/packages/cli/dist/bundle/agent-plugins.inputs.http-poller.dQ2-x_1a.js'],
    ['a file of a user', '/srv/plugins/shoal-input-http_poller.mjs'],
    ['a package of a user', '/srv/node_modules/shoal-input-http_poller/dist/index.js'],
  ])('is known by its folder or name in %s', (_, url) => {
    expect(pluginOfUrl(url)).toEqual({ kind: 'input', name: 'http-poller' });
  });

  test.each([
    'file:///shoal/packages/agent-plugins/src/inputs/input-list.ts',
    'file:///shoal/packages/agent-plugins/src/elasticsearch-client/elasticsearch-hosts.ts',
    'file:///shoal/packages/agent-plugin-kit/src/retry/producing-input.ts',
    'file:///shoal/packages/cli/dist/bundle/http-CSzwx6zM.js',
    'node:net',
  ])('is none for %s', (url) => {
    expect(pluginOfUrl(url)).toBeNull();
  });

  test('of the agent can be found for every input and output', () => {
    for (const { kind, name } of [...inputPlugins, ...outputPlugins]) {
      const dashed = name.replaceAll('_', '-');
      expect(pluginOfUrl(`/agent-plugins/dist/${kind}s/${dashed}/${dashed}.js`)).toEqual({ kind, name: dashed });
    }
  });
});

describe('the plugin of a sample', () => {
  const find = async (...urls: readonly string[]): Promise<string | undefined> => {
    const { core } = testAgent({ 'config.string': CONFIG });
    await core.start();
    const plugins = locatedPlugins(core);
    const profile = profileOf(...urls);
    const index = pluginFinder(profile, plugins)(profile.samples[0]!);
    await core.stop();
    return plugins[index]?.plan.id;
  };

  test('is that of the innermost function that has one', async () => {
    const shared = '/packages/agent-plugin-kit/src/retry/producing-input.ts';
    expect(await find(shared, '/agent-plugins/src/inputs/generator/generator.ts', 'node:timers')).toBe('g');
    expect(await find('/bundle/agent-plugins.outputs.null.a1b2c3d4.js')).toBe('n');
  });

  test('is none where several plugins of one name run, or none of that kind', async () => {
    expect(await find('/agent-plugins/src/inputs/heartbeat/heartbeat.ts')).toBeUndefined();
    expect(await find('/agent-plugins/src/outputs/generator/generator.ts')).toBeUndefined();
  });
});
