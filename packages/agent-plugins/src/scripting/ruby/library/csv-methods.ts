/**
 * CSV: rows out of texts and texts out of rows. Options that change how rows are read are done or refused, never passed over.
 */
import { type CsvDialect, csvRecords, csvRowText, readCsvRecord } from '@shoal/agent-plugin-kit';
import { blockArgument, checkSize, listArgument, textArgument } from '../arguments/arguments.ts';
import { toText } from '../values/inspect.ts';
import { argumentError, exception, type RubyException } from '../values/ruby-exception.ts';
import {
  ARRAY,
  type Machine,
  type Methods,
  OBJECT,
  RubyClass,
  RubyHash,
  RubyString,
  STRING,
  str,
  type Value,
} from '../values/ruby-value.ts';

export const CSV: RubyClass = new RubyClass('CSV', OBJECT);
/** Values that say what is so without them. */
const USUAL: Readonly<Record<string, readonly Value[]>> = {
  headers: [false, null],
  converters: [null],
  liberal_parsing: [false],
  skip_blanks: [false],
  strip: [false],
  force_quotes: [false],
  row_sep: [null],
};

interface CsvOptions extends CsvDialect {
  readonly lineEnd: string;
}

function optionsOf(args: readonly Value[]): CsvOptions {
  const last = args.at(-1);
  let [separator, quote, lineEnd] = [',', '"', '\n'];
  for (const [key, value] of last instanceof RubyHash ? last.pairs() : []) {
    const name = toText(key);
    if (name === 'col_sep') separator = textArgument(value);
    else if (name === 'quote_char') quote = value === null ? '' : textArgument(value);
    else if (name === 'row_sep' && value instanceof RubyString) lineEnd = value.text;
    else if (USUAL[name]?.includes(value) !== true)
      throw exception('NotImplementedError', `the option ${name} of CSV is not supported here`);
  }
  if (separator === '') throw argumentError(':col_sep must be 1 or more characters: ""');
  if (quote.length > 1) throw argumentError(':quote_char has to be nil or a single character String');
  return { separator, quote, lineEnd };
}

function rowOf(record: string, { separator, quote }: CsvDialect, line: number): Value[] {
  if (record.replace(/\r?\n$/, '') === '') return [];
  const values = readCsvRecord(record, separator, quote);
  if (values === null) throw malformed(record, quote, line);
  return values.map((value) => (value === null ? null : str(value)));
}

function malformed(record: string, quote: string, line: number): RubyException {
  const isOpen = record.split(quote).length % 2 === 0;
  const what = isOpen ? 'Unclosed quoted field' : 'Illegal quoting';
  return exception('CSV::MalformedCSVError', `${what} in line ${line}.`);
}

function rows(machine: Machine, args: readonly Value[]): Value[][] {
  const text = textArgument(args[0]);
  checkSize(machine, text.length);
  const dialect = optionsOf(args);
  let line = 1;
  return csvRecords(text, dialect.quote, { keepsEmpty: true }).map((record) => {
    machine.step();
    const row = rowOf(record, dialect, line);
    line += record.split('\n').length - 1;
    return row;
  });
}

/** The row of the first line; nil without one. */
function firstRow(machine: Machine, args: readonly Value[]): Value {
  const text = textArgument(args[0]);
  checkSize(machine, text.length);
  const dialect = optionsOf(args);
  const [record] = csvRecords(text, dialect.quote, { keepsEmpty: true });
  return record === undefined ? null : rowOf(record, dialect, 1);
}

function line(machine: Machine, args: readonly Value[]): Value {
  const options = optionsOf(args);
  const values = listArgument(args[0]).map((value) => (value === null ? null : toText(value)));
  const text = csvRowText(values, options) + options.lineEnd;
  checkSize(machine, text.length);
  return str(text);
}

const CLASS_METHODS: Methods<RubyClass> = {
  parse: (machine, _self, args, block) => {
    const found = rows(machine, args);
    if (block === null) return found;
    const each = blockArgument(block);
    for (const row of found) each.run([row], null);
    return null;
  },
  parse_line: (machine, _self, args) => firstRow(machine, args),
  generate_line: (machine, _self, args) => line(machine, args),
};

export function defineCsv(): void {
  ARRAY.define<Value[]>({ to_csv: (machine, self, args) => line(machine, [self, ...args]) });
  STRING.define<RubyString>({ parse_csv: (machine, self, args) => firstRow(machine, [self, ...args]) });
  CSV.defineOnClass(CLASS_METHODS);
}
