/** `csv`: fields from a line of values between separators. */
import { illegalArgument } from '@shoal/core';
import { type Processor, type ProcessorType, simple } from '../../contract/processor.ts';
import type { ProcessorConfig } from '../../contract/processor-config.ts';
import { parseFieldPath } from '../../document/field-path.ts';
import type { DocumentValue } from '../../values/document-value.ts';

export const csvProcessor: ProcessorType = { type: 'csv', create: createCsv };

interface Dialect {
  readonly separator: string;
  readonly quote: string;
  /** Blanks and tabs around a value do not belong to it. */
  readonly trims: boolean;
}

function createCsv(config: ProcessorConfig): Processor {
  const field = parseFieldPath(config.text('field'));
  const quote = character(config, 'quote', '"', `quote has to be single character like " or '`);
  const separator = character(config, 'separator', ',', 'separator has to be single character like , or ;');
  const trims = config.flag('trim', false);
  const empty: DocumentValue = config.optionalValue('empty_value');
  const ignoresMissing = config.flag('ignore_missing', false);
  const targets = config.texts('target_fields').map((name) => (name === '' ? null : parseFieldPath(name)));
  if (targets.length === 0) throw config.error('target_fields', "target fields list can't be empty");
  return simple((document) => {
    const line = ignoresMissing && !document.has(field) ? null : document.text(field);
    if (line === null) {
      if (ignoresMissing) return;
      throw illegalArgument(`field [${field.text}] is null, cannot process it.`);
    }
    const values = csvValues(line, { separator, quote, trims }, targets.length);
    for (const [at, value] of values.entries()) {
      const target = targets[at];
      const shown = value === '' ? empty : value;
      // A value without a name of its own is passed over.
      if (target !== undefined && target !== null && shown !== null) document.set(target, shown);
    }
  });
}

function character(config: ProcessorConfig, name: string, byDefault: string, problem: string): string {
  const text = config.optionalText(name) ?? byDefault;
  if (text.length !== 1) throw config.error(name, problem);
  return text;
}

/** At most `countMax` values; nothing, or blanks, behind the last separator is no value. */
function csvValues(line: string, dialect: Dialect, countMax: number): readonly string[] {
  const values: string[] = [];
  let at = 0;
  while (at < line.length && values.length < countMax) {
    const start = skipBlanks(line, at);
    if (start >= line.length) break;
    const { value, end } =
      line[start] === dialect.quote ? quoted(line, start, dialect) : plain(line, dialect.trims ? start : at, dialect);
    values.push(value);
    at = end + 1;
  }
  return values;
}

interface Found {
  readonly value: string;
  /** Position of the separator behind it, or of the end. */
  readonly end: number;
}

function plain(line: string, start: number, { separator, quote, trims }: Dialect): Found {
  let end = start;
  for (; end < line.length && line[end] !== separator; end++) {
    const c = line[end];
    if (c === quote || c === '\n' || c === '\r') {
      throw illegalArgument(`Illegal character inside unquoted field at ${end}`);
    }
  }
  let last = end;
  while (trims && last > start && isBlank(line[last - 1])) last--;
  return { value: line.slice(start, last), end };
}

function quoted(line: string, start: number, { separator, quote }: Dialect): Found {
  let value = '';
  for (let at = start + 1; ; ) {
    const end = line.indexOf(quote, at);
    if (end < 0) throw illegalArgument('Unmatched quote');
    value += line.slice(at, end);
    if (line[end + 1] !== quote) {
      const next = skipBlanks(line, end + 1);
      if (next < line.length && line[next] !== separator) {
        throw illegalArgument(`character '${line[next]}' after quoted field at ${next}`);
      }
      return { value, end: next };
    }
    value += quote;
    at = end + 2;
  }
}

function skipBlanks(line: string, from: number): number {
  let at = from;
  while (isBlank(line[at])) at++;
  return at;
}

function isBlank(c: string | undefined): boolean {
  return c === ' ' || c === '\t';
}
