import { BytePieces } from '@shoal/core';
import { NO_CONDITIONS } from '@shoal/shard-api';
import { describe, expect, test } from 'vitest';
import { BulkItems, NO_SOURCE } from './bulk-items.ts';
import { PieceUse } from './piece-use.ts';

const item = {
  action: 'index' as const,
  index: 'i',
  id: null,
  routing: null,
  conditions: NO_CONDITIONS,
  requireAlias: false,
  requireDataStream: false,
  sourceFilter: null,
  pipeline: null,
};

function bulk(): { readonly items: BulkItems; readonly dropped: number[] } {
  const dropped: number[] = [];
  const items = new BulkItems(new BytePieces([Buffer.from('ab'), Buffer.from('cde')], (n) => dropped.push(n)), item);
  items.add(item, { piece: 0, start: 0, end: 1 });
  items.add(item, { piece: 0, start: 1, end: 2 });
  items.add({ ...item, action: 'delete', id: '1' }, NO_SOURCE);
  items.add(item, { piece: 1, start: 0, end: 3 });
  return { items, dropped };
}

describe('a piece of the body of a bulk', () => {
  test('is dropped when the last of its items is settled', () => {
    const { items, dropped } = bulk();
    const use = new PieceUse(items);
    use.settle(1);
    use.settle(2);
    expect(dropped).toEqual([]);
    use.settle(0);
    expect(dropped).toEqual([2]);
    expect(Buffer.from(items.source(3)).toString()).toBe('cde');
    use.settle(3);
    expect(dropped).toEqual([2, 3]);
  });

  test('is not given back twice', () => {
    const { items } = bulk();
    const use = new PieceUse(items);
    use.settle(3);
    expect(() => use.settle(3)).toThrow('settled twice');
  });
});
