import { createNodeRuntime, createRecordingLog } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { eventOf, makeFilter } from '../../../../agent-config/src/options/plugin-fixture.test-support.ts';
import { runFilter } from '../filter-outcome.test-support.ts';
import { csvFilter } from './csv.ts';

type Fields = Record<string, unknown>;

describe('the csv filter', () => {
  const csv = async (message: string, options: Fields = {}) => {
    const { event } = await runFilter(csvFilter, options, { message });
    const { message: _, ...rest } = event;
    return rest;
  };
  test.each([
    ['a,b', {}, { column1: 'a', column2: 'b' }],
    ['1,"x ""y"", z",3', { columns: ['a', 'b'] }, { a: '1', b: 'x "y", z', column3: '3' }],
    ['1,2', { columns: ['a'], autogenerate_column_names: false }, { a: '1' }],
    ['1,,3', { columns: ['a', 'b', 'c'], skip_empty_columns: true }, { a: '1', c: '3' }],
    ['1;2', { separator: ';', target: 't' }, { t: { column1: '1', column2: '2' } }],
    [
      '1,x,TRUE',
      { columns: ['a', 'b', 'c'], convert: { a: 'integer', b: 'integer', c: 'boolean' } },
      { a: 1, b: 'x', c: true },
    ],
    [
      '2026-01-02,1.5',
      { columns: ['d', 'f'], convert: { d: 'date', f: 'float' } },
      { d: new Date(2026, 0, 2).toISOString(), f: 1.5 },
    ],
    ['a,"b', {}, { tags: ['_csvparsefailure'] }],
    ['', { skip_empty_rows: true }, { tags: ['_csvskippedemptyfield'] }],
    ['', {}, { tags: ['_csvparsefailure'] }],
    ['  ', { skip_empty_rows: true }, { column1: '  ' }],
    ['\n', { add_tag: ['seen'] }, { tags: ['seen'] }],
    [
      '0x1F,010,1_000,08, 7 ',
      {
        convert: { column1: 'integer', column2: 'integer', column3: 'integer', column4: 'integer', column5: 'integer' },
      },
      { column1: 31, column2: 8, column3: 1000, column4: '08', column5: 7 },
    ],
    [
      '1_0.5,.5, Yes ,2026-01-02 03:04:05,2026-01-02T03:04:05',
      { convert: { column1: 'float', column2: 'float', column3: 'boolean', column4: 'date_time', column5: 'date' } },
      {
        column1: 10.5,
        column2: '.5',
        column3: 'yes',
        column4: '2026-01-02T03:04:05.000Z',
        column5: '2026-01-02T03:04:05',
      },
    ],
  ])('%j with %j', async (message, options, expected) => expect(await csv(message, options)).toEqual(expected));
  test('what is no text is no record', async () => {
    expect((await runFilter(csvFilter, {}, { message: 5 })).event).toEqual({ message: 5, tags: ['_csvparsefailure'] });
    expect((await runFilter(csvFilter, {}, {})).event).toEqual({});
  });
  test('the first line may name the columns, and a header is dropped', async () => {
    const filter = makeFilter(csvFilter, { autodetect_column_names: true });
    expect((await filter.run(eventOf({ message: 'x,y' }))).events).toEqual([]);
    const event = eventOf({ message: '1,2' });
    await filter.run(event);
    expect([event.fields.get('x'), event.fields.get('y')]).toEqual(['1', '2']);
    expect((await runFilter(csvFilter, { columns: ['a', 'b'], skip_header: true }, { message: 'a,b' })).events).toEqual(
      [],
    );
  });
});

test('csv says once under ECS that its fields go to the top of the event', async () => {
  const log = createRecordingLog();
  const runtime = createNodeRuntime({ log });
  const options = {};
  await runFilter(csvFilter, options, {}, { ecs: 'v8', runtime });
  await runFilter(csvFilter, { ...options, target: 't' }, {}, { ecs: 'v8', runtime });
  await runFilter(csvFilter, options, {}, { runtime });
  expect(log.lines.map((line) => line.level)).toEqual(['info']);
});
