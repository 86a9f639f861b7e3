import { describe, expect, test } from 'vitest';
import type { WorkerCallName } from '../calls/worker-calls.ts';
import { type Call, CallInbox } from './call-inbox.ts';

/** Names of the calls in the order in which they begin, numbered by when they came. */
function orderOf(...names: readonly WorkerCallName[]): string[] {
  const inbox = new CallInbox();
  // Arguments are not looked at.
  for (const [id, name] of names.entries()) inbox.add({ kind: 'call', id, name, args: {} } as unknown as Call);
  const order: string[] = [];
  while (inbox.length > 0) {
    const { name, id } = inbox.take();
    order.push(`${name} ${id}`);
  }
  return order;
}

describe('calls that wait for a thread', () => {
  test('begin with the searches, which do not wait for writes', () => {
    expect(orderOf('write', 'copyRequest', 'query', 'fetch')).toEqual([
      'query 2',
      'fetch 3',
      'write 0',
      'copyRequest 1',
    ]);
  });

  test.each(['close', 'refresh', 'updateMapping', 'open', 'lead'] as const)(
    'keep their places around a call of [%s]',
    (name) => {
      const order = ['write 0', `${name} 1`, 'query 3', 'write 2'];
      expect(orderOf('write', name, 'write', 'query')).toEqual(order);
    },
  );

  test('of writes begin among searches without end', () => {
    const searches = Array.from({ length: 7 }, (): WorkerCallName => 'query');
    expect(orderOf('write', 'write', ...searches).slice(0, 8)).toEqual([
      'query 2',
      'query 3',
      'query 4',
      'write 0',
      'query 5',
      'query 6',
      'query 7',
      'write 1',
    ]);
  });
});
