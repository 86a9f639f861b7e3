import { describe, expect, test } from 'vitest';
import { SeatCells } from './seat-cells.ts';

describe('a seat', () => {
  test('can be revoked between messages, and nothing is begun afterwards', () => {
    const cells = new SeatCells();
    const worker = new SeatCells(cells.shared);
    expect(worker.begin()).toBe(true);
    expect(cells.isBusy).toBe(true);
    expect(cells.revoke()).toBe(false);
    worker.finish();
    expect([cells.finishedCount, cells.isBusy]).toEqual([1, false]);
    expect(cells.revoke()).toBe(true);
    expect(worker.begin()).toBe(false);
    worker.finish();
    expect(worker.begin()).toBe(false);
  });

  test('shows the plugin that its worker is in', () => {
    const cells = new SeatCells();
    expect(cells.currentPlugin).toBe(-1);
    new SeatCells(cells.shared).enter(3);
    expect(cells.currentPlugin).toBe(3);
  });
});
