import { ShoalError } from '@shoal/core';
import { BULK_SHARD, QUERY_PHASE } from '@shoal/protocol';
import { createNodeRuntime, createSilentLog, type Runtime } from '@shoal/runtime';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../http.test-support.ts';

/** Order of an index that may have got nothing, not even a mapping. */
const IN_ORDER = { n: { unmapped_type: 'long' } };
const ALL = { query: { match_all: {} } };
/** No test is about the time itself. */
const hurried = (): Runtime => {
  const runtime = createNodeRuntime({ log: createSilentLog() });
  return {
    ...runtime,
    sched: { ...runtime.sched, after: (_ms, fn) => runtime.sched.after(0, fn), soon: (fn) => runtime.sched.soon(fn) },
  };
};

async function nodeWith(count: number, shards = 2): Promise<TestNode> {
  const node = testNode({ indices: [indexOf('lib', { shards }), indexOf('copy')] }, {}, hurried());
  const documents = Array.from({ length: count }, (_, n) => [{ index: { _id: String(n) } }, { n }]).flat();
  if (count > 0) await node.ask('POST', '/lib/_bulk', lines(...documents));
  return node;
}

const countOf = async (node: TestNode, index: string, query: object = ALL): Promise<number> =>
  (await node.ask('POST', `/${index}/_count`, query)).json.count;

/** What the task left, as soon as it did. */
async function finished(node: TestNode, task: string) {
  return vi.waitUntil(async () => (await node.ask('GET', `/.tasks/_doc/${task}`)).json._source, { timeout: 10_000 });
}

describe('documents by query', () => {
  test('are deleted as often as they are found, whatever the pages and slices', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: 1, max: 15 }),
        fc.constantFrom('1', '2', '5', 'auto'),
        async (count, below, pageSize, slices) => {
          const node = await nodeWith(count);
          const target = `/lib/_delete_by_query?scroll_size=${pageSize}&slices=${slices}`;
          const { status, json } = await node.ask('POST', target, { query: { range: { n: { lt: below } } } });
          const found = Math.min(count, below);
          expect([status, json.total, json.deleted, json.failures]).toEqual([200, found, found, []]);
          expect(await countOf(node, 'lib')).toBe(count - found);
          await expect.poll(() => node.cluster.openContexts()).toBe(0);
        },
      ),
      { numRuns: 25 },
    );
  });

  test('are copied once each, whatever the pages and slices', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 30 }),
        fc.integer({ min: 1, max: 15 }),
        fc.constantFrom('1', '3', 'auto'),
        async (count, size, slices) => {
          const node = await nodeWith(count, 3);
          const body = { source: { index: 'lib', size }, dest: { index: 'copy', op_type: 'create' } };
          const { status, json } = await node.ask('POST', `/_reindex?slices=${slices}`, body);
          expect([status, json.total, json.created, json.failures]).toEqual([200, count, count, []]);
          const { json: found } = await node.ask('POST', '/copy/_search', { size: 100, sort: IN_ORDER });
          expect(found.hits.hits.map((hit: { _source: { n: number } }) => hit._source.n)).toEqual(
            Array.from({ length: count }, (_, n) => n),
          );
        },
      ),
      { numRuns: 20 },
    );
  });

  test('stop at max_docs', async () => {
    const node = await nodeWith(20);
    const { json } = await node.ask('POST', '/lib/_delete_by_query?scroll_size=3&max_docs=7', ALL);
    expect(json).toMatchObject({ total: 7, deleted: 7, batches: 3 });
    expect(await countOf(node, 'lib')).toBe(13);
  });

  test('keep versions and routings when they are copied so', async () => {
    const node = testNode({ indices: [indexOf('lib', { shards: 2 }), indexOf('copy', { shards: 2 })] });
    for (let version = 1; version <= 3; version++) await node.ask('PUT', '/lib/_doc/1?routing=here', { version });
    const source = { index: 'lib' };
    await node.ask('POST', '/_reindex', { source, dest: { index: 'copy', version_type: 'external' } });
    expect((await node.ask('GET', '/copy/_doc/1?routing=here')).json).toMatchObject({ _version: 3, _routing: 'here' });
    await node.ask('POST', '/_reindex', { source, dest: { index: 'copy', routing: '=there' } });
    expect((await node.ask('GET', '/copy/_doc/1?routing=there')).json).toMatchObject({ _routing: 'there' });
  });

  test('are indexed anew with their numbers of sequence, and only the parts that were asked for', async () => {
    const node = await nodeWith(3);
    await node.ask('PUT', '/lib/_doc/9', { n: 9, secret: true });
    const { json } = await node.ask('POST', '/lib/_update_by_query', { _source: ['n'] });
    expect(json).toMatchObject({ total: 4, updated: 4 });
    expect((await node.ask('GET', '/lib/_doc/9')).json).toMatchObject({ _version: 2, _source: { n: 9 } });
  });
});

describe('a document that changed since it was found', () => {
  /** Node on which document 3 is changed behind the back of the first search. */
  async function changedNode(): Promise<TestNode> {
    const node = await nodeWith(6, 1);
    let hasChanged = false;
    node.cluster.intercept = async ({ action }) => {
      if (action !== BULK_SHARD.name || hasChanged) return;
      hasChanged = true;
      await node.ask('PUT', '/lib/_doc/3', { n: 3, changed: true });
    };
    return node;
  }

  test('is left alone, and ends the work with 409', async () => {
    const node = await changedNode();
    const { status, json } = await node.ask('POST', '/lib/_delete_by_query', ALL);
    expect([status, json.version_conflicts, json.deleted]).toEqual([409, 1, 5]);
    expect(json.failures).toMatchObject([{ index: 'lib', id: '3', status: 409 }]);
    expect((await node.ask('GET', '/lib/_doc/3')).json._source).toEqual({ n: 3, changed: true });
  });

  test('is counted and passed over where conflicts are', async () => {
    const node = await changedNode();
    const { status, json } = await node.ask('POST', '/lib/_update_by_query?conflicts=proceed', ALL);
    expect([status, json.version_conflicts, json.updated, json.failures]).toEqual([200, 1, 5, []]);
    expect((await node.ask('GET', '/lib/_doc/3')).json._source).toEqual({ n: 3, changed: true });
  });
});

