import { expect, test } from 'vitest';
import { neighbourCells } from './geohash.ts';

test('a cell has eight neighbours, fewer at the poles, and the globe goes on behind the date line', () => {
  expect([...neighbourCells('s00')].sort()).toEqual(['7zz', 'ebp', 'ebr', 'kpb', 'kpc', 's01', 's02', 's03']);
  expect(neighbourCells('u')).toHaveLength(5);
  expect(neighbourCells('8')).toContain('x');
});
