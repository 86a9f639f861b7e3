import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { collected, testAgent, writeFile } from '../agent/agent.test-support.ts';
import { startApiServer } from './api-server.ts';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

/** Whatever the answer has: read without knowing its shape. */
interface Tree {
  readonly [key: string]: Tree;
}

function ask(port: number, path: string, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        const isJson = String(response.headers['content-type']).startsWith('application/json');
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          json: isJson && text ? JSON.parse(text) : {},
        });
      });
    });
    sent.on('error', reject).end();
  });
}

async function withApi(
  body: (port: number, core: ReturnType<typeof testAgent>['core']) => Promise<void>,
): Promise<void> {
  const { core } = testAgent({
    'api.http.port': 0,
    'config.string': `input { generator { id => "in" count => 20 } heartbeat { interval => 60 } }
      filter { grok { id => "g" match => { "message" => "%{WORD:w}" } } } output { collect { id => "out" into => "api" } }`,
  });
  await core.start();
  const server = await startApiServer(core);
  try {
    while ((core.pipelines[0]?.pipeline.stats.out ?? 0) < 20) await new Promise((resolve) => setImmediate(resolve));
    await body(server.address.port, core);
  } finally {
    await server.close();
    collected('api').length = 0;
  }
}

describe('the monitoring api', () => {
  test.each(['events', 'jvm', 'process', 'pipeline', 'pipelines', 'reloads', 'os', 'flow', 'queue'])(
    'answers /_node/stats/%s with that one key',
    async (type) => {
      await withApi(async (port) =>
        expect(Object.keys((await ask(port, `/_node/stats/${type}`)).json)).toEqual([type]),
      );
    },
  );

  test('counts what went through each plugin', async () => {
    await withApi(async (port) => {
      const { pipeline } = (await ask(port, '/_node/stats/pipeline')).json as unknown as Tree;
      expect(pipeline.plugins.filters[0]).toMatchObject({ id: 'g', name: 'grok', patterns_per_field: { message: 1 } });
      expect(pipeline.plugins.filters[0].events.in).toBeGreaterThanOrEqual(20);
      expect(pipeline.plugins.outputs[0].events).not.toHaveProperty('duration_in_millis');
      expect(pipeline.reloads).toEqual({
        successes: 0,
        failures: 0,
        last_error: null,
        last_success_timestamp: null,
        last_failure_timestamp: null,
      });
    });
  });

  test('is read only, and says so', async () => {
    await withApi(async (port) => {
      const refused = await ask(port, '/_node/logging', 'PUT');
      expect(refused.status).toBe(405);
      expect(refused.headers.allow).toBe('GET, HEAD');
      expect(refused.json).toMatchObject({ status: 405, error: { message: 'Method Not Allowed: PUT' } });
    });
  });

  test.each(['/nope', '/_node/nope', '/_node/stats/nope', '/_node/stats/pipelines/nope', '/_node/pipelines/nope'])(
    'does not know %s',
    async (path) => {
      await withApi(async (port) => {
        expect(await ask(port, path)).toMatchObject({
          status: 404,
          json: { path, status: 404, error: { message: 'Not Found' } },
        });
      });
    },
  );

  test('shows the account of every event', async () => {
    await withApi(async (port) => {
      const { pipelines } = (await ask(port, '/_node/stats/pipelines/main')).json as unknown as Tree;
      expect(pipelines.main.ledger).toMatchObject({ balanced: true, dead_lettered: 0, dropped: {} });
    });
  });

  test('prints sizes and times in readable units, in place and under the short name', async () => {
    await withApi(async (port) => {
      const { process: numbers } = (await ask(port, '/_node/stats/process?human')).json as unknown as Tree;
      expect(numbers.mem.total_virtual_in_bytes).toMatch(/^\d+(\.\d)?[gm]b$/);
      expect(numbers.mem.total_virtual).toBe(numbers.mem.total_virtual_in_bytes);
      expect(numbers.cpu.percent).toEqual(expect.any(Number));
    });
  });

  test('writes YAML, Prometheus text and plain hot threads', async () => {
    await withApi(async (port) => {
      expect((await ask(port, '/_node/stats/events?format=yaml')).text).toMatch(/^---\nevents:\n {2}in: \d+/);
      const metrics = (await ask(port, '/metrics')).text;
      expect(metrics).toMatch(/shoal_agent_events_total\{pipeline="main",stage="in"\} 2\d/);
      const hot = await ask(port, '/_node/hot_threads?human=true&interval=20ms');
      expect(hot.text.split('\n')[2]).toBe('='.repeat(80));
    });
  });

  test('takes the first free port of its range', async () => {
    await withApi(async (port) => {
      const other = testAgent({
        'path.data': 'other',
        'api.http.port': `${port}-${port + 20}`,
        'config.string': 'input { heartbeat { } } output { null { } }',
      }).core;
      await other.start();
      const server = await startApiServer(other);
      expect(server.address.port).toBeGreaterThan(port);
      await server.close();
    });
  });

  test('listens beyond this machine only when told that this is meant', async () => {
    const { core } = testAgent({ 'api.http.host': '0.0.0.0', 'api.http.port': 0 });
    await expect(startApiServer(core)).rejects.toThrow('--insecure');
  });

  test('shows a failed reload', async () => {
    const { core, runtime } = testAgent({ 'path.config': 'p.conf', 'api.http.port': 0 });
    await writeFile(runtime, 'p.conf', 'input { heartbeat { } } output { null { } }');
    await core.start();
    const server = await startApiServer(core);
    await writeFile(runtime, 'p.conf', 'input { heartbeat { ');
    await core.reload();
    const { pipeline } = (await ask(server.address.port, '/_node/stats/pipeline')).json as unknown as Tree;
    expect(pipeline.reloads).toMatchObject({ successes: 0, failures: 1, last_success_timestamp: null });
    expect(pipeline.reloads.last_error.backtrace).toEqual([expect.stringMatching(/^p\.conf:\d+:\d+$/)]);
    await server.close();
  });
});
