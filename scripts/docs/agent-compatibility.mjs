/**
 * docs/agent-compatibility.md: every plugin of Logstash, here or not, with its options, and what is known to differ.
 *
 * Options are what the plugins declare. Differences stand beside each plugin, as lines of its `differences.md`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../built.mjs';

const { codecPlugins, filterPlugins, inputPlugins, outputPlugins } = await import(
  '../../packages/agent-plugins/dist/index.js'
);
const options = '../../packages/agent-config/dist/options';
const { LOGSTASH_PLUGINS } = await import(`${options}/logstash-plugins.js`);
const { missingPluginText } = await import(`${options}/known-plugins.js`);

const KINDS = [
  ['input', 'Inputs', inputPlugins],
  ['filter', 'Filters', filterPlugins],
  ['output', 'Outputs', outputPlugins],
  ['codec', 'Codecs', codecPlugins],
];

const code = (text) => `\`${text}\``;

function differencesOf(kind, name) {
  const path = join(root, 'packages/agent-plugins/src', `${kind}s`, name.replaceAll('_', '-'), 'differences.md');
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : null;
}

/** Options with the same reason share a line. */
function reasons(title, declared, member) {
  const byReason = new Map();
  for (const [option, { [member]: reason }] of declared)
    if (reason !== undefined) byReason.set(reason, [...(byReason.get(reason) ?? []), code(option)]);
  const lines = [...byReason].map(([reason, options]) => `- ${options.join(', ')}: ${reason}`);
  return lines.length === 0 ? [] : [`${title}:\n\n${lines.join('\n')}`];
}

function pluginSection(kind, definition) {
  const { name, version, options } = definition;
  const declared = Object.entries(options);
  const taken = declared.filter(([, { obsolete, deprecated }]) => (obsolete ?? deprecated) === undefined);
  const parts = [
    `### ${kind} ${name}`,
    LOGSTASH_PLUGINS[kind].has(name)
      ? `Behaves as version ${version} of Logstash's.`
      : 'Logstash has no plugin of this name.',
    ...(taken.length === 0 ? [] : [`Options: ${taken.map(([option]) => code(option)).join(', ')}.`]),
    ...reasons('Taken, with a warning', declared, 'deprecated'),
    ...reasons('Refused', declared, 'obsolete'),
  ];
  const differences = differencesOf(kind, name);
  if (differences !== null) parts.push(`Differs:\n\n${differences}`);
  return parts.join('\n\n');
}

async function kindSection([kind, title, plugins]) {
  const definitions = await Promise.all(plugins.map((plugin) => plugin.load?.() ?? plugin));
  const sections = definitions.sort((a, b) => (a.name < b.name ? -1 : 1)).map((plugin) => pluginSection(kind, plugin));
  return `## ${title}\n\n${sections.join('\n\n')}`;
}

function missingSection() {
  const rows = KINDS.flatMap(([kind, , plugins]) => {
    const here = new Set(plugins.map(({ name }) => name));
    return [...LOGSTASH_PLUGINS[kind]]
      .filter((name) => !here.has(name))
      .sort()
      .map((name) => `| ${kind} | ${code(name)} | ${missingPluginText(kind, name).replace(/^.*?: /, '')} |`);
  });
  return `## Not here

| kind | plugin of Logstash | instead |
| --- | --- | --- |
${rows.join('\n')}`;
}

export async function agentCompatibilityPage() {
  const general = readFileSync(join(root, 'scripts/docs/agent-compatibility.md'), 'utf8').trim();
  const sections = await Promise.all(KINDS.map(kindSection));
  return `${[general, ...sections, missingSection()].join('\n\n')}\n`;
}
