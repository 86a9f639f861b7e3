/**
 * useragent: names the browser, the system and the device behind a user agent text.
 */
import { readFileSync } from 'node:fs';
import { type FieldReference, parseFieldReference } from '@shoal/agent-event';
import {
  BUNDLED_RULES,
  browserVersion,
  fieldBelow,
  type PluginDefinition,
  systemVersion,
  type UserAgent,
  UserAgentParser,
} from '@shoal/agent-plugin-kit';
import { readUserAgentRules } from './read-user-agent-rules.ts';

export const useragentFilter: PluginDefinition = {
  kind: 'filter',
  name: 'useragent',
  version: '3.3.5',
  isStateless: true,
  options: {
    source: { type: 'fieldReference', isRequired: true },
    target: { type: 'fieldReference' },
    prefix: { type: 'string', default: '' },
    regexes: { type: 'path' },
    lru_cache_size: { type: 'number', default: 100000 },
  },
  create: (options, context) => {
    const source = options.reference('source');
    const isEcs = context.ecs !== 'disabled';
    const given = options.has('target') ? options.reference('target') : null;
    const target = given ?? (isEcs ? parseFieldReference('user_agent') : null);
    const rules = options.has('regexes')
      ? readUserAgentRules(readFileSync(options.string('regexes'), 'utf8'))
      : BUNDLED_RULES;
    const parser = new UserAgentParser(rules, Math.max(1, options.number('lru_cache_size')));
    const prefix = options.string('prefix');
    if (isEcs && prefix !== '') {
      context.runtime.log.warn('useragent does not use prefix with ECS', { plugin: context.pluginId, prefix });
    }
    const fields = isEcs ? ecsFields(target) : legacyFields(target, prefix);
    const replacesSource = given !== null && given.text === source.text;
    return {
      filter: (event) => {
        const value = event.get(source);
        const text = Array.isArray(value) ? value[0] : value;
        if (typeof text !== 'string' || text === '') return 'unmatched';
        const agent = parser.parse(text);
        if (replacesSource) event.remove(source);
        for (const field of fields) {
          const item = field.read(agent, text);
          if (item !== null && item !== undefined) event.set(field.reference, item);
        }
        return 'matched';
      },
    };
  },
};

type ReadField = (agent: UserAgent, text: string) => string | null | undefined;

interface AgentField {
  readonly reference: FieldReference;
  readonly read: ReadField;
}

const NAMES: Readonly<Record<string, ReadField>> = {
  name: ({ browser }) => browser[0],
  device: ({ device }) => device,
  major: ({ browser }) => browser[1],
  minor: ({ browser }) => browser[2],
  patch: ({ browser }) => browser[3],
  version: ({ browser }, text) => browserVersion(browser, text),
  os_major: ({ system }) => system[1],
  os_minor: ({ system }) => system[2],
  os_patch: ({ system }) => system[3],
  os_version: ({ system }) => systemVersion(system),
  os_name: ({ system }) => system[0],
  os: ({ system }) => system[0],
  os_full: ({ system }) => [system[0], systemVersion(system)].filter((part) => part !== null).join(' '),
};

const ECS_NAMES: Readonly<Record<string, string>> = {
  name: '[name]',
  device: '[device][name]',
  version: '[version]',
  os_version: '[os][version]',
  os_name: '[os][name]',
  os_full: '[os][full]',
};

/** What ECS has no names for; not part of what outputs write. */
const ECS_METADATA: Readonly<Record<string, string>> = {
  major: '[@metadata][filter][user_agent][version][major]',
  minor: '[@metadata][filter][user_agent][version][minor]',
  patch: '[@metadata][filter][user_agent][version][patch]',
  os_major: '[@metadata][filter][user_agent][os][version][major]',
  os_minor: '[@metadata][filter][user_agent][os][version][minor]',
  os_patch: '[@metadata][filter][user_agent][os][version][patch]',
};

function legacyFields(target: FieldReference | null, prefix: string): readonly AgentField[] {
  return Object.entries(NAMES).map(([name, read]) => ({ reference: fieldBelow(target, `${prefix}${name}`), read }));
}

function ecsFields(target: FieldReference | null): readonly AgentField[] {
  return Object.entries(NAMES).flatMap(([name, read]): readonly AgentField[] => {
    const own = ECS_NAMES[name];
    if (own !== undefined) return [{ reference: fieldBelow(target, own), read }];
    const metadata = ECS_METADATA[name];
    return metadata === undefined ? [] : [{ reference: parseFieldReference(metadata), read }];
  });
}
