import { describe, expect, test } from 'vitest';
import { parseMapping } from '../mapping/mapping-parser.ts';
import { parseIndexSettings, updateIndexSettings } from './index-settings.ts';
import { checkIndexSort, indexSort } from './index-sort.ts';

const sortOf = (sort: object) => indexSort(parseIndexSettings({ index: { sort } }));

describe('the sort of an index', () => {
  test('has the defaults of each direction, and keeps what is said', () => {
    expect(sortOf({})).toEqual([]);
    expect(sortOf({ field: 'a' })).toEqual([{ field: 'a', isDescending: false, mode: 'min', isMissingFirst: false }]);
    const several = { field: ['a', 'b'], order: ['desc', 'ASC'], missing: ['_first', '_last'] };
    expect(sortOf(several)).toEqual([
      { field: 'a', isDescending: true, mode: 'max', isMissingFirst: true },
      { field: 'b', isDescending: false, mode: 'min', isMissingFirst: false },
    ]);
    expect(sortOf({ field: 'a, b', mode: 'MAX,min' }).map(({ field, mode }) => [field, mode])).toEqual([
      ['a', 'max'],
      ['b', 'min'],
    ]);
  });

  test.each([
    [{ field: ['l', 'k'], order: 'asc' }, 'index.sort.field:[l, k] index.sort.order:[asc], size mismatch'],
    [{ order: 'asc' }, 'index.sort.field:[] index.sort.order:[asc], size mismatch'],
    [{ mode: 'min' }, 'index.sort.field:[] index.sort.mode:[MIN], size mismatch'],
    [{ field: 'l', order: 'up' }, 'Illegal sort order:up'],
    [{ field: 'l', mode: 'avg' }, 'Illegal index sort mode:[AVG], must be one of [MAX, MIN]'],
    [{ field: 'l', mode: 'most' }, 'Unknown SortMode [most]'],
    [{ field: 'l', missing: 5 }, 'Illegal missing value:[5], must be one of [_last, _first]'],
  ])('is refused: %j', (sort, reason) => {
    expect(() => sortOf(sort)).toThrow(reason);
  });

  test('never changes', () => {
    const settings = parseIndexSettings({ 'sort.field': 'a' });
    const update = (isOpen: boolean) => () =>
      updateIndexSettings(settings, { 'sort.field': ['b', 'c'] }, { isOpen, index: 'i' });
    expect(update(true)).toThrow("Can't update non dynamic settings [[index.sort.field]] for open indices [[i]]");
    expect(update(false)).toThrow('final i setting [index.sort.field], not updateable');
  });

  test.each([
    ['zz', 'unknown index sort field:[zz]'],
    ['made', 'unknown index sort field:[made]'],
    ['t', 'docvalues not found for index sort field:[t]'],
    ['tf', 'invalid index sort field:[tf]'],
    ['h', 'invalid index sort field:[h]'],
    ['r', 'invalid index sort field:[r]'],
    ['n', 'docvalues not found for index sort field:[n]'],
    ['g', "can't sort on geo_point field without using specific sorting feature, like geo_distance"],
    ['bin', "can't sort on binary field"],
    ['rf', 'docvalues not found for index sort field:[rf]'],
  ])('is by a field with values in order, not [%s]', (field, reason) => {
    const mapping = parseMapping({
      runtime: { made: { type: 'long' } },
      properties: {
        t: { type: 'text' },
        tf: { type: 'text', fielddata: true },
        h: { type: 'half_float' },
        r: { type: 'integer_range' },
        n: { type: 'long', doc_values: false },
        g: { type: 'geo_point' },
        bin: { type: 'binary' },
        rf: { type: 'rank_feature' },
      },
    });
    expect(() => checkIndexSort(mapping, sortOf({ field }))).toThrow(reason);
  });

  test('is by any name of a field, and has no nested objects', () => {
    const properties = { l: { type: 'long' }, a: { type: 'alias', path: 'l' } };
    expect(() => checkIndexSort(parseMapping({ properties }), sortOf({ field: 'a' }))).not.toThrow();
    const nested = parseMapping({ properties: { ...properties, n: { type: 'nested' } } });
    expect(() => checkIndexSort(nested, [])).not.toThrow();
    expect(() => checkIndexSort(nested, sortOf({ field: 'l' }))).toThrow(
      'cannot have nested fields when index sort is activated',
    );
  });
});
