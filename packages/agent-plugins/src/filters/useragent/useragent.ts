/**
 * useragent: names the browser, the system and the device behind a user agent text.
 */
import { readFileSync } from 'node:fs';
import { type EventMap, parseFieldReference } from '@shoal/agent-event';
import { fieldBelow, type PluginDefinition } from '@shoal/agent-plugin-kit';
import { BUNDLED_RULES, readUserAgentRules, type UserAgent, UserAgentParser } from './user-agent-parser.ts';

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
    return {
      filter: (event) => {
        const value = event.get(source);
        const text = Array.isArray(value) ? value[0] : value;
        if (typeof text !== 'string' || text === '') return 'unmatched';
        const fields = isEcs ? ecsFields(parser.parse(text), text) : legacyFields(parser.parse(text));
        for (const [name, item] of fields) event.set(fieldBelow(target, `${prefix}${name}`), item);
        return 'matched';
      },
    };
  },
};

function legacyFields(agent: UserAgent): EventMap {
  const [name, major, minor, patch] = agent.browser;
  const [os, osMajor, osMinor, osPatch] = agent.system;
  const osVersion = version([osMajor, osMinor, osPatch]);
  return present([
    ['name', name],
    ['major', major],
    ['minor', minor],
    ['patch', patch],
    ['version', version([major, minor, patch])],
    ['os', os],
    ['os_name', os],
    ['os_major', osMajor],
    ['os_minor', osMinor],
    ['os_patch', osPatch],
    ['os_version', osVersion],
    ['os_full', osVersion === null ? os : `${os} ${osVersion}`],
    ['device', agent.device],
  ]);
}

function ecsFields(agent: UserAgent, original: string): EventMap {
  const [name, ...numbers] = agent.browser;
  const [os, ...osNumbers] = agent.system;
  const fields: EventMap = present([
    ['name', name],
    ['version', version(numbers)],
    ['original', original],
  ]);
  const osVersion = version(osNumbers);
  const full = osVersion === null ? os : `${os} ${osVersion}`;
  fields.set(
    'os',
    present([
      ['name', os],
      ['version', osVersion],
      ['full', full],
    ]),
  );
  fields.set('device', present([['name', agent.device]]));
  return fields;
}

function version(numbers: readonly (string | null | undefined)[]): string | null {
  const end = numbers.findIndex((number) => number === null || number === undefined);
  const known = numbers.slice(0, end < 0 ? undefined : end);
  return known.length === 0 ? null : known.join('.');
}

function present(values: readonly (readonly [string, string | null | undefined])[]): EventMap {
  const map: EventMap = new Map();
  for (const [name, value] of values) if (value !== null && value !== undefined) map.set(name, value);
  return map;
}
