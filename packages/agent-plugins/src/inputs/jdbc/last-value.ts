/**
 * `sql_last_value`: how far the statement has come, kept in a file in the form of Ruby that Logstash reads and writes.
 *
 * It is written in one step: a crash leaves the old value or the new one.
 */
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseTimestamp, Timestamp } from '@shoal/agent-event';
import { optionError } from '@shoal/agent-plugin-kit';
import { DoubleNumber } from '@shoal/core';
import type { Log } from '@shoal/runtime';
import { integerValue, type RowValue, SqlDecimal } from '../../sql/row-values.ts';

export type LastValue = number | bigint | DoubleNumber | SqlDecimal | Timestamp;

export interface LastValueOptions {
  /** null: nothing is kept. */
  readonly path: string | null;
  readonly isNumeric: boolean;
  /** Logstash writes its other class of times where `jdbc_default_timezone` is given. */
  readonly isDateTime: boolean;
  readonly log: Log;
}

export class LastValueTracker {
  private readonly options: LastValueOptions;
  value: LastValue;
  /** It was read from a column, here or in the run that wrote the file. */
  isFromColumn = false;

  private constructor(options: LastValueOptions, value: LastValue) {
    this.options = options;
    this.value = value;
  }

  /** @throws ShoalError when the file cannot be read, or holds what Ruby has not written */
  static async open(options: LastValueOptions, isClean: boolean): Promise<LastValueTracker> {
    const { path, isNumeric } = options;
    const initial: LastValue = isNumeric ? 0 : new Timestamp(0);
    if (path === null) return new LastValueTracker(options, initial);
    if (await isFolder(path))
      throw optionError(`[last_run_metadata_path] must point to a file, but [${path}] is a directory`);
    if (isClean) {
      await rm(path, { force: true });
      return new LastValueTracker(options, initial);
    }
    const text = await readIfThere(path);
    if (text === null) return new LastValueTracker(options, initial);
    const value = readRubyYaml(text);
    if (value === null) throw optionError(`[last_run_metadata_path] [${path}] holds no value that can be read`);
    if (value instanceof Timestamp !== isNumeric) return new LastValueTracker(options, value);
    options.log.warn('the last value is of another kind than the column that is tracked: it begins anew', {
      last_run_metadata_path: path,
    });
    return new LastValueTracker(options, initial);
  }

  /** Takes the value of a column; what is no number or time leaves the value as it is. */
  observe(value: RowValue): LastValue | null {
    if (!this.options.isNumeric) {
      if (value instanceof Timestamp) return value;
      return typeof value === 'string' ? parseTimestamp(value) : null;
    }
    if (typeof value === 'number' || typeof value === 'bigint' || value instanceof SqlDecimal) return value;
    return value instanceof DoubleNumber ? value : null;
  }

  async write(): Promise<void> {
    const { path, isDateTime } = this.options;
    if (path === null) return;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.new`, rubyYaml(this.value, isDateTime));
    await rename(`${path}.new`, path);
  }
}

/** The value of a file that Ruby's YAML wrote; null for a text that is none. */
export function readRubyYaml(text: string): LastValue | null {
  const [, tag = '', quoted, plain] =
    /^\s*(?:---)?\s*(?:!ruby\/object:(\w+)\s+)?(?:['"]([^'"]*)['"]|([^\n]*?))\s*(?:\n\.\.\.)?\s*$/.exec(text) ?? [];
  const value = (quoted ?? plain ?? '').trim();
  if (tag === 'BigDecimal') return bigDecimal(value);
  if (/^[+-]?\d[\d_]*$/.test(value)) {
    const read = integerValue(value.replaceAll('_', ''));
    return typeof read === 'number' || typeof read === 'bigint' ? read : null;
  }
  if (/^[+-]?\d+\.\d+(?:e[+-]?\d+)?$/i.test(value)) return new SqlDecimal(value);
  return parseTimestamp(value.replace(/\s+(?=[+-]\d\d:?\d\d$|Z$)/, ''));
}

export function rubyYaml(value: LastValue, isDateTime: boolean): string {
  if (value instanceof SqlDecimal) return `--- !ruby/object:BigDecimal '${bigDecimalText(value.text)}'\n`;
  if (!(value instanceof Timestamp)) return `--- ${value}\n`;
  const second = new Date(Math.floor(value.epochMs / 1000) * 1000).toISOString().slice(0, 19).replace('T', ' ');
  const nanos = (value.epochMs - Math.floor(value.epochMs / 1000) * 1000) * 1_000_000 + value.nanos;
  const time = `${second}.${String(nanos).padStart(9, '0')}`;
  return isDateTime ? `--- !ruby/object:DateTime '${time} +00:00'\n` : `--- ${time} Z\n`;
}

/** `27:0.12345e5`: room for digits, which means nothing here, and the number. */
function bigDecimal(text: string): SqlDecimal | null {
  const [, sign = '', digits = '', exponent = '0'] = /^(?:\d+:)?([+-]?)0?\.(\d+)e([+-]?\d+)$/i.exec(text) ?? [];
  if (digits === '')
    return /^(?:\d+:)?[+-]?\d+(?:\.\d+)?$/.test(text) ? new SqlDecimal(text.replace(/^\d+:/, '')) : null;
  const at = Number(exponent);
  if (Math.abs(at) > 1_000) return null;
  const padded = at > 0 ? digits.padEnd(at, '0') : `${'0'.repeat(-at)}${digits}`;
  const whole = at > 0 ? padded.slice(0, at) : '0';
  const fraction = (at > 0 ? padded.slice(at) : padded).replace(/0+$/, '');
  return new SqlDecimal(`${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`);
}

function bigDecimalText(text: string): string {
  const [, sign = '', whole = '', fraction = ''] = /^([+-]?)0*(\d*)(?:\.(\d*))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`;
  const significant = digits.replace(/^0+/, '').replace(/0+$/, '');
  if (significant === '') return '0:0.0';
  const exponent = whole.length - (digits.length - digits.replace(/^0+/, '').length);
  return `0:${sign === '-' ? '-' : ''}0.${significant}e${exponent}`;
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    // The first run has no file yet.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw optionError(`[last_run_metadata_path] cannot be read: ${String(error)}`);
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    // There is nothing yet.
    return false;
  }
}
