/** Rules of user agents from a file of the user, in the format of uap-core. */
import type { UserAgentRules } from '@shoal/agent-plugin-kit';
import { parse } from 'yaml';

/** Rules of a user's own `regexes.yaml`. */
export function readUserAgentRules(text: string): UserAgentRules {
  const file: unknown = parse(text);
  const rows = (list: string, names: readonly string[]): readonly (readonly string[])[] => {
    const rules = isRecord(file) ? file[list] : undefined;
    if (!Array.isArray(rules)) return [];
    return rules
      .filter(isRecord)
      .map((rule) => ['regex', 'regex_flag', ...names].map((name) => String(rule[name] ?? '')));
  };
  return {
    browser: rows('user_agent_parsers', ['family_replacement', 'v1_replacement', 'v2_replacement', 'v3_replacement']),
    system: rows('os_parsers', [
      'os_replacement',
      'os_v1_replacement',
      'os_v2_replacement',
      'os_v3_replacement',
      'os_v4_replacement',
    ]),
    device: rows('device_parsers', ['device_replacement', 'brand_replacement', 'model_replacement']),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
