import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { TaskRegistry, type TaskStart } from './task-registry.ts';

const START: TaskStart = {
  type: 'transport',
  action: 'indices:data/read/search',
  isCancellable: true,
  parentTaskId: null,
  headers: {},
  describe: () => 'x'.repeat(100_000),
};

function registry(): TaskRegistry {
  return new TaskRegistry(createNodeRuntime({ log: createSilentLog() }).clock);
}

describe('a task', () => {
  test('is there from its begin to its end, and tells who waits', async () => {
    const tasks = registry();
    const task = tasks.begin(START);
    const ended = task.whenEnded();
    expect([tasks.size, tasks.find({ actions: [], parentTaskId: null, taskId: task.id })]).toEqual([1, [task]]);
    tasks.end(task);
    await ended;
    await task.whenEnded();
    expect(tasks.size).toBe(0);
  });

  test('that is cancelled sets its flag once', () => {
    const task = registry().begin(START);
    const told: string[] = [];
    task.flag.onCancel(() => told.push(task.flag.reason ?? ''));
    task.cancel('by user request');
    task.cancel('again');
    expect([told, task.isCancelled]).toEqual([['by user request'], true]);
  });

  test('that cannot be cancelled stays as it is', () => {
    const task = registry().begin({ ...START, isCancellable: false });
    task.cancel('by user request');
    expect(task.isCancelled).toBe(false);
  });

  test('is put into words only when it is shown, and not at any length', () => {
    const tasks = registry();
    let described = 0;
    const task = tasks.begin({
      ...START,
      describe: () => {
        described++;
        return START.describe();
      },
    });
    expect(described).toBe(0);
    expect(tasks.info(task).description.length).toBeLessThan(10_000);
  });
});

describe('tasks are found', () => {
  test('by action, by what caused them, and by number: by all that is given', () => {
    const tasks = registry();
    const search = tasks.begin(START);
    const phase = tasks.begin({ ...START, action: `${START.action}[phase/query]`, parentTaskId: 'n1:1' });
    const any = { actions: [], parentTaskId: null, taskId: null };
    expect(tasks.find(any)).toEqual([search, phase]);
    expect(tasks.find({ ...any, actions: ['indices:*/search'] })).toEqual([search]);
    expect(tasks.find({ ...any, parentTaskId: 'n1:1' })).toEqual([phase]);
    expect(tasks.find({ ...any, taskId: search.id, parentTaskId: 'n1:1' })).toEqual([]);
  });
});
