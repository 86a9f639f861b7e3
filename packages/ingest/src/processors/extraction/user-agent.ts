/** `user_agent`: names the browser, the system and the device behind the text that a client sends of itself. */
import { BUNDLED_RULES, browserVersion, systemVersion, type UserAgent, UserAgentParser } from '@shoal/agent-plugin-kit';
import { illegalArgument, lazy } from '@shoal/core';
import { type ProcessorType, simple } from '../../contract/processor.ts';
import type { ProcessorConfig } from '../../contract/processor-config.ts';
import { parseFieldPath } from '../../document/field-path.ts';
import type { DocumentMap } from '../../values/document-value.ts';

export const userAgentProcessor: ProcessorType = {
  type: 'user_agent',
  create(config) {
    const field = parseFieldPath(config.text('field'));
    const target = parseFieldPath(config.optionalText('target_field') ?? 'user_agent');
    const wanted = wantedProperties(config);
    const ignoresMissing = config.flag('ignore_missing', false);
    return simple((document) => {
      const text = ignoresMissing && !document.has(field) ? null : document.text(field);
      if (text === null) {
        if (ignoresMissing) return;
        throw illegalArgument(`field [${field.text}] is null, cannot parse user-agent.`);
      }
      document.set(target, fieldsOf(sharedParser().parse(text), text, wanted));
    });
  },
};

const PROPERTIES = [
  ...(['NAME', 'MAJOR', 'MINOR', 'PATCH', 'OS', 'OS_NAME', 'OS_MAJOR', 'OS_MINOR'] as const),
  ...(['DEVICE', 'BUILD', 'ORIGINAL', 'VERSION'] as const),
];
type Property = (typeof PROPERTIES)[number];
/** Properties that give a field of their own; the others are parts of it that are no longer shown. */
const SHOWN: readonly Property[] = ['NAME', 'OS', 'DEVICE', 'ORIGINAL', 'VERSION'];
/** Answers remembered: few user agents send most requests. */
const REMEMBERED_MAX = 1_000;
const OTHER = 'Other';

const sharedParser = lazy(() => new UserAgentParser(BUNDLED_RULES, REMEMBERED_MAX));

function wantedProperties(config: ProcessorConfig): ReadonlySet<Property> {
  const names = config.optionalTexts('properties');
  if (names === null) return new Set(SHOWN);
  return new Set(
    names.map((name) => {
      const found = PROPERTIES.find((property) => property === name.toUpperCase());
      if (found === undefined) {
        throw config.error(
          'properties',
          `illegal property value [${name}]. valid values are [${PROPERTIES.join(', ')}]`,
        );
      }
      return found;
    }),
  );
}

function fieldsOf(agent: UserAgent, text: string, wanted: ReadonlySet<Property>): DocumentMap {
  const fields: DocumentMap = new Map();
  const version = browserVersion(agent.browser, text);
  if (wanted.has('ORIGINAL')) fields.set('original', text);
  if (wanted.has('NAME')) fields.set('name', agent.browser[0] ?? OTHER);
  if (wanted.has('VERSION') && version !== null) fields.set('version', version);
  const [system] = agent.system;
  if (wanted.has('OS') && system !== null && system !== undefined && system !== OTHER) {
    fields.set('os', systemFields(system, systemVersion(agent.system)));
  }
  if (wanted.has('DEVICE')) fields.set('device', new Map([['name', agent.device]]));
  return fields;
}

function systemFields(name: string, version: string | null): DocumentMap {
  if (version === null) return new Map([['name', name]]);
  return new Map([
    ['name', name],
    ['version', version],
    ['full', `${name} ${version}`],
  ]);
}
