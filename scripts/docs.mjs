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
const { agentCompatibilityPage } = await import('./docs/agent-compatibility.mjs');
const { NODE_SETTINGS } = await import('../packages/node/dist/index.js');
const { restRoutes } = await import('../packages/rest/dist/index.js');
const agent = '../packages/pipeline-agent/dist/settings';
const { AGENT_SETTINGS, PIPELINE_SETTING_NAMES } = await import(`${agent}/agent-settings.js`);
const { unusedSettings } = await import(`${agent}/unused-settings.js`);
const { MONITORING_ROUTES } = await import('../packages/pipeline-agent/dist/api/routes/monitoring-routes.js');

const aggregations = '../packages/aggregations/dist';
const { AGGREGATION_TYPES } = await import(`${aggregations}/kinds/aggregation-kinds.js`);
const { UNSUPPORTED_TYPES } = await import(`${aggregations}/kinds/unsupported-types.js`);
const { PIPELINE_KINDS } = await import(`${aggregations}/pipelines/kinds/pipeline-kinds.js`);

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

## Browsers on this machine

A node asks nobody for a password, and every page in a browser on this machine could reach it. So it refuses with 403

- a \`Host\` that a page can have rebound to this address. Let in are addresses, names without a dot (services of docker compose or
  Kubernetes: no such name can be bought), names below \`localhost\`, \`local\`, \`internal\`, \`test\` and \`home.arpa\` (which the public DNS
  never delegates: \`host.docker.internal\`), the name of this machine, those of \`network.host\`, \`network.publish_host\`, \`http.host\` and
  \`http.publish_host\`, and what \`http.allowed_hosts\` lists: \`es.example.com\`, \`*.example.com\` for all below it, \`*\` for any. A reverse proxy
  that passes on the \`Host\` of its own clients needs that setting. A request without a \`Host\` is not a browser's;
- the \`Origin\` of another site, unless \`http.cors.enabled\` is on and \`http.cors.allow-origin\` has it: origins with scheme and port, \`*\`, or
  a regular expression between slashes, which is the whole origin;
- what a page asks without an origin (\`Sec-Fetch-Site: cross-site\` or \`same-site\`), but for links that a user follows.

The parameter \`source\` of requests that change something counts only beside \`Content-Type: application/json\`, which no page sends unasked.
\`http.cors.*\` mean what they mean in Elasticsearch; \`max-age\` is in seconds.
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
\`pipeline.workers: 0\` is one a core, \`queue.max_events: 0\` and \`dead_letter_queue.retain.age: 0\` are no limit.
\`queue.max_bytes\` is about queues on disk, \`queue.memory.max_bytes\` about those in memory, with what their workers have. Each entry of
\`pipelines.yml\` may set those of a pipeline for itself.

Inputs of all pipelines share one thread with the API, in turns of a few milliseconds. One that has much to decode (a busy beats, http or tcp, JSON out of files) lets
all others wait for more turns: \`pipeline.inputs.thread: own\` gives the inputs of its pipeline a thread for themselves, for some twenty mebibytes. With \`auto\`, the default,
they share one until they have worked for a quarter of the time over fifteen seconds; the log says so, and from the next start of their pipeline on, be it a reload of
its changed configuration or a start of the agent, they have one of their own. Inputs that run are not moved: what is on its way in a socket, and the rest of a file that was
deleted meanwhile, would be lost. The data folder keeps which pipelines those are (\`busy-inputs.json\`): sixteen at most, each for a week after its inputs
were busy last. What a thread of inputs has received and the queue does not have yet is limited for itself. The inputs \`stdin\` and \`pipeline\` stay where they are.

Names of fields are those of the Elastic Common Schema, as in Logstash 8 (\`pipeline.ecs_compatibility: v8\`): grok, inputs, codecs, some
filters and the elasticsearch output follow it (\`[source][address]\`, \`[log][file][path]\`, and the untouched text in \`[event][original]\`).
A configuration written for Logstash 7 or older wants \`disabled\`, for its short names (\`clientip\`, \`path\`). A plugin may say otherwise for
itself with its option \`ecs_compatibility\`; so may a codec, which else does as its input or output does.

${table(['setting', 'default', 'in pipelines.yml', 'also known as', ''], rows)}
`;
}

function apiPage() {
  const type = (declared) => (Array.isArray(declared) ? declared.join(' / ') : (declared.type ?? declared));
  const rows = restRoutes
    .flatMap((route) => route.paths.map((path) => ({ ...route, path })))
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.methods[0] < b.methods[0] ? -1 : 1))
    .map(({ methods, path, params = {}, body = 'none', privilege, task }) => [
      methods.join(', '),
      code(path),
      body === 'none' ? '' : body,
      Object.entries(params)
        .map(([name, declared]) => `${code(name)} ${type(declared)}`)
        .join(', '),
      code(privilege),
      task === null ? '' : `${code(task.action)}${task.isCancellable ? ', cancellable' : ''}`,
    ]);
  return `# HTTP API

Every route of port 9200 with its body, its parameters, the privilege that it takes and the task that \`_tasks\` lists for it. All take \`pretty\`, \`human\`, \`error_trace\`, \`format\` and \`filter_path\` as well, those with a body
\`source\` and \`source_content_type\` too. A parameter that is not here is refused with the nearest known name; a route that is not here does not exist.
Privileges have the names of Elasticsearch's actions.

${table(['method', 'path', 'body', 'parameters', 'privilege', 'task'], rows)}

${aggregationsSection()}`;
}