describe('a full queue', () => {
  const refusal = (): ShoalError => new ShoalError('es_rejected_execution_exception', 429, 'full');

  test.each([
    [BULK_SHARD.name, { bulk: 2, search: 0 }],
    [QUERY_PHASE.name, { bulk: 0, search: 2 }],
  ])('of %s is tried again until there is room', async (action, retries) => {
    const node = await nodeWith(5, 1);
    let refused = 0;
    node.cluster.intercept = (sent) => {
      if (sent.action === action && refused++ < 2) throw refusal();
    };
    const { status, json } = await node.ask('POST', '/lib/_delete_by_query', ALL);
    expect([status, json.retries, json.deleted]).toEqual([200, retries, 5]);
  });

  test('that stays full fails the documents that found no room', async () => {
    const node = await nodeWith(2, 1);
    node.cluster.intercept = (sent) => {
      if (sent.action === BULK_SHARD.name) throw refusal();
    };
    const { status, json } = await node.ask('POST', '/lib/_delete_by_query', ALL);
    expect([status, json.failures.length, json.retries.bulk]).toEqual([429, 2, 11]);
  });
});

describe('a lost shard', () => {
  test('fails the documents that were to be written to it, and the work ends there', async () => {
    const node = await nodeWith(10, 1);
    node.cluster.fail(BULK_SHARD, 'copy', 0, new ShoalError('internal_server_error', 500, 'gone'));
    const { status, json } = await node.ask('POST', '/_reindex', {
      source: { index: 'lib', size: 4 },
      dest: { index: 'copy' },
    });
    expect([status, json.failures.length, json.batches, json.created]).toEqual([500, 4, 1, 0]);
  });
});

describe('work that nobody waits for', () => {
  test('leaves its answer under the id of its task', async () => {
    const node = await nodeWith(5);
    const { json } = await node.ask('POST', '/lib/_delete_by_query?wait_for_completion=false', ALL);
    expect(await finished(node, json.task)).toMatchObject({
      completed: true,
      task: { action: 'indices:data/write/delete/byquery', status: { total: 5, deleted: 5 } },
      response: { total: 5, deleted: 5, failures: [] },
    });
  });

  test('leaves what ended it', async () => {
    const node = await nodeWith(5);
    const { json } = await node.ask('POST', '/lib/_update_by_query?wait_for_completion=false&scroll_size=20000');
    expect(await finished(node, json.task)).toMatchObject({
      completed: true,
      error: { type: 'search_phase_execution_exception' },
    });
  });

  test('leaves what is wrong with its script', async () => {
    const node = await nodeWith(1);
    const script = { source: 'ctx._source.x =' };
    const copy = { source: { index: 'lib' }, dest: { index: 'copy' }, script };
    for (const [path, body] of [
      ['/lib/_update_by_query', { script }],
      ['/_reindex', copy],
    ] as const) {
      const { json, status } = await node.ask('POST', `${path}?wait_for_completion=false`, body);
      expect(status).toBe(200);
      expect((await finished(node, json.task)).error).toMatchObject({ type: 'script_exception' });
      expect((await node.ask('POST', path, body)).status).toBe(400);
    }
  });

  test('is still refused at once for what is wrong with it', async () => {
    const node = await nodeWith(1);
    const { status } = await node.ask('POST', '/lib/_delete_by_query?wait_for_completion=false', {});
    expect(status).toBe(400);
  });
});

describe('a request that may mean more than its sender thinks', () => {
  test.each([
    [{}, 'query is missing'],
    [{ query: null }, 'Unknown key for a VALUE_NULL in [query].'],
    [{ ...ALL, max_docs: -1 }, '[max_docs] parameter cannot be negative, found [-1]'],
    [{ ...ALL, script: {} }, 'Unknown key for a START_OBJECT in [script].'],
    [{ ...ALL, from: 3 }, 'from is not supported in this context'],
  ])('deletes nothing: %j', async (body, reason) => {
    const node = await nodeWith(3);
    const { status, json } = await node.ask('POST', '/lib/_delete_by_query', body);
    expect([status, json.error.reason]).toEqual([400, expect.stringContaining(reason)]);
    expect(await countOf(node, 'lib')).toBe(3);
  });

  test.each(['slices=1025', 'slices=0', 'requests_per_second=0', 'requests_per_second=1e-300', 'scroll_size=0'])(
    'is refused: %s',
    async (parameter) => {
      const node = await nodeWith(1);
      expect((await node.ask('POST', `/lib/_delete_by_query?${parameter}`, ALL)).status).toBe(400);
    },
  );

  test('copies no index into itself, also through an alias', async () => {
    const node = await nodeWith(1);
    const { status, json } = await node.ask('POST', '/_reindex', {
      source: { index: ['copy', 'lib'] },
      dest: { index: 'lib' },
    });
    expect([status, json.error.reason]).toEqual([
      400,
      'Validation Failed: 1: reindex cannot write into an index its reading from [lib];',
    ]);
  });
});
