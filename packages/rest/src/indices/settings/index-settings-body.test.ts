import { expect, test } from 'vitest';
import { settingsBody } from './index-settings-body.ts';

const SETTINGS = {
  'index.filter.f.words.0': 'a',
  'index.filter.f.words.1': 'b',
  'index.filter.f.type': 'stop',
  'index.odd.0': 'x',
  'index.odd.2': 'z',
};

test('lists are lists, in flat names as in nested ones', () => {
  expect(settingsBody(SETTINGS, true)).toEqual({
    'index.filter.f.type': 'stop',
    'index.filter.f.words': ['a', 'b'],
    'index.odd.0': 'x',
    'index.odd.2': 'z',
  });
  expect(settingsBody(SETTINGS, false)).toEqual({
    index: { filter: { f: { words: ['a', 'b'], type: 'stop' } }, odd: { 0: 'x', 2: 'z' } },
  });
});
