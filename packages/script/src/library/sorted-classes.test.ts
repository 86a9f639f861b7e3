/** Maps and sets in order: as a server with a JVM answers. */
import { isShoalError } from '@shoal/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileScript } from '../programs/compile-script.ts';
import { PAINLESS_TEST_CONTEXT } from '../programs/script-context.ts';
import { textOf } from '../values/java-text.ts';
import { fromPlain } from '../values/json-values.ts';

function result(text: string, params: object = {}): string {
  return textOf(compileScript({ lang: 'painless', text }, PAINLESS_TEST_CONTEXT).run([fromPlain(params)]));
}

/** Type and reason of what a script fails with. */
function failure(text: string): readonly unknown[] {
  try {
    return ['none', result(text)];
  } catch (error) {
    if (!isShoalError(error)) throw error;
    const { causedBy } = error;
    return [error.type, isShoalError(causedBy) ? causedBy.type : null, isShoalError(causedBy) ? causedBy.reason : null];
  }
}

const MAP = 'TreeMap t = new TreeMap(); t.put(3,"b"); t.put(1,"a"); t.put(5,"c");';
const SET = 'TreeSet s = new TreeSet(); s.addAll([5,1,3]);';

describe('a map in order', () => {
  test.each([
    [
      't.floorKey(4) + "," + t.ceilingKey(4) + "," + t.higherKey(5) + "," + t.floorKey(3) + t.higherKey(3) + t.floorKey(0)',
      '3,5,null,35null',
    ],
    [
      't.firstEntry().toString() + t.lastEntry().getValue() + t.floorEntry(2) + t.ceilingEntry(2) + t.lowerEntry(1) + t.higherEntry(1)',
      '1=ac1=a3=bnull3=b',
    ],
    ['t.headMap(3).toString() + t.tailMap(3).toString() + t.subMap(1,5).toString()', '{1=a}{3=b, 5=c}{1=a, 3=b}'],
    ['t.headMap(3,true).toString() + t.tailMap(3,false) + t.subMap(1,false,5,true)', '{1=a, 3=b}{5=c}{3=b, 5=c}'],
    ['t.descendingMap().toString() + t.descendingKeySet() + t.navigableKeySet()', '{5=c, 3=b, 1=a}[5, 3, 1][1, 3, 5]'],
    [
      't.descendingMap().headMap(3, true).toString() + t.descendingMap().floorKey(4) + t.descendingMap().firstKey()',
      '{5=c, 3=b}55',
    ],
    ['t.subMap(1,5).size() + "," + t.subMap(1,5).get(5) + t.subMap(1,5).containsKey(3)', '2,nulltrue'],
    ['t.pollFirstEntry().toString() + t.pollLastEntry().toString() + t.toString()', '1=a5=c{3=b}'],
    ['t.headMap(3).put(0,"z"); t', '{0=z, 1=a, 3=b, 5=c}'],
    ['t.tailMap(3).clear(); t', '{1=a}'],
    ['t.navigableKeySet().remove(1); t', '{3=b, 5=c}'],
    ['t.headMap(3).equals([1:"a"])', 'true'],
    ['def d = t; d.put(2, "x"); d.ceilingKey(2)', '2'],
    ['SortedMap m = t; m.firstKey()', '1'],
    ['NavigableMap m = t; m.floorKey(2)', '1'],
    ['String r = ""; for (e in t.headMap(3, true).entrySet()) { r += e.key + e.value } r', '1a3b'],
  ])('%s', (text, expected) => {
    expect(result(MAP + text)).toBe(expected);
  });

  test('without an entry has neither ends nor neighbours', () => {
    expect(result('TreeMap t = new TreeMap(); "" + t.firstEntry() + t.floorKey(2) + t.pollLastEntry()')).toBe(
      'nullnullnull',
    );
  });
});

describe('a set in order', () => {
  test.each([
    ['"" + s.floor(4) + s.ceiling(4) + s.lower(1) + s.higher(5)', '35nullnull'],
    ['s.headSet(3).toString() + s.tailSet(3).toString() + s.subSet(1,5).toString()', '[1][3, 5][1, 3]'],
    [
      's.headSet(3,true).toString() + s.tailSet(3,false).toString() + s.subSet(1,false,5,true).toString()',
      '[1, 3][5][3, 5]',
    ],
    ['s.descendingSet().toString() + s.descendingSet().headSet(3).toString()', '[5, 3, 1][5]'],
    ['s.pollFirst() + "," + s.pollLast() + s.toString()', '1,5[3]'],
    ['def it = s.descendingIterator(); "" + it.next() + it.next()', '53'],
    ['s.headSet(3).add(0); s', '[0, 1, 3, 5]'],
    ['s.headSet(3).clear(); s', '[3, 5]'],
    ['SortedSet m = s; m.first()', '1'],
    ['NavigableSet m = s; m.last()', '5'],
  ])('%s', (text, expected) => {
    expect(result(SET + text)).toBe(expected);
  });

  test('has the neighbours of any number that a search from end to end finds', () => {
    const small = fc.integer({ min: -20, max: 20 });
    fc.assert(
      fc.property(fc.array(small), small, (items, wanted) => {
        const ordered = [...new Set(items)].sort((a, b) => a - b);
        const found = (keep: (item: number) => boolean, at: 0 | -1) => String(ordered.filter(keep).at(at) ?? null);
        const text =
          'TreeSet s = new TreeSet(); s.addAll(params.l); int w = params.w; s.lower(w) + "," + s.floor(w) + "," + s.ceiling(w) + "," + s.higher(w) + "," + s.subSet(w, w + 5)';
        expect(result(text, { l: items, w: wanted })).toBe(
          [
            found((item) => item < wanted, -1),
            found((item) => item <= wanted, -1),
            found((item) => item >= wanted, 0),
            found((item) => item > wanted, 0),
            `[${ordered.filter((item) => item >= wanted && item < wanted + 5).join(', ')}]`,
          ].join(),
        );
      }),
    );
  });
});

describe('what is refused', () => {
  test.each([
    [`${MAP} t.headMap(3).put(4,"z")`, 'illegal_argument_exception', 'key out of range'],
    [`${MAP} t.subMap(3,1)`, 'illegal_argument_exception', 'fromKey > toKey'],
    [`${SET} s.headSet(3).add(7)`, 'illegal_argument_exception', 'key out of range'],
    [`${SET} s.subSet(3,1)`, 'illegal_argument_exception', 'fromKey > toKey'],
    [`${MAP} t.navigableKeySet().add(2)`, 'unsupported_operation_exception', null],
    ['new TreeMap().firstKey()', 'no_such_element_exception', null],
    ['new TreeSet().first()', 'no_such_element_exception', null],
    [`${MAP} t.lowerKey(1)`, 'illegal_argument_exception', 'member method [java.util.TreeMap, lowerKey/1] not found'],
  ])('%s', (text, type, reason) => {
    expect(failure(text)).toEqual(['script_exception', type, reason]);
  });
});
