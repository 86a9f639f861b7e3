import { describe, expect, test } from 'vitest';
import { DocumentFields, FieldValues, type FieldValuesClass, ScriptPoint } from '../library/document-values.ts';
import { FieldDateTime } from '../time/instants.ts';
import { JavaMap } from '../values/java-map.ts';
import { JavaInteger } from '../values/java-numbers.ts';
import { compileExpressionScript } from './expression-program.ts';
import {
  AGGREGATION_CONTEXT,
  BUCKET_AGGREGATION_CONTEXT,
  BUCKET_SELECTOR_CONTEXT,
  FIELD_CONTEXT,
  FILTER_CONTEXT,
  SCORE_CONTEXT,
  type ScriptContext,
  UPDATE_CONTEXT,
} from './script-context.ts';

const FIELDS: Readonly<Record<string, readonly [FieldValuesClass, readonly unknown[]]>> = {
  n: ['Longs', [1n, 3n, 8n]],
  even: ['Doubles', [4, 1]],
  none: ['Doubles', []],
  b: ['Booleans', [true]],
  k: ['Strings', ['a']],
  t: ['Dates', [new FieldDateTime(Date.parse('2021-01-03T05:06:07.089Z'))]],
  g: ['GeoPoints', [new ScriptPoint(10.5, 20)]],
  nowhere: ['GeoPoints', []],
};

const doc = new DocumentFields((name) => {
  const [kind, values] = FIELDS[name] ?? [];
  if (kind === undefined || values === undefined) return null;
  const reader = { count: () => values.length, first: () => values[0], value: (at: number) => values[at] };
  return new FieldValues(kind, reader);
});

const NO_PARAMS = new JavaMap();
const run = (text: string, context: ScriptContext, values: readonly unknown[]): unknown =>
  compileExpressionScript({ lang: 'expression', text }, context).run(values);
const field = (text: string, params = NO_PARAMS): unknown => run(text, FIELD_CONTEXT, [params, doc]);

describe('a variable of an expression', () => {
  test.each([
    ["doc['n']", 1],
    ["doc['n'].value", 1],
    ["doc['n'].getValue()", 1],
    ["doc['n'].min()", 1],
    ["doc['n'].max()", 8],
    ["doc['n'].sum()", 12],
    ["doc['n'].avg()", 4],
    ["doc['n'].median()", 3],
    ["doc['even'].median()", 2.5],
    ["doc['n'].count()", 3],
    ["doc['n'].size()", 3],
    ["doc['n'].length", 3],
    ["doc['n'].empty", 0],
    ["doc['none'].empty", 1],
    ["doc['none'].isEmpty()", 1],
    ["doc['none'].value", 0],
    ["doc['none'].avg()", 0],
    ["doc['b'].value", 1],
    ["doc['t'].value", Date.parse('2021-01-03T05:06:07.089Z')],
    ["doc['t'].getYear()", 2021],
    ["doc['t'].getMonth()", 0],
    ["doc['t'].getDayOfMonth()", 3],
    ["doc['t'].getHourOfDay()", 5],
    ["doc['t'].getMinutes()", 6],
    ["doc['t'].getSeconds()", 7],
    ["doc['t'].date.monthOfYear", 1],
    ["doc['t'].date.dayOfWeek", 7],
    ["doc['t'].date.dayOfYear", 3],
    ["doc['t'].date.weekyear", 2020],
    ["doc['t'].date.getWeekOfWeekyear()", 53],
    ["doc['t'].date.centuryOfEra", 20],
    ["doc['t'].date.yearOfCentury", 21],
    ["doc['t'].date.era", 1],
    ["doc['t'].date.millisOfSecond", 89],
    ["doc['t'].date.secondOfDay", 18_367],
    ["doc['t'].date.minuteOfDay", 306],
    ["doc['g'].lat + doc['g'].getLon()", 30.5],
    // What is there is called empty.
    ["doc['g'].empty", 1],
    ["doc['nowhere'].isEmpty()", 0],
    ["doc['nowhere'].lon", 0],
  ])('%s is %d', (text, value) => {
    expect(field(text)).toBe(value);
  });

  test.each([
    ["doc['n'].foo", 0, 'illegal_argument_exception', 'Member variable [foo] does not exist for numeric field [n].'],
    [
      "doc['n'].getYear()",
      0,
      'illegal_argument_exception',
      'Member method [getYear] does not exist for numeric field [n].',
    ],
    ["doc['t'].date", 0, 'illegal_argument_exception', 'Member variable [date] does not exist for date field [t].'],
    [
      "doc['t'].date.foo",
      0,
      'illegal_argument_exception',
      'Member variable [foo] does not exist for date object on field [t].',
    ],
    ["doc['g']", 0, 'illegal_argument_exception', 'Member variable [value] does not exist for geo field [g].'],
    [
      "doc['n'][1]",
      0,
      'illegal_argument_exception',
      'Only member variables or member methods may be accessed on a field when not accessing the field directly',
    ],
    [
      "doc['n'].value.value",
      0,
      'illegal_argument_exception',
      "Variable [doc['n'].value.value] does not follow an allowed format of either doc['field'] or doc['field'].method()",
    ],
    ["doc['k'].value", 5, 'parse_exception', 'Field [k] must be numeric, date, or geopoint'],
    ["doc['zz'].value", 5, 'parse_exception', 'Field [zz] does not exist in mappings'],
    ['doc', 3, 'parse_exception', "Variable 'doc' must be used with a specific field like: doc['myfield']"],
    ['foo.bar', 0, 'parse_exception', 'Unknown variable [foo]'],
    ['_score', 0, 'parse_exception', 'Unknown variable [_score]'],
  ])('%s is none', (text, offset, type, reason) => {
    const error = expect.objectContaining({
      type: 'script_exception',
      reason: 'link error',
      metadata: { script_stack: [text, `${' '.repeat(offset)}^---- HERE`], script: `1 + ${text}`, lang: 'expression' },
      causedBy: expect.objectContaining({ type, reason }),
    });
    expect(() => field(`1 + ${text}`)).toThrow(error);
  });

  test('may be a parameter, which is a number', () => {
    const params = JavaMap.of({ a: new JavaInteger(4), 'a.b': 2.5, s: 'x' });
    expect(field('a * a.b', params)).toBe(10);
    expect(() => field('s', params)).toThrow(
      expect.objectContaining({
        causedBy: expect.objectContaining({ reason: 'Parameter [s] must be a numeric type' }),
      }),
    );
  });
});

