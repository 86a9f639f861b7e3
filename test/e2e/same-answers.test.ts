/**
 * Whoever tests an application against a node inside the test must meet the server's answers: the same random requests to both,
 * to all APIs, right ones and nearly right ones, are answered alike.
 */
import { Agent } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { FIXTURE_DOCUMENT, FIXTURE_MAPPING } from '../fuzz/real-bodies.test-support.ts';
import { type FuzzRequest, RequestFuzzer } from '../fuzz/request-fuzzer.test-support.ts';
import { sendRequest } from '../fuzz/send-request.test-support.ts';
import { type AskedNode, NODE_KINDS } from '../support/node-kinds.test-support.ts';

// SAME_SEED repeats a run, SAME_REQUESTS=20000 is a long one.
const REQUESTS = Number(process.env.SAME_REQUESTS ?? 600);
const SEED = Number(process.env.SAME_SEED ?? 11);
const REQUESTS_A_FIXTURE = 100;
const ANSWER_MS_MAX = 60_000;
const DIFFERENCES_SHOWN = 5;
/** Paths whose answers are about the process, the machine or the time. */
const OF_THE_PROCESS =
  /^\/(?:_nodes|_cat|_tasks|_stats|_internal|_health_report|_cluster\/(?:state|stats|health|pending_tasks|allocation|reroute|settings)|_remote|_search\/scroll|_async_search|_snapshot|[^/]*\/_(?:stats|segments|recovery|shard_stores|pit|async_search))|_recovery|_segments|hot_threads|_search_shards/;
/** Members that differ from one node to the next, and from one run to the next. */
const OF_A_RUN: ReadonlySet<string> = new Set([
  ...[
    'took',
    'took_in_millis',
    'ingest_took',
    'uuid',
    'index_uuid',
    'creation_date',
    'creation_date_string',
    'time',
    'timestamp',
  ],
  ...[
    'node',
    'node_id',
    'name',
    'cluster_name',
    'cluster_uuid',
    'task',
    'id',
    '_id',
    '_scroll_id',
    'pit_id',
    'start_time_in_millis',
  ],
  ...[
    'expiration_time_in_millis',
    'completion_time_in_millis',
    'modified_date_millis',
    'modified_date',
    '_seq_no',
    'profile',
    'throttled_millis',
    'throttled_until_millis',
  ],
]);

const agent = new Agent({ keepAlive: true });
afterAll(() => agent.destroy());

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function send({ url }: AskedNode, request: FuzzRequest): Promise<Answer> {
  const { status, text } = await sendRequest({ url, agent, msMax: ANSWER_MS_MAX }, request);
  try {
    return { status, body: comparable(JSON.parse(text)) };
  } catch {
    return { status, body: null }; // Text, whose columns are widths and times.
  }
}

function ask(node: AskedNode, method: string, path: string, body?: unknown): Promise<Answer> {
  const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  return send(node, { method, path, headers, body: body === undefined ? null : Buffer.from(JSON.stringify(body)) });
}

/** An answer without what no two nodes have in common. */
function comparable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(/[\w-]{20,}(?:={0,2})|\d{13}|\d{4}-\d\d-\d\dT[\d:.]+Z?/g, '…');
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !OF_A_RUN.has(name));
  return Object.fromEntries(kept.map(([name, member]) => [name, comparable(member)]));
}

/** Undoes what requests did, and makes the index that most of them name. */
async function makeFixture(node: AskedNode): Promise<void> {
  await ask(node, 'PUT', '/_cluster/settings', { persistent: { '*': null }, transient: { '*': null } });
  await ask(node, 'PUT', '/_cluster/settings', { persistent: { 'action.destructive_requires_name': false } });
  for (const path of [
    '/_data_stream/*',
    '/_index_template/*',
    '/_template/*',
    '/_ingest/pipeline/*',
    '/_component_template/*',
  ])
    await ask(node, 'DELETE', path);
  await ask(node, 'PUT', '/_all/_settings', { 'index.blocks.*': null });
  await ask(node, 'DELETE', '/*?expand_wildcards=all');
  const settings = { number_of_shards: 2, number_of_replicas: 0 };
  expect(await ask(node, 'PUT', '/fz', { mappings: FIXTURE_MAPPING, settings })).toMatchObject({ status: 200 });
  await ask(node, 'PUT', '/fz/_doc/1?refresh=true', FIXTURE_DOCUMENT);
  await ask(node, 'PUT', '/_ingest/pipeline/fzp', { processors: [{ set: { field: 'x', value: 1 } }] });
}

test(`${REQUESTS} requests of seed ${SEED} are answered alike by a server and by nodes in a test`, {
  timeout: 3_600_000,
}, async () => {
  const nodes = await Promise.all(NODE_KINDS.map(({ start }) => start()));
  try {
    const fuzzer = new RequestFuzzer(SEED);
    const differences: string[] = [];
    let compared = 0;
    for (let count = 0; count < REQUESTS; count++) {
      if (count % REQUESTS_A_FIXTURE === 0) await Promise.all(nodes.map(makeFixture));
      const drawn = fuzzer.next();
      // Time enough for the slowest: which of them is busy just then is no difference.
      const request = { ...drawn, path: drawn.path.replaceAll('=50ms', '=3s') };
      const answers = await Promise.all(nodes.map((node) => send(node, request)));
      // What is refreshed by an interval is found or not as the machine is fast or slow.
      if (request.method !== 'GET') await Promise.all(nodes.map((node) => ask(node, 'POST', '/_refresh')));
      if (OF_THE_PROCESS.test(request.path)) continue;
      compared++;
      const texts = answers.map((answer) => JSON.stringify(answer));
      if (new Set(texts).size > 1)
        differences.push(
          `${request.method} ${request.path} ${String(request.body).slice(0, 500)}\n${texts.map((text) => text.slice(0, 1500)).join('\n')}`,
        );
    }
    expect(compared).toBeGreaterThan(REQUESTS / 2);
    expect(differences.length, differences.slice(0, DIFFERENCES_SHOWN).join('\n\n')).toBe(0);
  } finally {
    await Promise.all(nodes.map((node) => node.end()));
  }
});
