import { assert } from '@shoal/core';
import type { FieldMapping } from '@shoal/schema';
import { expect, test } from 'vitest';
import { memoryContext } from '../../phases/query/memory-searcher.test-support.ts';
import { addressSetText, numberColumnText, numberRangeText, numberSetText, termRangeText } from './range-text.ts';

const KINDS = ['integer', 'byte', 'long', 'float', 'half_float', 'double', 'date', 'ip', 'keyword'];
const scaled = { type: 'scaled_float', scaling_factor: 100 };
const properties = { ...Object.fromEntries(KINDS.map((type) => [type, { type }])), scaled };
const { mapping } = memoryContext({ properties }, []);

function field(name: string): FieldMapping {
  const found = mapping.field(name);
  assert(found !== null, `no field ${name}`);
  return found;
}

const { POSITIVE_INFINITY: END, NEGATIVE_INFINITY: START } = Number;

test.each([
  ['integer', -23, END, 'integer:[-23 TO 2147483647]'],
  ['byte', START, 5, 'byte:[-2147483648 TO 5]'],
  ['long', 2n ** 63n - 1n, END, 'long:[9223372036854775807 TO 9223372036854775807]'],
  ['float', Math.fround(-53.6), Math.fround(27.999998), 'float:[-53.6 TO 27.999998]'],
  ['half_float', 122, 122, 'half_float:[122.0 TO 122.0]'],
  ['double', START, 1e7, 'double:[-Infinity TO 1.0E7]'],
  ['scaled', 11.04, END, 'scaled:[1104 TO 9223372036854775807]'],
  ['date', 1582934400000, 1583020799999, 'date:[1582934400000 TO 1583020799999]'],
])('a range of %s is told in the form in which it is indexed', (name, from, to, text) => {
  expect(numberRangeText(field(name), { from, to })).toBe(text);
});

test.each([
  ['integer', START, END, 'ConstantScore(FieldExistsQuery [field=integer])'],
  ['long', START, END, 'ConstantScore(FieldExistsQuery [field=long])'],
  ['long', 1, 2, 'long:[1 TO 2]'],
  ['float', -61.8, 247, 'float:[-1115108148 TO 1131872256]'],
  ['double', 1504.09375, 1504.09375, 'double:[4654329889715912704 TO 4654329889715912704]'],
])('a range of %s is told of its column as the whole numbers that stand there', (name, from, to, text) => {
  expect(numberColumnText(field(name), { from, to })).toBe(text);
});

test('any of some numbers are a set in their order, and any of some days are ranges', () => {
  const bounds = [30, 4, 30].map((number) => ({ from: number, to: number }));
  expect(numberSetText(field('long'), [...bounds, null])).toBe('long:{4 30}');
  expect(numberSetText(field('date'), bounds.slice(0, 2))).toBe('ConstantScore(date:[30 TO 30] date:[4 TO 4])');
});

const bytes = (text: string) => Buffer.from(text, 'hex');

test('ranges of terms show which ends count, and addresses in full', () => {
  const of = (from: Uint8Array | null, to: Uint8Array | null) => ({ from, includesFrom: false, to, includesTo: true });
  expect(termRangeText(field('keyword'), of(Buffer.from('cd38'), Buffer.from('ab25')))).toBe('keyword:{cd38 TO ab25]');
  expect(termRangeText(field('keyword'), of(null, Buffer.from('b')))).toBe('keyword:[* TO b]');
  const from = bytes('20010db800000000000000000000e8c4');
  expect(termRangeText(field('ip'), of(from, bytes('00000000000000000000ffff0a02f9cb')))).toBe(
    'ip:[2001:db8:0:0:0:0:0:e8c5 TO 10.2.249.203]',
  );
});

test('addresses that do not count themselves are told by their neighbours', () => {
  const bytes = (hex: string) => Buffer.from(hex, 'hex');
  const [from, to] = ['00000000000000000000ffff0a0000ff', '00000000000000000000ffff0a000200'].map(bytes);
  const bounds = { from: from ?? null, includesFrom: false, to: to ?? null, includesTo: false };
  expect(termRangeText(field('ip'), bounds)).toBe('ip:[10.0.1.0 TO 10.0.1.255]');
});

test('any of some addresses are a set in their order', () => {
  const addresses = [
    '00000000000000000000ffff0a02f9cb',
    '20010db800000000000000000000e8c4',
    '00000000000000000000ffff0a000102',
  ];
  expect(addressSetText(field('ip'), addresses.map(bytes))).toBe('ip:{10.0.1.2 10.2.249.203 2001:db8:0:0:0:0:0:e8c4}');
});