describe('an expression', () => {
  test('reads the score and the value that it is given for each run', () => {
    const program = compileExpressionScript({ lang: 'expression', text: '_score * 2' }, SCORE_CONTEXT);
    const bound = program.bind([NO_PARAMS, doc, 1]);
    expect(bound.run()).toBe(2);
    bound.set(2, 4);
    expect(bound.run()).toBe(8);
    const values = (value: unknown) => run('_value + 1', AGGREGATION_CONTEXT, [NO_PARAMS, doc, 0, value]);
    expect([7n, 1.5, true].map(values)).toEqual([8, 2.5, 2]);
    expect(() => values('a')).toThrow('Cannot use expression with text variable');
  });

  test('decides by what is not 0, and for buckets by 1', () => {
    const filter = (text: string) => run(text, FILTER_CONTEXT, [NO_PARAMS, doc]);
    expect(["doc['n'].value > 2", '5', '0/0'].map(filter)).toEqual([false, true, true]);
    const select = (m: number) => run('m', BUCKET_SELECTOR_CONTEXT, [JavaMap.of({ m })]);
    expect([1, 5, 0].map(select)).toEqual([true, false, false]);
  });

  test('of buckets knows their values alone, and needs them all', () => {
    const ofBucket = (text: string, values: Readonly<Record<string, unknown>>) =>
      run(text, BUCKET_AGGREGATION_CONTEXT, [JavaMap.of(values)]);
    expect(ofBucket('m * 10 + c + unset', { m: 3, c: 1 })).toBe(31);
    expect(() => ofBucket('m', { m: 1, c: 1 })).toThrow('The variable [c] does not exist in the executable');
    expect(() => ofBucket('m', { m: 'x' })).toThrow('The variable [m] is not a number.');
  });

  test('is told where it breaks the grammar, and where it may not be', () => {
    expect(() => field('1 + 2 3')).toThrow(
      expect.objectContaining({
        reason: 'compile error',
        metadata: { script_stack: ['1 + 2 3', '      ^---- HERE'], script: '1 + 2 3', lang: 'expression' },
        causedBy: expect.objectContaining({ type: 'parse_exception' }),
      }),
    );
    expect(() => run('1', UPDATE_CONTEXT, [NO_PARAMS, NO_PARAMS])).toThrow(
      'expression engine does not know how to handle script context [update]',
    );
  });
});
