import { checkPlugin } from '@shoal/agent-config';
import type { ListedPlugin, PluginDefinition } from '@shoal/agent-plugin-kit';
import { describe, expect, test } from 'vitest';
import type { Finding } from '../../agent-config/src/options/check-plugin.ts';
import { codecPlugins } from './codecs/codec-list.ts';
import { filterPlugins } from './filters/filter-list.ts';
import { inputPlugins } from './inputs/input-list.ts';
import { outputPlugins } from './outputs/output-list.ts';

const position = { file: 'test.conf', line: 1, column: 1 };
const listed: readonly ListedPlugin[] = [...inputPlugins, ...filterPlugins, ...outputPlugins];
const loaded: readonly PluginDefinition[] = await Promise.all(listed.map((plugin) => plugin.load()));
const all: readonly PluginDefinition[] = [...loaded, ...codecPlugins];

test('the lists say of each plugin what its definition says', () => {
  const named = (plugin: ListedPlugin | PluginDefinition): string => `${plugin.kind} ${plugin.name} ${plugin.version}`;
  expect(listed.map(named)).toEqual(loaded.map(named));
});

test('the lists name every plugin of a kind once', () => {
  for (const list of [inputPlugins, filterPlugins, outputPlugins, codecPlugins]) {
    expect(new Set(list.map((plugin) => `${plugin.kind} ${plugin.name}`)).size).toBe(list.length);
    expect(new Set(list.map((plugin) => plugin.kind)).size).toBe(1);
  }
});

describe('the declared defaults pass the check of options', () => {
  test.each(all.map((definition) => [`${definition.kind} ${definition.name}`, definition] as const))(
    '%s',
    (_name, definition) => {
      const findings: Finding[] = [];
      const required = Object.entries(definition.options).filter(([, option]) => option.isRequired);
      checkPlugin({ options: [], position }, definition, {
        plugins: {
          find: (kind, name) => (kind === 'codec' ? codecPlugins.find((codec) => codec.name === name) : undefined),
          names: () => codecPlugins.map((codec) => codec.name),
        },
        codecId: (name) => name,
        report: (finding) => findings.push(finding),
      });
      expect(findings.map((finding) => finding.message)).toHaveLength(required.length);
    },
  );
});
