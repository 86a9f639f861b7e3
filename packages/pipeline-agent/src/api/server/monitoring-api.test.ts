import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { collected, testAgent, writeFile } from '../../agent/agent.test-support.ts';
import type { AgentCore } from '../../agent/agent.ts';
import { readApiSecurity } from './api-security.ts';
import { type ApiServer, startApiServer } from './api-server.ts';

async function startTestApi(core: AgentCore): Promise<ApiServer> {
  return startApiServer(core, await readApiSecurity(core.runtime, core.settings));
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

/** What stands at a dotted path; undefined when there is nothing. */
function at(tree: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], tree);
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
  const server = await startTestApi(core);
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
      const { json } = await ask(port, '/_node/stats/pipeline');
      expect(at(json, 'pipeline.plugins.filters.0')).toMatchObject({
        id: 'g',
        name: 'grok',
        patterns_per_field: { message: 1 },
      });
      expect(at(json, 'pipeline.plugins.filters.0.events.in')).toBeGreaterThanOrEqual(20);
      expect(at(json, 'pipeline.plugins.outputs.0.events')).not.toHaveProperty('duration_in_millis');
      expect(at(json, 'pipeline.reloads')).toEqual({
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
      const { json } = await ask(port, '/_node/stats/pipelines/main');
      expect(at(json, 'pipelines.main.ledger')).toMatchObject({ balanced: true, dead_lettered: 0, dropped: {} });
    });
  });

  test('prints sizes and times in readable units, in place and under the short name', async () => {
    await withApi(async (port) => {
      const { json } = await ask(port, '/_node/stats/process?human');
      expect(at(json, 'process.mem.total_virtual_in_bytes')).toMatch(/^\d+(\.\d)?[gm]b$/);
      expect(at(json, 'process.mem.total_virtual')).toBe(at(json, 'process.mem.total_virtual_in_bytes'));
      expect(at(json, 'process.cpu.percent')).toEqual(expect.any(Number));
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
      const server = await startTestApi(other);
      expect(server.address.port).toBeGreaterThan(port);
      await server.close();
    });
  });

  test('listens beyond this machine only when told that this is meant', async () => {
    const { core } = testAgent({ 'api.http.host': '0.0.0.0', 'api.http.port': 0 });
    await expect(startTestApi(core)).rejects.toThrow('--insecure');
  });

  test.each([
    ['/_node/hot_threads?human=maybe', 400, 'maybe'],
    ['/_node/hot_threads?interval=11s', 400, 'interval must be between 1ms and 10000ms'],
    ['/_node/hot_threads?ordered_by=wait', 400, 'only cpu is measured'],
    ['/?wait_for_status=blue&timeout=1s', 400, 'Invalid status [blue]'],
    ['/?wait_for_status=green', 400, 'needs a timeout'],
    ['/?wait_for_status=green&timeout=soon', 400, 'Invalid timeout [soon]'],
  ])('says what is wrong with %s', async (path, status, message) => {
    await withApi(async (port) => {
      const answer = await ask(port, path);
      expect(answer.status).toBe(status);
      expect(answer.json).toEqual({
        path: path.split('?')[0],
        status,
        error: { message: expect.stringContaining(message) },
      });
      expect(answer.headers).not.toHaveProperty('x-elastic-product');
    });
  });

  test.each(['/', '/_node/stats', '/_node/pipelines/main', '/_health_report'])(
    'passes over parameters of other versions on %s',
    async (path) => {
      await withApi(async (port) => {
        expect((await ask(port, `${path}?nosuch=1&vertices=true&types=jvm`)).status).toBe(200);
      });
    },
  );

  test.each(['yes', 'T', '1', 'true', ''])('takes %s for a yes', async (word) => {
    await withApi(async (port) => {
      const { json } = await ask(port, `/_node/stats/?vertices=${word}`);
      expect(at(json, 'pipelines.main.vertices')).toBeInstanceOf(Array);
      expect((await ask(port, `/_node/stats/events?pretty=${word}`)).text).toContain('\n');
      expect((await ask(port, '/_node/stats/events?pretty=no')).text).not.toContain('\n');
    });
  });

  test('answers when it is as well as it is waited for', async () => {
    await withApi(async (port) => {
      expect((await ask(port, '/?wait_for_status=green&timeout=5s')).json).toMatchObject({ status: 'green' });
    });
  });

  test('knows the plugins of users that run', async () => {
    await withApi(async (port) => {
      const { json } = await ask(port, '/_node/plugins');
      expect(json.plugins).toContainEqual({ name: 'logstash-output-collect', version: '1.0.0' });
      expect(json.total).toBe((json.plugins as unknown[]).length);
    });
  });

  test('shows a failed reload', async () => {
    const { core, runtime } = testAgent({ 'path.config': 'p.conf', 'api.http.port': 0 });
    await writeFile(runtime, 'p.conf', 'input { heartbeat { } } output { null { } }');
    await core.start();
    const server = await startTestApi(core);
    await writeFile(runtime, 'p.conf', 'input { heartbeat { ');
    await core.reload();
    const { json } = await ask(server.address.port, '/_node/stats/pipeline');
    expect(at(json, 'pipeline.reloads')).toMatchObject({ successes: 0, failures: 1, last_success_timestamp: null });
    expect(at(json, 'pipeline.reloads.last_error.backtrace')).toEqual([expect.stringMatching(/^p\.conf:\d+:\d+$/)]);
    await server.close();
  });
});

describe('the stats stream', () => {
  test('pushes the whole stats again and again', async () => {
    await withApi(async (port) => {
      const client = new WebSocket(`ws://127.0.0.1:${port}/_node/stats/stream?interval=100ms`);
      const seen: unknown[] = [];
      await new Promise<void>((resolve, reject) => {
        client.on('error', reject);
        client.on('message', (data) => {
          seen.push(JSON.parse(String(data)));
          if (seen.length === 2) resolve();
        });
      });
      client.close();
      expect(at(seen[0], 'events.out')).toBeGreaterThanOrEqual(20);
    });
  });

  test('is refused to pages of other sites', async () => {
    await withApi(async (port) => {
      const client = new WebSocket(`ws://127.0.0.1:${port}/_node/stats/stream`, { origin: 'http://elsewhere.example' });
      await expect(new Promise((_resolve, reject) => client.on('error', reject))).rejects.toThrow('403');
    });
  });
});
