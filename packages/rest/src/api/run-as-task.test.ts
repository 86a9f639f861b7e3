import { CancelSource } from '@shoal/core';
import { expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { testNode } from '../http.test-support.ts';

test('what a search sends names its task, so that others list it below', async () => {
  const node = testNode({ indices: [indexOf('books')] });
  const parents: (string | undefined)[] = [];
  node.cluster.intercept = (_sent, options) => void parents.push(options.parentTask);
  expect((await node.ask('GET', '/books/_search', { query: { match_all: {} } })).status).toBe(200);
  expect(parents[0]).toMatch(/^n1:\d+$/);
});

test('a client that is gone cancels what its search asked of shards', async () => {
  const node = testNode({ indices: [indexOf('books')] });
  const client = new CancelSource();
  const cancelled: boolean[] = [];
  node.cluster.intercept = (_sent, options) => {
    options.signal?.onCancel(() => cancelled.push(true));
    client.cancel('http channel closed');
  };
  const answer = await node.ask('GET', '/books/_search', { query: { match_all: {} } }, client);
  expect([cancelled, answer.json.error.type]).toEqual([[true], 'task_cancelled_exception']);
});
