/**
 * A node as the container image starts it, under the variables that the Elasticsearch modules of Testcontainers set.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from '@elastic/elasticsearch';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { endWithTests } from '../support/end-with-tests.test-support.ts';
import { runShoal, shoalBinary, startUp } from '../support/shoal-process.test-support.ts';

/** What the module for Java waits for in the log, one line with its line feed. */
const WAITS_FOR = /.*("message":\s?"started[\s?|"].*|] started\n$)/;
const HEALTH = fileURLToPath(new URL('../../scripts/container/health.mjs', import.meta.url));
/** Variables that the image itself sets. */
const IMAGE = { SHOAL_ELASTICSEARCH_ENVIRONMENT: 'true' };
const MODULE = { 'discovery.type': 'single-node', ES_JAVA_OPTS: '-Xmx512m', ELASTIC_PASSWORD: 'changeme' };

const WAIT = { timeout: 60_000, interval: 200 };

const folder = mkdtempSync(join(tmpdir(), 'shoal-container-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let child: ChildProcess | null = null;
afterEach(async () => {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
});

const args = (name: string): readonly string[] => {
  const ports = ['--http-port', '0', '--transport-port', '0'];
  return ['data-node', '--data', join(folder, name), ...ports];
};

/** Starts a node and waits for what Testcontainers waits for; the log until then. */
async function start(
  name: string,
  env: Readonly<Record<string, string>>,
): Promise<{ url: string; log: readonly string[] }> {
  const started = spawn(process.execPath, [shoalBinary, ...args(name)], {
    env: { ...process.env, ...IMAGE, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child = started;
  endWithTests(started);
  const log: string[] = [];
  for await (const line of createInterface({ input: started.stdout })) {
    log.push(line);
    if (WAITS_FOR.test(`${line}\n`)) break;
  }
  started.stdout.resume();
  const up = log.map((line) => JSON.parse(line)).find(({ message }) => message === 'node is up');
  return { url: `http://127.0.0.1:${up.http.split(':').at(-1)}`, log };
}

async function health(url: string, env: Readonly<Record<string, string>>): Promise<number | null> {
  const check = spawn(process.execPath, [HEALTH], {
    env: { ...process.env, ...env, HEALTH_URL: url },
    stdio: 'ignore',
  });
  const [status] = await once(check, 'close');
  return status;
}

describe('a node in a container', () => {
  test('answers once its log says so, to who has the password alone', async () => {
    const { url, log } = await start('password', {
      ...MODULE,
      'cluster.name': 'mine',
      'node.attr.zone': 'a',
      'xpack.security.http.ssl.enabled': 'false',
    });
    expect(log.join('\n')).toContain('ES_JAVA_OPTS');
    expect(log.join('\n')).toContain('"http":"0.0.0.0:');
    const refused = await fetch(`${url}/_cluster/health`);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      'Basic realm="security" charset="UTF-8"',
    ]);
    expect(await refused.json()).toMatchObject({
      error: {
        type: 'security_exception',
        reason: 'missing authentication credentials for REST request [/_cluster/health]',
      },
      status: 401,
    });
    for (const path of ['/', '/_bulk', '/_nodes', '/metrics', '/nosuch/route', '/%zz']) {
      expect([path, (await fetch(url + path)).status]).toEqual([path, 401]);
    }
    const client = new Client({ node: url, auth: { username: 'elastic', password: 'changeme' } });
    expect((await client.info()).cluster_name).toBe('mine');
    await client.index({ index: 'books', id: '1', document: { title: 'Emma' }, refresh: true });
    expect((await client.search({ index: 'books', q: 'emma' })).hits.hits).toHaveLength(1);
    const shown = JSON.stringify([
      await client.nodes.info(),
      await client.cluster.getSettings({ include_defaults: true }),
    ]);
    expect(shown).toContain('"zone":"a"');
    expect(shown).not.toContain('changeme');
    await client.close();
    expect(await health(url, MODULE)).toBe(0);
    expect(await health(url, {})).toBe(1);
    expect((await runShoal(['search', 'emma', '--url', url.replace('//', '//elastic:changeme@')])).stdout).toContain(
      'Emma',
    );
  });

  test('asks nobody for a password where security is switched off', async () => {
    const { url } = await start('open', { ...MODULE, ES_SETTING_XPACK_SECURITY_ENABLED: 'false' });
    expect((await fetch(url)).status).toBe(200);
    expect(await health(url, MODULE)).toBe(0);
  });

  test.each([
    ['of the other image', { ...IMAGE, ELASTIC_PASSWORD: 'change me:@/' }],
    ['of ours', { SHOAL_BOOTSTRAP_PASSWORD: 'change me:@/' }],
  ])(
    'as a whole cluster with the variables %s, has its sample and agent, and answers who has the password',
    async (_, env) => {
      const cluster = await startUp(['--nodes', '2', '--ephemeral', '--agent', '--agent-port', '0'], env);
      try {
        expect((await fetch(`${cluster.url}/_cluster/health`)).status).toBe(401);
        const authorization = `Basic ${Buffer.from('elastic:change me:@/').toString('base64')}`;
        const ask = async (path: string) => (await fetch(cluster.url + path, { headers: { authorization } })).json();
        expect(await ask('/debian-packages/_count')).toMatchObject({ count: 5306 });
        await vi.waitFor(async () => expect((await ask('/shoal-logs-*/_count')).count).toBeGreaterThan(0), WAIT);
        expect(cluster.output()).not.toContain('change');
      } finally {
        await cluster.end();
      }
    },
  );

  test.each([
    [{ 'no.such.setting': '1' }, 'unknown setting [no.such.setting]'],
    [{ 'xpack.security.http.ssl.enabled': 'true' }, '[xpack.security.http.ssl.enabled] is [true]'],
    [{ 'xpack.security.enabled': 'true' }, 'set [bootstrap.password]'],
    [{ 'network.host': '0.0.0.0' }, '--insecure'],
    [{ KEYSTORE_PASSWORD: 'x' }, 'KEYSTORE_PASSWORD'],
  ])('does not start with %j, and says why', async (env, reason) => {
    const { status, stdout, stderr } = await runShoal(args('refused'), { env: { ...IMAGE, ...env } });
    expect([status, stdout + stderr]).toEqual([1, expect.stringContaining(reason)]);
  });
});
