/**
 * Columns of MySQL and MariaDB, by their type.
 */
import type { Zone } from '@shoal/agent-event';
import { ShoalError } from '@shoal/core';
import { floatValue, integerValue, type RowValue, SqlDecimal, singleFloatValue } from './row-values.ts';
import type { SqlTimes } from './sql-times.ts';

/** What the server says of a column, in the names of the package. */
export interface MysqlColumn {
  readonly name: string;
  readonly columnType: number;
  readonly columnLength: number;
  readonly flags: number;
}

export interface MysqlReading {
  readonly times: SqlTimes;
  /** Zone of TIMESTAMP columns, when the connection string names one. */
  readonly timestampZone: Zone | null;
  /** What `0000-00-00` is. */
  readonly zeroDates: 'error' | 'null' | 'round';
  /** TINYINT(1) is a boolean. */
  readonly isTinyBoolean: boolean;
  /** YEAR is the first day of it. */
  readonly isYearDate: boolean;
}

const UNSIGNED = 32;
const ZERO_DATE = /^0000-00-00/;

export function mysqlReader(column: MysqlColumn, reading: MysqlReading): (value: unknown) => RowValue {
  const { times } = reading;
  switch (column.columnType) {
    case 1:
      return reading.isTinyBoolean && column.columnLength === 1 && (column.flags & UNSIGNED) === 0
        ? (value) => value !== 0
        : numeric;
    case 0:
    case 246:
      return (value) => new SqlDecimal(String(value));
    case 4:
      return (value) => singleFloatValue(Number(value));
    case 5:
      return (value) => floatValue(Number(value));
    case 8:
      return (value) => integerValue(String(value));
    case 7:
      return dated(column, reading, (text) => times.timestamp(text, reading.timestampZone));
    case 12:
      return dated(column, reading, (text) => times.timestamp(text));
    case 10:
    case 14:
      return dated(column, reading, (text) => times.date(text));
    case 11:
      return (value) => times.timeOfDay(String(value)) ?? String(value);
    case 13:
      return reading.isYearDate
        ? (value) => times.date(`${String(value).padStart(4, '0')}-01-01`) ?? numeric(value)
        : numeric;
    case 16:
      return (value) => (column.columnLength === 1 ? firstBit(value) : bytesOrText(value));
    default:
      return bytesOrText;
  }
}

function dated(
  column: MysqlColumn,
  { zeroDates, times }: MysqlReading,
  read: (text: string) => RowValue,
): (value: unknown) => RowValue {
  return (value) => {
    const text = String(value);
    if (!ZERO_DATE.test(text)) return read(text) ?? text;
    if (zeroDates === 'null') return null;
    if (zeroDates === 'round') return times.date('0001-01-01');
    throw new ShoalError(
      'illegal_argument_exception',
      400,
      `the column [${column.name}] has the date ${text}, which is none: add zeroDateTimeBehavior=CONVERT_TO_NULL to ` +
        '[jdbc_connection_string]',
    );
  };
}

function numeric(value: unknown): RowValue {
  return typeof value === 'number' ? value : integerValue(String(value));
}

function firstBit(value: unknown): RowValue {
  return value instanceof Uint8Array ? ((value[0] ?? 0) & 1) === 1 : bytesOrText(value);
}

function bytesOrText(value: unknown): RowValue {
  return value instanceof Uint8Array || typeof value === 'number' ? value : String(value);
}
