import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeOutput, temporaryFolder, testContext } from '../../plugin-instance.test-support.ts';
import { event, start } from '../output-under-test.test-support.ts';
import { csvOutput } from './csv.ts';

async function rows(options: Record<string, unknown>, ...events: readonly Record<string, unknown>[]): Promise<string> {
  const path = join(await temporaryFolder(), '%{kind}.csv');
  const { output } = await start(csvOutput, { path, fields: ['a', 'b'], ...options });
  await output.receive(events.map((fields) => event({ kind: 'x', ...fields })));
  await output.stop?.();
  return readFileSync(path.replace('%{kind}', 'x'), 'utf8');
}

test.each([
  [{}, { a: 'bar', b: 'quux' }, 'bar,quux\n'],
  [{}, { b: 'quux' }, ',quux\n'],
  [{}, { a: '', b: ' x ' }, '"", x \n'],
  [{}, { a: 'one,two', b: 'say "x"' }, '"one,two","say ""x"""\n'],
  [{}, { a: 'one\ntwo', b: 'a\tb' }, '"one\ntwo",a\tb\n'],
  [{}, { a: { one: 'two' }, b: ['x', 1] }, '"{""one"":""two""}","[""x"", 1]"\n'],
  [{ fields: ['[a][one]', '[a][none]'] }, { a: { one: 1.5 } }, '1.5,\n'],
  [{}, { a: '=1+1', b: '1=1' }, "'=1+1,1=1\n"],
  [{ spreadsheet_safe: false }, { a: '=1+1', b: true }, '=1+1,true\n'],
  [{ csv_options: { col_sep: '|', row_sep: '\t' } }, { a: 'x|y', b: 'a,b' }, '"x|y"|a,b\t'],
  [{ csv_options: { quote_char: "'", force_quotes: 'true' } }, { a: "it's" }, "'it''s',''\n"],
])('%j writes %j as a row', async (options, fields, row) => {
  expect(await rows(options, fields, fields)).toBe(row + row);
});

test.each([
  [{ no_such: 1 }, 'no_such'],
  [{ quote_char: '""' }, 'quote_char'],
  [{ col_sep: '' }, 'col_sep'],
])('[csv_options => %j] is refused', (csv_options, message) => {
  const make = () => makeOutput(csvOutput, { path: '/tmp/x', fields: ['a'], csv_options }, testContext());
  expect(make).toThrow(message);
});
