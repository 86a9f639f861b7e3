/**
 * Writes the expressions of uap-core (Apache-2.0), a dev dependency, as a data module of the `useragent` filter.
 *
 * Usage: node scripts/make-user-agent-regexes.mjs
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parse } from 'yaml';

const require = createRequire(new URL('../packages/agent-plugins/package.json', import.meta.url));
const target = new URL('../packages/agent-plugin-kit/src/user-agents/generated/user-agent-regexes.ts', import.meta.url);
const source = parse(readFileSync(require.resolve('uap-core/regexes.yaml'), 'utf8'));

const rows = (list, names) =>
  list
    .map(
      (rule) => `  ${JSON.stringify([rule.regex, rule.regex_flag ?? '', ...names.map((name) => rule[name] ?? '')])},\n`,
    )
    .join('');
const text = `// Made by scripts/make-user-agent-regexes.mjs from uap-core 0.18.0 (Apache-2.0): see NOTICE of this package. Do not edit.

/** regex, flags, family, v1, v2, v3 */
export const BROWSER_RULES: readonly (readonly string[])[] = [
${rows(source.user_agent_parsers, ['family_replacement', 'v1_replacement', 'v2_replacement', 'v3_replacement'])}];

/** regex, flags, os, v1, v2, v3, v4 */
export const SYSTEM_RULES: readonly (readonly string[])[] = [
${rows(source.os_parsers, ['os_replacement', 'os_v1_replacement', 'os_v2_replacement', 'os_v3_replacement', 'os_v4_replacement'])}];

/** regex, flags, device, brand, model */
export const DEVICE_RULES: readonly (readonly string[])[] = [
${rows(source.device_parsers, ['device_replacement', 'brand_replacement', 'model_replacement'])}];
`;
writeFileSync(target, text);
process.stdout.write(`${text.length} characters\n`);