function aggregationsSection() {
  const listed = (names) => [...names].sort().map(code).join(', ');
  return `## Aggregations

Of documents, in \`aggs\` of a search: ${listed(AGGREGATION_TYPES.keys())}.

Of the results of others, computed by the coordinator: ${listed(PIPELINE_KINDS.keys())}.

Known by name and refused with 400: ${listed([...UNSUPPORTED_TYPES])}.
`;
}

function agentApiPage() {
  const type = (declared) => (Array.isArray(declared) ? declared.join(' / ') : (declared.type ?? declared));
  const rows = MONITORING_ROUTES.flatMap(({ paths, params = {}, summary }) =>
    paths.map((path) => [
      code(path),
      summary,
      Object.entries(params)
        .map(([name, declared]) => `${code(name)} ${type(declared)}`)
        .join(', '),
    ]),
  );
  const numbers = [
    [
      code('jvm.threads'),
      'threads of this process as the kernel counts them (where it does not: the main thread and the workers); the peak as seen at requests and every 5 s',
    ],
    [
      code('jvm.mem.heap_*'),
      'the V8 heaps of the main thread and of all workers together; a worker tells its own with its work, at most once a second',
    ],
    [
      code('jvm.mem.non_heap_*'),
      'used: buffers and other memory of the engine beside its heaps; committed: what the system gave to the process beside them',
    ],
    [
      code('jvm.mem.pools'),
      '`young`: the new spaces, `old`: the old and the large object spaces. Their limit is that of the whole heap. `survivor` is always 0: V8 does not tell it',
    ],
    [
      code('jvm.gc.collectors'),
      '`young`: scavenges, `old`: all other collections, counted from the start of the API or of the worker',
    ],
    [
      code('process.*_file_descriptors'),
      'entries of `/proc/self/fd`, the peak as seen; without `/proc` 0, and -1 for the maximum',
    ],
    [code('os.cgroup'), 'the control group of this process, version 1 or 2; `os` is empty where there is none'],
    [
      code('events.out'),
      'events that reached outputs: dropped ones are not in it. A reload begins the counters of a pipeline anew, not those of the node',
    ],
    [
      '`queue.lost_events`',
      'events of a persisted queue that damage of its disk has made unreadable since the start; what cannot be read is copied beside its page, as `page.N.damaged.OFFSET`',
    ],
    [
      code('codecs'),
      'their durations are measured; of events that are written one by one each sixteenth is timed and stands for the rest',
    ],
    [
      code('flow'),
      'growth of counters over ten seconds, 1, 5 and 15 minutes, an hour, a day and the whole life. Growth without time or events is the text `Infinity`; where nothing moved the rate is left out',
    ],
    [
      code('build_date'),
      'when the program was built on this machine; `build_sha` is `unknown`, as on the nodes of the cluster',
    ],
  ];
  return `# The monitoring API of the agent

What \`shoal agent\` says of itself, on the first free port of 9600 to 9700 (\`api.http.port\`). GET and HEAD alone: other methods get a 405. The answers
are those of Logstash 8.17, so that logstash-exporter and Metricbeat read them.

${table(['path', 'answers', 'parameters'], rows)}

All take \`pretty\`, \`human\`, \`format=yaml\` and \`filter_path\`; switches also know yes, no, t, f, y, n, 1 and 0. Under \`human\` sizes and times of the
stats are readable, in place (\`total_virtual_in_bytes\`) and once more without the unit (\`total_virtual\`). A parameter that is not here is passed
over. Errors are \`{"path", "status", "error": {"message"}}\`.

\`/_node/stats/stream?interval=1s\` is a WebSocket: all stats, again and again (100ms to 1h). A client that does not read misses some.

## Who may ask

On this machine everybody, unless \`api.auth.type\` is \`basic\`: then name and password are asked for on every path, that of the stream among them.
Beyond this machine (\`api.http.host\`) the API starts only with both users and TLS, or with \`--insecure\`. With both, and no address set, it listens
everywhere.

An API without users answers under addresses, names without a dot, its own names and those of \`api.http.allowed_hosts\`, and no page of another
site; other requests get a 403 (docs/settings.md says why).

    api.auth.type: basic
    api.auth.basic.username: watcher
    api.auth.basic.password: "\${WATCHER_PASSWORD}"
    api.ssl.enabled: true
    api.ssl.keystore.path: agent.p12           # PKCS#12, opened by api.ssl.keystore.password
    # or as PEM: api.ssl.certificate and api.ssl.key (with api.ssl.key_passphrase)

## What the numbers are

There is no Java here. Where a name speaks of it, the number is what comes nearest:

${table(['name', 'what it is'], numbers)}

What the system says of the process is read at most every 250 ms, control groups and file systems every second. Who asks the same
again within 50 ms gets the same answer; no answer is older than another one that was given before it. The counters of the node never fall.

## Hot threads

Every thread is watched by V8's profiler for the interval, while the pipeline goes on. \`percent_of_cpu_time\` is the processor time of the thread over
that interval, from the kernel. \`plugins\` says in which plugins it was, with pipeline, id and place in the configuration; \`traces\` names the
functions, and a regular expression by its text. A thread has the names of the workers that sit in it, of the first three where there are more; \`[ID]<inputs\` is that of the inputs of a pipeline that have one of their own (\`pipeline.inputs.thread\`). Samples of a worker belong to the plugin that ran at that moment; those of the main thread, where
inputs run, are told apart by the files of the functions on the stack. A worker inside one long call, such as a regular expression, cannot answer: a second
after the interval it is named by the plugin that it had published in shared memory. One profile is taken at a time: who asks for the same
interval meanwhile gets the same one, another interval gets a 429.
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
  'agent-api.md': agentApiPage(),
  'agent-compatibility.md': await agentCompatibilityPage(),
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
