/**
 * Requests that are nearly right, to all APIs of a running node: none is answered with a failure of the node, none takes long, and nothing
 * is held when they are over.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FIXTURE_DOCUMENT, FIXTURE_MAPPING } from '../fuzz/real-bodies.test-support.ts';
import { type FuzzRequest, RequestFuzzer } from '../fuzz/request-fuzzer.test-support.ts';
import { sendRequest, type TextAnswer } from '../fuzz/send-request.test-support.ts';
import { type RunningCluster, startUp } from '../support/shoal-process.test-support.ts';

// FUZZ_REQUESTS=100000 for the long run; FUZZ_SEED repeats one.
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 1_500);
const SEED = Number(process.env.FUZZ_SEED ?? 1);
/** What earlier requests changed is undone after as many. */
const REQUESTS_A_FIXTURE = 250;
/** On a machine that does other work as well. */
const ANSWER_MS_MAX = 20_000;
/** Caches and heap that a node fills in its first minutes. */
const RESIDENT_GROWTH_MB_MAX = 500;
const FAILURES_MAX = 25;
/** Looks at a snapshot in progress before it counts as one that never ends. */
const SNAPSHOT_TRIES_MAX = 2_000;
const FAILURE_STATUSES = new Set([500, 501, 502]);
/** What Elasticsearch answers with 500 though the user is at fault. */
const MEANT =
  /must be read-only to resize index|failed to execute term vector request|"type":"(repository|snapshot|snapshot_restore)_exception"/;

let cluster: RunningCluster;
let repo: string;
const agent = new Agent({ keepAlive: true });

beforeAll(async () => {
  repo = mkdtempSync(join(tmpdir(), 'shoal-fuzz-'));
  const set = ['http.access_log=false', `path.repo=${repo}`].flatMap((setting) => ['--set', setting]);
  cluster = await startUp(['--nodes', '1', '--ephemeral', '--no-sample', ...set]);
});
afterAll(async () => {
  agent.destroy();
  await cluster?.end();
  rmSync(repo, { recursive: true, force: true });
});

function send(request: FuzzRequest): Promise<TextAnswer> {
  return sendRequest({ url: cluster.url, agent, msMax: ANSWER_MS_MAX }, request);
}

async function ask(method: string, path: string, body?: unknown): Promise<TextAnswer> {
  const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  return send({ method, path, headers, body: body === undefined ? null : Buffer.from(JSON.stringify(body)) });
}

const deleteIndices = (): Promise<TextAnswer> => ask('DELETE', '/*?expand_wildcards=all');

/** Undoes what requests did, and makes the index that most of them name. */
async function makeFixture(): Promise<void> {
  await ask('PUT', '/_cluster/settings', { persistent: { '*': null }, transient: { '*': null } });
  await ask('PUT', '/_cluster/settings', { persistent: { 'action.destructive_requires_name': false } });
  for (const path of ['/_data_stream/*', '/_index_template/*', '/_template/*', '/_ingest/pipeline/*'])
    await ask('DELETE', path);
  await ask('PUT', '/_all/_settings', { 'index.blocks.*': null });
  let gone = await deleteIndices();
  // A snapshot that a request began ends by itself.
  for (let tries = 0; gone.text.includes('snapshot_in_progress_exception') && tries < SNAPSHOT_TRIES_MAX; tries++) {
    await ask('GET', '/_cluster/health?wait_for_events=languid&timeout=1s');
    gone = await deleteIndices();
  }
  expect([gone.status, gone.text]).toEqual([200, expect.any(String)]);
  const made = await ask('PUT', '/fz', {
    mappings: FIXTURE_MAPPING,
    settings: { number_of_shards: 2, number_of_replicas: 0 },
  });
  expect([made.status, made.text]).toEqual([200, expect.any(String)]);
  await ask('PUT', '/fz/_doc/1?refresh=true', FIXTURE_DOCUMENT);
  await ask('PUT', '/_ingest/pipeline/fzp', { processors: [{ set: { field: 'x', value: 1 } }] });
}

function residentMb(): number {
  const pids = Object.values(cluster.pids);
  return pids.reduce(
    (sum, pid) => sum + Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
    0,
  );
}

function shown({ method, path, headers, body }: FuzzRequest): string {
  const text = body?.toString('latin1') ?? '';
  const cut = text.length > 1_500 ? `${text.slice(0, 1_500)}… (${text.length})` : text;
  return `${method} ${path} ${JSON.stringify(headers)} ${cut}`;
}

/** null: the answer is one that a node may give. */
async function failureOf(request: FuzzRequest): Promise<string | null> {
  const startedMs = performance.now();
  try {
    const { status, text } = await send(request);
    const isFailure =
      (FAILURE_STATUSES.has(status) && !MEANT.test(text)) || /"type":"assertion|internal_server_error/.test(text);
    return isFailure ? `${status} ${text.slice(0, 600)}` : null;
  } catch (error) {
    return `${error} after ${Math.round(performance.now() - startedMs)} ms`;
  }
}

test(`${REQUESTS} requests of seed ${SEED} are answered, and nothing of them is left`, {
  timeout: 4 * 3_600_000,
}, async () => {
  const fuzzer = new RequestFuzzer(SEED);
  const failures: string[] = [];
  let warmMb = 0;
  for (let n = 0; n < REQUESTS && failures.length < FAILURES_MAX; n++) {
    if (n % REQUESTS_A_FIXTURE === 0) await makeFixture();
    if (n === Math.floor(REQUESTS / 2)) warmMb = residentMb();
    const request = fuzzer.next();
    const failure = await failureOf(request);
    if (failure !== null) failures.push(`${n}: ${shown(request)}\n  ${failure}`);
  }
  expect(failures.join('\n')).toBe('');
  expect((await ask('GET', '/')).status).toBe(200);
  await makeFixture();
  const { nodes } = JSON.parse((await ask('GET', '/_nodes/stats/breaker,indices')).text);
  for (const { breakers } of Object.values<{ breakers: Record<string, { estimated_size_in_bytes: number }> }>(nodes)) {
    expect(breakers.request?.estimated_size_in_bytes).toBe(0);
  }
  const tasks = JSON.parse((await ask('GET', '/_tasks?actions=indices:*')).text);
  expect(Object.values<{ tasks: object }>(tasks.nodes).flatMap((node) => Object.keys(node.tasks))).toEqual([]);
  expect(residentMb() - warmMb).toBeLessThan(RESIDENT_GROWTH_MB_MAX);
});
