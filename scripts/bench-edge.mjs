#!/usr/bin/env node
/**
 * `npm run bench:edge`: what a request costs besides the work it asks for.
 *
 * First an empty `_search` in a process of its own with each adapter (all through Express, hot routes past it, no Express),
 * and node:http alone as the floor; then the simplest requests to a cluster of one data node, with Express and past it.
 * CPU times are of the whole server process, all of its threads; wall times say more of the driver than of the server.
 */
import { execFileSync, fork, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, createServer, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { machineLine } from './bench/machine.mjs';
import { buildIfNeeded, root } from './built.mjs';

const CLIENTS = 8;
const self = fileURLToPath(import.meta.url);
const shoal = join(root, 'packages/cli/bin/shoal.js');
const corpus = join(root, 'packages/cli/sample/debian-packages.ndjson.gz');

const EMPTY_SEARCH = {
  took: 0,
  timed_out: false,
  _shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
  hits: { total: { value: 0, relation: 'eq' }, max_score: null, hits: [] },
};

/** The child process: a server whose search finds nothing, with the adapter that it was told. */
async function serveNothing(adapter) {
  if (adapter === 'floor') {
    const body = Buffer.from(JSON.stringify(EMPTY_SEARCH));
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const server = createServer((request, response) => {
      request.on('data', () => {});
      request.on('end', () => response.writeHead(200, headers).end(body));
    });
    server.listen(0, '127.0.0.1', () => process.send(server.address().port));
    return;
  }
  const { createHttpHandler, startHttpServer, valueResponse } = await import('@shoal/http');
  const { createNodeRuntime, createSilentLog } = await import('@shoal/runtime');
  const handler = async () => valueResponse(EMPTY_SEARCH);
  const routes = [{ methods: ['GET', 'POST'], paths: ['/{index}/_search'], isHot: true, body: 'json', handler }];
  const runtime = createNodeRuntime({ log: createSilentLog() });
  const server = await startHttpServer(runtime, {
    host: '127.0.0.1',
    port: 0,
    adapter,
    handler: createHttpHandler(routes, {
      context: null,
      log: runtime.log,
      contentBytesMax: 1_000_000,
      onAssertionFailure: (error) => {
        throw error;
      },
    }),
  });
  process.send(server.address.port);
}

/** CPU time of each thread of a process so far, in microseconds. */
function cpuByThread(pid) {
  const threads = new Map();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    threads.set(thread, Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1_000);
  }
  return threads;
}

function send(agent, port, { method, path, body }) {
  const headers =
    body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, method, path, agent, headers }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode < 400) resolve(text);
        else reject(new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 300)}`));
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

async function measure(name, { port, pid }, request) {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const run = async (count) => {
    let sent = 0;
    const client = async () => {
      while (sent++ < count) await send(agent, port, request);
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
  };
  // The first thousands of requests pay for the compiler.
  await run(Number(options.warm));
  const before = cpuByThread(pid);
  const startedMs = performance.now();
  const count = Number(options.requests);
  await run(count);
  const seconds = (performance.now() - startedMs) / 1_000;
  let total = 0;
  let main = 0;
  for (const [thread, us] of cpuByThread(pid)) {
    const spent = us - (before.get(thread) ?? 0);
    total += spent;
    if (thread === String(pid)) main = spent;
  }
  agent.destroy();
  const cpu = `${(total / count / 1_000).toFixed(3)} ms CPU a request (main thread ${(main / count / 1_000).toFixed(3)})`;
  process.stdout.write(`${name.padEnd(44)}  ${cpu}, ${Math.round(count / seconds)} a second\n`);
}

async function empty(adapter, name) {
  const child = fork(self, ['--serve', adapter], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const port = await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`server ended with ${code}`)));
  });
  const body = '{"query":{"match":{"description":"text editor"}}}';
  await measure(`empty _search, ${name}`, { port, pid: child.pid }, { method: 'POST', path: '/bench/_search', body });
  child.kill('SIGTERM');
}

/** A cluster of one node with the sample in one shard. */
async function startNode(adapter) {
  const args = [
    'up',
    '--json',
    '--nodes',
    '1',
    '--ephemeral',
    '--no-sample',
    '--http-port',
    '0',
    '--transport-port',
    '0',
  ];
  const child = spawn(process.execPath, [shoal, ...args, '--set', `http.adapter=${adapter}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGTERM'));
  const ready = await new Promise((resolve, reject) => {
    child.once('close', (status) => reject(new Error(`shoal up ended with status ${status}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const event = JSON.parse(line);
      if (event.event === 'ready') resolve(event);
    });
  });
  const url = new URL(ready.http[0]);
  const node = { port: Number(url.port), pid: Object.values(ready.pids)[0] };
  const agent = new Agent({ keepAlive: true });
  const settings = '{"settings":{"number_of_shards":1,"number_of_replicas":0}}';
  await send(agent, node.port, { method: 'PUT', path: '/bench', body: settings });
  execFileSync(process.execPath, [shoal, 'bulk', corpus, '--index', 'bench', '--url', url.origin], { stdio: 'ignore' });
  await send(agent, node.port, { method: 'POST', path: '/bench/_refresh' });
  const found = JSON.parse(await send(agent, node.port, { method: 'GET', path: '/bench/_search?size=1' }));
  agent.destroy();
  const end = () => new Promise((resolve) => child.once('close', resolve) && child.kill('SIGTERM'));
  return { ...node, id: found.hits.hits[0]._id, end };
}

async function real(adapter, name) {
  const node = await startNode(adapter);
  const query = { match: { description: 'text editor' } };
  const search = (body) => ({ method: 'POST', path: '/bench/_search', body: JSON.stringify(body) });
  const requests = {
    _doc: { method: 'GET', path: `/bench/_doc/${encodeURIComponent(node.id)}` },
    _count: { method: 'POST', path: '/bench/_count', body: JSON.stringify({ query }) },
    'match, size 0': search({ query, size: 0 }),
    'match, top 10 without _source': search({ query, _source: false }),
    'match, top 10': search({ query }),
  };
  for (const [what, request] of Object.entries(requests)) await measure(`${what}, ${name}`, node, request);
  await node.end();
}

const { values: options } = parseArgs({
  options: {
    serve: { type: 'string' },
    warm: { type: 'string', default: '8000' },
    requests: { type: 'string', default: '8000' },
  },
});

if (options.serve !== undefined) await serveNothing(options.serve);
else {
  buildIfNeeded();
  process.stdout.write(`${machineLine()}; ${CLIENTS} clients\n\n`);
  await empty('floor', 'node:http alone');
  await empty('node', 'no Express');
  await empty('express', 'past Express');
  await empty('express-all', 'through Express');
  await real('express', 'past Express');
  await real('express-all', 'through Express');
}
