import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

let cluster: TestCluster;
let one: TestNode;
let two: TestNode;

beforeEach(async () => {
  cluster = new TestCluster();
  one = await cluster.start('one');
  two = await cluster.start('two', { coordinator: true });
  for (const { node } of [one, two]) await node.cluster.waitForState((state) => state.nodes.size === 2, WAIT_MS);
});

afterEach(() => cluster.close());

interface ShownTask {
  readonly node: string;
  readonly id: number;
  readonly type: string;
  readonly action: string;
  readonly parent_task_id?: string;
  readonly children?: readonly ShownTask[];
}

const WAIT_MS = 20_000;
const LIST = 'cluster:monitor/tasks/lists';

async function withOpaqueId({ node }: TestNode, path: string): Promise<unknown> {
  const { host, port } = node.httpAddress ?? { host: '', port: 0 };
  const answer = await fetch(`http://${host}:${port}${path}`, { headers: { 'X-Opaque-Id': 'me-7' } });
  return await answer.json();
}

describe('the list of tasks', () => {
  test('shows the request for it below its node, and what it caused on every node', async () => {
    const { body, status } = await call(two, 'GET', '/_tasks');
    expect(status).toBe(200);
    const ids = [one, two].map(({ node }) => node.cluster.localNode.id);
    expect(Object.keys(body.nodes).sort()).toEqual([...ids].sort());
    const ofTwo: ShownTask[] = Object.values(body.nodes[ids[1] ?? ''].tasks);
    const top = ofTwo.find((task) => task.action === LIST);
    expect(top).toMatchObject({ node: ids[1], type: 'transport', cancellable: false, headers: {} });
    const caused = ofTwo.find((task) => task.action === `${LIST}[n]`);
    expect(caused).toMatchObject({ type: 'direct', parent_task_id: `${ids[1]}:${top?.id}` });
    const ofOne: ShownTask[] = Object.values(body.nodes[ids[0] ?? ''].tasks);
    expect(ofOne).toHaveLength(1);
    expect(ofOne[0]).toMatchObject({ type: 'transport', parent_task_id: `${ids[1]}:${top?.id}` });
    expect(body.nodes[ids[0] ?? '']).toMatchObject({ name: 'one', roles: expect.arrayContaining(['data']) });
  });

  test('groups them below what caused them', async () => {
    const { body } = await call(two, 'GET', '/_tasks?group_by=parents');
    const tops: ShownTask[] = Object.values(body.tasks);
    expect(tops.map((task) => [task.action, task.children?.length])).toEqual([[LIST, 2]]);
  });

  test('names tasks by pattern, by node and by what caused them', async () => {
    const by = async (query: string): Promise<string[]> =>
      (await call(two, 'GET', `/_tasks?group_by=none&${query}`)).body.tasks.map((task: ShownTask) => task.action);
    expect(await by('actions=*lists')).toEqual([LIST]);
    expect(await by('actions=indices:*')).toEqual([]);
    expect(await by('nodes=one')).toEqual([`${LIST}[n]`]);
    expect(await by('parent_task_id=nowhere:4')).toEqual([]);
    expect((await call(two, 'GET', '/_tasks?parent_task_id=x')).body.error.reason).toBe('malformed task id x');
  });

  test('shows X-Opaque-Id of the request, and on every node what it caused', async () => {
    expect(await withOpaqueId(two, '/_tasks?group_by=none')).toMatchObject({
      tasks: [1, 2, 3].map(() => ({ headers: { 'X-Opaque-Id': 'me-7' } })),
    });
    expect((await call(two, 'GET', '/_tasks?detailed&group_by=none')).body.tasks[0].description).toBe('');
  });

  test('waits for the others and not for itself', async () => {
    const { body } = await call(two, 'GET', '/_tasks?wait_for_completion=true&timeout=20s&group_by=none');
    expect(body.tasks.length).toBeGreaterThan(0);
    expect(body.node_failures).toBeUndefined();
  });

  test('is empty again when the requests are answered', async () => {
    await call(one, 'PUT', '/books/_doc/1?refresh=true', { n: 1 });
    await call(two, 'GET', '/books/_search');
    await expect
      .poll(async () => (await call(one, 'GET', '/_tasks?actions=indices:*&group_by=none')).body.tasks)
      .toEqual([]);
  });
});

describe('one task', () => {
  test('that does not run is missing', async () => {
    const { id } = one.node.cluster.localNode;
    const gone = await call(two, 'GET', `/_tasks/${id}:999999`);
    expect(gone.status).toBe(404);
    expect(gone.body.error.reason).toBe(`task [${id}:999999] isn't running and hasn't stored its results`);
    const strange = await call(two, 'GET', '/_tasks/foo:1');
    expect(strange.status).toBe(404);
    expect(strange.body.error.type).toBe('resource_not_found_exception');
    expect((await call(two, 'GET', '/_tasks/foo')).body.error.reason).toBe('malformed task id foo');
  });
});

describe('stopping tasks', () => {
  test('of an action that nobody runs stops none', async () => {
    expect((await call(two, 'POST', '/_tasks/_cancel?actions=unknown_action')).body).toEqual({ nodes: {} });
  });

  test('says which one is not there, and on which node', async () => {
    const { id } = one.node.cluster.localNode;
    const { body, status } = await call(two, 'POST', `/_tasks/${id}:999999/_cancel`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      nodes: {},
      node_failures: [{ node_id: id, caused_by: { reason: `task [${id}:999999] is not found` } }],
    });
    const { body: nowhere } = await call(two, 'POST', '/_tasks/foo:1/_cancel');
    expect(nowhere.node_failures[0]).toMatchObject({ caused_by: { type: 'no_such_node_exception' } });
  });
});

describe('_cat/tasks', () => {
  const LINE =
    /^\S+\s+\S+:\d+\s+(?:-|\S+:\d+)\s+\S+\s+\d+\s+\d\d:\d\d:\d\d\s+\S+\s+\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\s+\S+\s*$/;

  async function text(path: string): Promise<string> {
    const { host, port } = one.node.httpAddress ?? { host: '', port: 0 };
    return (await fetch(`http://${host}:${port}${path}`, { headers: { 'X-Opaque-Id': 'me-7' } })).text();
  }

  test('has a line a task', async () => {
    const lines = (await text('/_cat/tasks')).trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(line).toMatch(LINE);
  });

  test('shows what is asked for', async () => {
    expect(await text('/_cat/tasks?h=action,x_opaque_id&actions=*lists')).toBe(`${LIST} me-7\n`);
    expect(await text('/_cat/tasks?detailed&v')).toMatch(/^action .* description\n/);
    const unrelated = 'actions=*lists&parent_task_id=-1&wait_for_completion=true&timeout=20s';
    expect(await text(`/_cat/tasks?h=action&${unrelated}`)).toBe(`${LIST}\n`);
  });
});
