import { isMalformedMessage } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { PENDING_TASKS, type PendingTask } from './pending-tasks.ts';

const task: PendingTask = {
  insertOrder: 101,
  priority: 'urgent',
  source: 'create-index [foo]',
  executing: true,
  timeInQueueMillis: 86,
};

describe('the queue of the cluster manager', () => {
  test('comes back as it was written', () => {
    const tasks = [task, { ...task, insertOrder: 46, priority: 'high', executing: false } as const];
    expect(PENDING_TASKS.readResponse(PENDING_TASKS.writeResponse({ tasks }))).toEqual({ tasks });
    expect(PENDING_TASKS.readRequest(PENDING_TASKS.writeRequest({}))).toEqual({});
  });

  test.each([{ priority: 'low' }, { insertOrder: -1 }, { source: null }, { timeInQueueMillis: 0.5 }])(
    'with %j is refused',
    (wrong) => {
      const body = { message: { tasks: [{ ...task, ...wrong }] } };
      expect(() => PENDING_TASKS.readResponse(body)).toThrow(expect.toSatisfy(isMalformedMessage));
    },
  );
});
