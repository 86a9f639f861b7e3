/**
 * The package that users install: made, installed into an empty project, and each entry used as they would.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fetchedProgram, npmCommand } from '../programs/fetched-program.test-support.ts';
import { endWithTests } from '../support/end-with-tests.test-support.ts';
import { call, type ReadyEvent } from '../support/shoal-process.test-support.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const BYTES_MAX = 25_000_000;
const NO_NETWORK = /E(?:NOTFOUND|CONNREFUSED|CONNRESET|TIMEDOUT|AI_AGAIN|NETUNREACH|HOSTUNREACH)/;

const folder = mkdtempSync(join(tmpdir(), 'shoal-package-'));
const project = join(folder, 'project');
const installed = join(project, 'node_modules/shoal');
/** Why nothing could be installed; null when it was. */
let unreachable: string | null = null;

function run(
  command: string,
  args: readonly string[],
  cwd: string = project,
): { readonly status: number | null; readonly output: string } {
  const env = { ...process.env, npm_config_cache: join(folder, 'cache'), NO_COLOR: '1' };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

function filesOf(path: string): readonly string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

beforeAll(() => {
  const packed = run(process.execPath, [join(root, 'scripts/pack.mjs'), '--out', folder], root);
  expect(packed.status, packed.output).toBe(0);
  const file = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  expect(file).toMatch(/^shoal-\d+\.\d+\.\d+\.tgz$/);
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"name":"empty","private":true,"type":"module"}');
  const install = run('npm', ['install', '--no-audit', '--no-fund', join(folder, file)]);
  if (install.status === 0) return;
  unreachable = NO_NETWORK.exec(install.output)?.[0] ?? null;
  expect(unreachable, install.output).not.toBeNull();
  console.warn(`the registry of npm is not reachable (${unreachable}): the package was made and not installed`);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Skipped, with a line that says so, where the package could not be installed. */
function installedTest(name: string, body: () => void | Promise<void>): void {
  test(name, async ({ skip }) => {
    if (unreachable !== null) skip(`not installed: ${unreachable}`);
    await body();
  });
}

describe('the package', () => {
  installedTest('names exact versions of few libraries, and nothing that only its making needs', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    const versions: readonly string[] = Object.values(manifest.dependencies);
    expect(versions.length).toBeLessThan(20);
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
    expect(manifest).not.toHaveProperty('devDependencies');
    expect(manifest).not.toHaveProperty('scripts');
  });

  installedTest('is less than 25 MB with all that it brings, none of which has an install script', () => {
    const bytes = filesOf(join(project, 'node_modules')).reduce((sum, file) => sum + statSync(file).size, 0);
    expect(bytes).toBeLessThan(BYTES_MAX);
    const lock = JSON.parse(readFileSync(join(project, 'node_modules/.package-lock.json'), 'utf8'));
    const scripted = Object.entries<{ hasInstallScript?: boolean }>(lock.packages).filter(
      ([, entry]) => entry.hasInstallScript,
    );
    expect(scripted.map(([path]) => path)).toEqual([]);
  });

  installedTest('has pages and licences, and neither sources nor maps nor names of rooms in its types', () => {
    const files = filesOf(installed).map((file) => file.slice(installed.length + 1));
    for (const name of [
      'README.md',
      'LICENSE',
      'THIRD-PARTY.md',
      'docs/testing-your-application.md',
      'sample/debian-packages.ndjson.gz',
    ])
      expect(files).toContain(name);
    expect(files.filter((file) => /\.map$|\.test\.|(?<!\.d)\.ts$/.test(file))).toEqual([]);
    const types = files.filter((file) => file.endsWith('.d.ts'));
    expect(types.filter((file) => /@shoal\//.test(readFileSync(join(installed, file), 'utf8')))).toEqual([]);
  });
});

const ESM = `
import { SearchClient } from 'shoal/client';
import { startShoal } from 'shoal/testing';
const node = await startShoal();
`;
const COMMON_JS = `
const { SearchClient } = require('shoal/client');
const { startShoal } = require('shoal/testing');
`;
/** Uses both entries, and in an ingest pipeline the libraries that are joined with the package. */
const PROGRAM = `
  const ask = async (path, method, body) => (await node.fetch(path, { method, ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }) })).json();
  const pipeline = { processors: [{ grok: { field: 'm', patterns: ['%{IP:ip} %{WORD:verb}'] } }, { registered_domain: { field: 'd', target_field: 'r' } }, { user_agent: { field: 'u' } }] };
  const source = { m: '10.0.0.1 GET', d: 'www.example.co.uk', u: 'Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0' };
  const { docs: [{ doc }] } = await ask('/_ingest/pipeline/_simulate', 'POST', { pipeline, docs: [{ _source: source }] });
  const client = new SearchClient({ node: node.url }).index('packages');
  await client.index({ name: 'running shoes' }, { id: '1', refresh: true });
  const { hits } = await client.search({ query: { match: { name: 'shoes' } } });
  console.log(JSON.stringify([hits.total.value, hits.hits[0]._id, doc._source.verb, doc._source.r.registered_domain, doc._source.user_agent.name]));
  await node.close();
`;
const PRINTED = '[1,"1","GET","example.co.uk","Firefox"]\n';

const nodes = [
  { title: `Node ${process.versions.node}`, command: process.execPath, isHere: true },
  ...['node-22', 'node-24']
    .map(fetchedProgram)
    .map((program) => ({ ...program, command: npmCommand(program, 'node') })),
];

describe.each(nodes)('with $title, its entries are', ({ command, isHere, title }) => {
  if (!isHere) console.warn(`skipped: ${title}`);

  const entryTest = isHere ? installedTest : (name: string) => test.skipIf(true)(name, () => {});

  entryTest('imported by a module', () => {
    writeFileSync(join(project, 'use.mjs'), ESM + PROGRAM);
    expect(run(command, ['use.mjs'])).toEqual({ status: 0, output: PRINTED });
  });

  entryTest('required by CommonJS', () => {
    writeFileSync(join(project, 'use.cjs'), `${COMMON_JS}startShoal().then(async (node) => {${PROGRAM}});`);
    expect(run(command, ['use.cjs'])).toEqual({ status: 0, output: PRINTED });
  });

  entryTest('the same modules whoever loads them', () => {
    const program = `import { createRequire } from 'node:module'; import { startShoal } from 'shoal/testing';
      console.log(createRequire(import.meta.url)('shoal/testing').startShoal === startShoal);`;
    expect(run(command, ['--input-type=module', '-e', program])).toEqual({ status: 0, output: 'true\n' });
  });

  entryTest('run as a command', () => {
    expect(run(command, [join(installed, 'bin/shoal.js'), '--version']).output).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

const old = fetchedProgram('node-18');

describe.skipIf(!old.isHere)(`with ${old.title}, which is older than what it needs,`, () => {
  const NEEDED = 'shoal needs Node.js 20.19 or newer, and this is 18.';
  const entries = (): readonly string[] =>
    Object.keys(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')).exports)
      .filter((name) => name !== './package.json')
      .map((name) => `shoal/${name.slice(2)}`);
  const told = (program: string, type: string): string =>
    run(npmCommand(old, 'node'), [`--input-type=${type}`, '-e', program]).output;

  installedTest('every entry says so, imported or required', () => {
    expect(entries().length).toBeGreaterThan(5);
    for (const entry of entries()) {
      expect(told(`await import('${entry}').catch((error) => console.log(error.message))`, 'module')).toContain(NEEDED);
      expect(told(`try { require('${entry}') } catch (error) { console.log(error.message) }`, 'commonjs')).toContain(
        NEEDED,
      );
    }
  });

  installedTest('so does the command', () => {
    expect(run(npmCommand(old, 'node'), [join(installed, 'bin/shoal.js')]).output).toContain(NEEDED);
  });
});

describe('its types', () => {
  const USE = `
    export async function use(): Promise<number> {
      const node: ShoalNode = await startShoal();
      const client = new SearchClient({ node });
      const answer = await client.index('packages').search({ query: { match: { name: 'shoes' } } });
      const over = new SearchClient({ node: node.url });
      await over.request({ path: '/' });
      await node.clock.advance('1d');
      await node.close();
      return answer.hits.hits.length;
    }
    export async function useNodes(): Promise<readonly ClusterSearchHit[]> {
      const member: NodeClient = await NodeClient.start({ clusterName: 'shoal', seedHosts: ['127.0.0.1'] });
      const outside: ShoalClient = await TransportClient.start({ addresses: ['127.0.0.1:9300'], sniff: true });
      const { hits } = await member.search({ index: 'packages', body: { query: { match_all: {} } } });
      await outside.bulk({ index: 'packages', refresh: 'wait_for', operations: [{ kind: 'index', document: { name: 'shoes' } }] });
      return hits;
    }`;
  const IMPORTS = `
    import { type ClusterSearchHit, NodeClient, SearchClient, type ShoalClient, TransportClient } from 'shoal/client';
    import { type ShoalNode, startShoal } from 'shoal/testing';`;
  const MISTAKES = [
    'startShoal({ setings: {} });',
    "new SearchClient({ nodes: '' });",
    "NodeClient.start({ clusterName: 'shoal' });",
    'async function ask(client: NodeClient) { return (await client.get({ index: "a", id: "1" })).source; }',
    'async function send(client: TransportClient) { return client.execute; }',
  ];

  installedTest('compile in a project that has nothing else', () => {
    writeFileSync(join(project, 'use.ts'), IMPORTS + USE);
    writeFileSync(join(project, 'use-common.cts'), `${IMPORTS}${USE}`);
    writeFileSync(join(project, 'wrong.ts'), [IMPORTS, ...MISTAKES].join('\n'));
    const strict = { module: 'nodenext', target: 'es2023', strict: true, noEmit: true, skipLibCheck: false, types: [] };
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: strict, include: ['*.ts', '*.cts'] }),
    );
    const { output } = run(join(root, 'node_modules/.bin/tsc'), ['-p', '.', '--pretty', 'false']);
    expect([...output.matchAll(/^(\S+?)\(/gm)].map(([, file]) => file)).toEqual(MISTAKES.map(() => 'wrong.ts'));
  });
});

describe('`npx shoal up` of it', () => {
  let child: ChildProcess | null = null;
  let http = '';
  let transport = '';
  afterAll(async () => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    // The cluster ends with the process that started it.
    child.kill('SIGKILL');
    await closed;
  });

  installedTest('is a cluster with the sample in it and an agent beside it', async () => {
    const ports = ['--http-port', '0', '--transport-port', '0', '--agent-port', '0'];
    const started = spawn(
      'npx',
      ['--no-install', 'shoal', 'up', '--json', '--ephemeral', '--nodes', '1', '--agent', ...ports],
      {
        cwd: project,
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    child = started;
    endWithTests(started);
    const [line] = (await once(createInterface({ input: started.stdout }), 'line')) as [string];
    const ready = JSON.parse(line) as ReadyEvent;
    http = ready.http[0] ?? '';
    transport = ready.transport[0] ?? '';
    expect((await call(http, 'GET', '/debian-packages/_count')).body.count).toBe(5306);
    const agent = await call(ready.agent?.http ?? '', 'GET', '/_node/stats/pipelines');
    expect(agent.body.pipelines).toHaveProperty('access-logs');
    const metrics = await fetch(`${ready.agent?.http}/metrics`);
    expect(metrics.status).toBe(200);
  });

  /** Both clients of 9300, each of which writes and finds what was written. */
  const CLIENTS = `
    const [address] = process.argv.slice(2);
    const clusterName = 'shoal';
    const started = [NodeClient.start({ clusterName, seedHosts: [address] }), TransportClient.start({ clusterName, addresses: [address] })];
    for (const client of await Promise.all(started)) {
      await client.index({ index: 'notes', id: client.constructor.name, document: { text: 'both' }, refresh: 'immediate' });
      const { hits } = await client.search({ index: 'notes', body: { query: { match: { text: 'both' } } } });
      console.log(hits.length);
      await client.close();
    }
    await fetch(process.argv[3] + '/notes', { method: 'DELETE' });`;

  installedTest('is joined by the node client of the package, and asked by its transport client', () => {
    writeFileSync(
      join(project, 'clients.mjs'),
      `import { NodeClient, TransportClient } from 'shoal/client';${CLIENTS}`,
    );
    expect(run(process.execPath, ['clients.mjs', transport, http])).toEqual({ status: 0, output: '1\n2\n' });
    const required = `const { NodeClient, TransportClient } = require('shoal/client'); (async () => {${CLIENTS}})();`;
    writeFileSync(join(project, 'clients.cjs'), required);
    expect(run(process.execPath, ['clients.cjs', transport, http])).toEqual({
      status: 0,
      output: '1\n2\n',
    });
  });

  installedTest('and its other commands find what they need', () => {
    writeFileSync(join(project, 'mapping.json'), '{"shop":{"mappings":{"properties":{"title":{"type":"text"}}}}}');
    expect(run('npx', ['--no-install', 'shoal', 'types', '--mapping', 'mapping.json']).output).toContain(
      'ShopDocument',
    );
  });
});
