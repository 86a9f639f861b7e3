/**
 * Everything outside is hostile: what a node does with garbage, with wrong starts and with wrong requests.
 */
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, type RunningCluster, runShoal, startUp } from '../support/shoal-process.test-support.ts';

let cluster: RunningCluster;
beforeAll(async () => {
  cluster = await startUp(['--nodes', '1', '--ephemeral', '--no-sample', '--set', 'http.max_content_length=2mb']);
});
afterAll(() => cluster?.end());

/** Sends bytes to a port and gives back what came until the other end closed. */
function sendRaw(address: string, bytes: Uint8Array | string): Promise<string> {
  const [host = '', port] = address.replace('http://', '').split(':');
  return new Promise((resolve) => {
    let received = '';
    const socket = connect({ host, port: Number(port) }, () => socket.write(bytes));
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
  });
}

const isAlive = async (): Promise<boolean> => (await call(cluster.url, 'GET', '/')).status === 200;

describe('a node', () => {
  test('tells HTTP on its transport port what it is, and goes on', async () => {
    expect(await sendRaw(cluster.transport[0] ?? '', 'GET / HTTP/1.1\r\n\r\n')).toContain('This is not an HTTP port');
    expect(await isAlive()).toBe(true);
  });

  test('closes sockets that send garbage, on both ports, and goes on', async () => {
    const noise = Uint8Array.from({ length: 4_096 }, (_, i) => (i * 197 + 13) % 256);
    await sendRaw(cluster.transport[0] ?? '', noise);
    await sendRaw(cluster.transport[0] ?? '', Uint8Array.from([0xe5, 0x53, 1, 0, 0xff, 0xff, 0xff, 0xff]));
    await sendRaw(cluster.url, noise);
    await sendRaw(cluster.url, 'POST /x/_doc HTTP/1.1\r\ncontent-length: -5\r\n\r\n');
    expect(await isAlive()).toBe(true);
  });

  test('refuses a body over http.max_content_length with 413, also when it is so only unpacked', async () => {
    const large = `{"text":"${'x'.repeat(3 * 1024 * 1024)}"}`;
    expect((await call(cluster.url, 'POST', '/large/_doc', JSON.parse(large))).status).toBe(413);
    const packed = await fetch(`${cluster.url}/large/_doc`, {
      method: 'POST',
      body: gzipSync(large),
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    });
    expect(packed.status).toBe(413);
    await packed.text();
  });

  test('names the nearest parameter, the allowed methods, the media types', async () => {
    const misspelt = await call(cluster.url, 'GET', '/_search?sise=1');
    expect(misspelt.status).toBe(400);
    expect(misspelt.body.error.reason).toBe(
      'request [/_search] contains unrecognized parameter: [sise] -> did you mean [size]?',
    );
    const method = await call(cluster.url, 'DELETE', '/_cluster/health');
    expect([method.status, method.headers.get('allow')]).toEqual([405, 'GET']);
    const text = await fetch(`${cluster.url}/_search`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'text/plain' },
    });
    expect(text.status).toBe(406);
    await text.text();
  });

  test('answers malformed JSON with type, line and column', async () => {
    const response = await fetch(`${cluster.url}/_search`, {
      method: 'POST',
      body: '{"query": {"match": ',
      headers: { 'content-type': 'application/json' },
    });
    const body = (await response.json()) as { error: { type: string; reason: string } };
    expect(response.status).toBe(400);
    expect(body.error.type).toBe('json_e_o_f_exception');
    expect(body.error.reason).toMatch(/line: 1, column: 21/);
  });

  test('shows what it is in the headers that official clients insist on', async () => {
    const answer = await call(cluster.url, 'GET', '/');
    expect(answer.headers.get('x-elastic-product')).toBe('Elasticsearch');
    expect(answer.body).toMatchObject({
      tagline: 'You Know, for Search',
      version: { number: '8.17.0', build_flavor: 'default' },
    });
    const head = await fetch(cluster.url, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});

describe('a start that cannot be right', () => {
  test('listening beyond loopback without --insecure is refused and says what is needed', async () => {
    const run = await runShoal(['data-node', '--network-host', '0.0.0.0', '--data', '/tmp/never-made-by-this-test']);
    expect(run.status).toBe(1);
    expect(run.stderr).toContain('--insecure');
  });

  test('an unknown setting is refused with the nearest known name', async () => {
    const run = await runShoal(['data-node', '--set', 'cluster.nam=x', '--data', '/tmp/never-made-by-this-test']);
    expect(run.status).toBe(1);
    expect(run.stderr).toContain('unknown setting [cluster.nam] did you mean [cluster.name]?');
  });

  test('a port that is asked for and taken is refused, naming its holder', async () => {
    const port = new URL(cluster.url).port;
    const run = await runShoal(['up', '--nodes', '1', '--ephemeral', '--no-sample', '--http-port', port]);
    expect(run.status).toBe(1);
    expect(run.stderr).toContain(`port ${port} on 127.0.0.1 is taken by process ${cluster.pids['data-1']}`);
  });

  test.each([
    [['up', '--nodes', 'many'], '--nodes wants a whole number'],
    [['upp'], 'unknown command'],
    [['bulk', 'missing.ndjson', '--index', 'x'], 'ENOENT'],
    [['search', 'x', '--url', 'http://127.0.0.1:9'], 'does not answer'],
  ])('%j says what is wrong', async (args, text) => {
    const run = await runShoal(args);
    expect(run.status).not.toBe(0);
    expect(run.stderr).toContain(text);
  });
});

describe('the commands for people', () => {
  test('bulk loads a file and search finds what is in it', async () => {
    const sample = new URL('../../packages/cli/sample/debian-packages.ndjson.gz', import.meta.url).pathname;
    const bulk = await runShoal(['bulk', sample, '--index', 'packages', '--id-field', 'name', '--url', cluster.url]);
    expect(bulk).toMatchObject({ status: 0, stderr: '' });
    expect(bulk.stdout).toMatch(/^5306 documents indexed in [\d.]+ s/);
    await call(cluster.url, 'POST', '/packages/_refresh');
    const search = await runShoal([
      'search',
      '{"term":{"name.keyword":"0ad"}}',
      '--index',
      'packages',
      '--url',
      cluster.url,
    ]);
    expect(search.status).toBe(0);
    expect(search.stdout).toMatch(/0ad[\s\S]*1 hits, \d+ ms/);
  });

  test('doctor tells a good node from a wrong port', async () => {
    const transport = cluster.transport[0] ?? '';
    const fine = await runShoal(['doctor', transport]);
    expect([fine.status, fine.stdout]).toEqual([0, expect.stringMatching(/ok {3}.*a?.*node data-1 of cluster shoal/)]);
    const wrong = await runShoal(['doctor', new URL(cluster.url).host]);
    expect(wrong.status).toBe(1);
    expect(wrong.stdout).toContain('HTTP answers on the transport port');
  });

  test('help teaches', async () => {
    const { stdout } = await runShoal(['up', '--help']);
    expect(stdout).toContain('Examples:');
  });
});
