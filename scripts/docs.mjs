#!/usr/bin/env node
/**
 * Writes the pages under docs/ that follow from the code: settings, the API with its parameters, errors.
 *
 *   node scripts/docs.mjs           writes them
 *   node scripts/docs.mjs --check   fails when one is not what the code says
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildIfNeeded, root } from './built.mjs';

buildIfNeeded();
const { NODE_SETTINGS } = await import('../packages/data-node/dist/index.js');
const { coordinatorRoutes } = await import('../packages/coordinator/dist/index.js');
const agent = '../packages/pipeline-agent/dist/agent';
const { AGENT_SETTINGS, PIPELINE_SETTING_NAMES } = await import(`${agent}/agent-settings.js`);
const { unusedSettings } = await import(`${agent}/unused-settings.js`);

const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
const code = (text) => (text === '' ? '' : `\`${text}\``);

const declared = (registry) =>
  registry
    .names()
    .map((name) => [name, registry.find(name)])
    .filter(([name, setting]) => setting.name === name)
    .sort(([a], [b]) => (a < b ? -1 : 1));

function settingsPage() {
  const rows = declared(NODE_SETTINGS).map(([name, { defaultText, isDynamic, aliases }]) => [
    code(name),
    code(defaultText),
    isDynamic ? 'yes' : 'no',
    aliases.map(code).join(', '),
  ]);
  return `# Settings of a node

Written in \`shoal.yml\` (nested or dotted), as a variable (\`cluster.name\` is \`SHOAL_CLUSTER_NAME\`) or on the command line
(\`--set cluster.name=x\`); command line beats environment beats file. An unknown name stops the start with the nearest known one.
Dynamic settings may also be changed through \`PUT _cluster/settings\`.

${table(['setting', 'default', 'dynamic', 'also known as'], rows)}
`;
}

function agentSettingsPage() {
  const rows = declared(AGENT_SETTINGS).map(([name, { defaultText, aliases }]) => [
    code(name),
    code(defaultText),
    PIPELINE_SETTING_NAMES.has(name) ? 'yes' : 'no',
    aliases.map(code).join(', '),
    unusedSettings({ toFlat: () => ({ [name]: '' }) }).map(([, reason]) => `no effect: ${reason}`),
  ]);
  return `# Settings of the agent

Written in \`agent.yml\` in the folder of \`path.settings\` (nested or dotted), as a variable (\`pipeline.workers\` is
\`SHOAL_PIPELINE_WORKERS\`) or on the command line (\`--set pipeline.workers=2\`, or the flags of \`shoal agent --help\`); command line beats
environment beats file. An unknown name stops the start with the nearest known one. Names and defaults are Logstash's where it has them;
\`pipeline.workers: 0\` is one a core, \`queue.max_events: 0\` and \`dead_letter_queue.retain.age: 0\` are no limit. Each entry of
\`pipelines.yml\` may set those of a pipeline for itself.

${table(['setting', 'default', 'in pipelines.yml', 'also known as', ''], rows)}
`;
}

function apiPage() {
  const type = (declared) => (Array.isArray(declared) ? declared.join(' / ') : declared);
  const rows = coordinatorRoutes
    .flatMap((route) => route.paths.map((path) => ({ ...route, path })))
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.methods[0] < b.methods[0] ? -1 : 1))
    .map(({ methods, path, params = {} }) => [
      methods.join(', '),
      code(path),
      Object.entries(params)
        .map(([name, declared]) => `${code(name)} ${type(declared)}`)
        .join(', '),
    ]);
  return `# HTTP API

Every route of port 9200 with its parameters. All take \`pretty\`, \`human\`, \`error_trace\`, \`format\` and \`filter_path\` as well. A parameter that is
not here is refused with the nearest known name; a route that is not here does not exist.

${table(['method', 'path', 'parameters'], rows)}
`;
}

function* typescriptFiles(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory() && entry.name !== 'dist' && entry.name !== 'node_modules') yield* typescriptFiles(path);
    else if (/(?<!\.test|\.test-support)\.ts$/.test(entry.name)) yield path;
  }
}

function errorsPage() {
  const raised = new Map();
  for (const path of typescriptFiles(join(root, 'packages'))) {
    const text = readFileSync(path, 'utf8');
    for (const [, type, status] of text.matchAll(/new ShoalError\(\s*'([a-z_]+)',\s*(\d{3})/g)) {
      const room = path.slice(join(root, 'packages').length + 1).split('/')[0];
      const key = `${type} ${status}`;
      raised.set(key, (raised.get(key) ?? new Set()).add(room));
    }
  }
  const rows = [...raised]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, rooms]) => [code(key.split(' ')[0]), key.split(' ')[1], [...rooms].sort().join(', ')]);
  return `# Errors

Types and statuses are Elasticsearch's: clients match on them. The last column says which rooms raise them.

${table(['type', 'status', 'raised in'], rows)}
`;
}

const pages = {
  'settings.md': settingsPage(),
  'agent-settings.md': agentSettingsPage(),
  'api.md': apiPage(),
  'errors.md': errorsPage(),
};
const isCheck = process.argv.includes('--check');
let stale = 0;
for (const [name, text] of Object.entries(pages)) {
  const path = join(root, 'docs', name);
  let before = '';
  try {
    before = readFileSync(path, 'utf8');
  } catch {
    // Not written yet.
  }
  if (before === text) continue;
  stale += 1;
  if (isCheck) process.stderr.write(`docs/${name} is not what the code says: run node scripts/docs.mjs\n`);
  else writeFileSync(path, text);
}
if (isCheck && stale > 0) process.exit(1);
