import { describe, expect, test } from 'vitest';
import { BytePieces } from './byte-pieces.ts';

describe('bytes in pieces', () => {
  test('keep their length when pieces are dropped, and say how much each gave back', () => {
    const given: number[] = [];
    const pieces = new BytePieces([new Uint8Array(3), new Uint8Array(4)], (bytes) => given.push(bytes));
    pieces.drop(1);
    expect([pieces.length, pieces.count, given]).toEqual([7, 2, [4]]);
  });

  test('cannot be read or dropped after they were dropped', () => {
    const pieces = new BytePieces([new Uint8Array(3)]);
    pieces.drop(0);
    expect(() => pieces.at(0)).toThrow('piece 0 of 1 is read and not there');
    expect(() => pieces.drop(0)).toThrow('piece 0 of 1 is read and not there');
  });

  test('that are left give nothing back', () => {
    const given: number[] = [];
    const pieces = new BytePieces([new Uint8Array(3)], (bytes) => given.push(bytes));
    pieces.leave();
    expect(given).toEqual([]);
    expect(() => pieces.at(0)).toThrow('not there');
  });
});
