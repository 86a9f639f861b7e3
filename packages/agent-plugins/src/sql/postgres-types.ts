/**
 * Columns of PostgreSQL, which come as text, by the number of their type.
 */
import type { EventValue } from '@shoal/agent-event';
import { eventValueOf, floatValue, integerValue, type RowValue, SqlDecimal } from './row-values.ts';
import type { SqlTimes } from './sql-times.ts';

export type TextReader = (text: string) => RowValue;

/** Types of lists, by the type of their items. */
const LISTS: ReadonlyMap<number, number> = new Map([
  [199, 114],
  [651, 25],
  [1000, 16],
  [1001, 17],
  [1005, 21],
  [1007, 23],
  [1009, 25],
  [1014, 25],
  [1015, 25],
  [1016, 20],
  [1021, 700],
  [1022, 701],
  [1041, 25],
  [1115, 1114],
  [1182, 1082],
  [1183, 1083],
  [1185, 1184],
  [1231, 1700],
  [2951, 25],
  [3807, 25],
]);

const text: TextReader = (value) => value;

/** What is no number, time, list or bytes is text: JSON, identifiers, addresses, intervals, names of enumerations. */
export function postgresReader(type: number, times: SqlTimes): TextReader {
  const item = LISTS.get(type);
  if (item !== undefined) {
    const read = postgresReader(item, times);
    return (value) => readList(value, read);
  }
  switch (type) {
    case 16:
      return (value) => value === 't';
    case 17:
      return readBytes;
    case 20:
    case 21:
    case 23:
    case 26:
      return integerValue;
    case 700:
    case 701:
      return (value) => floatValue(Number(value));
    case 1700:
      return (value) => (/^[+-]?\d/.test(value) ? new SqlDecimal(value) : value);
    case 1082:
      return (value) => times.date(value) ?? value;
    case 1083:
    case 1266:
      return (value) => times.timeOfDay(value.replace(/[+-][\d:]+$/, '')) ?? value;
    case 1114:
      return (value) => times.timestamp(value) ?? value;
    case 1184:
      return (value) => times.zonedTimestamp(value) ?? value;
    default:
      return text;
  }
}

function readBytes(value: string): RowValue {
  if (value.startsWith('\\x')) return Buffer.from(value.slice(2), 'hex');
  // The form of servers before 9.0, or of `bytea_output = escape`.
  const bytes: number[] = [];
  for (let i = 0; i < value.length; i++) {
    if (value[i] !== '\\') bytes.push(value.charCodeAt(i));
    else if (value[i + 1] === '\\') {
      bytes.push(value.charCodeAt(i));
      i++;
    } else {
      bytes.push(Number.parseInt(value.slice(i + 1, i + 4), 8));
      i += 3;
    }
  }
  return Buffer.from(bytes);
}

/** `{1,NULL,"a \"b\"",{2}}`, with the bounds of its dimensions before it when they are not the usual ones. */
function readList(value: string, read: TextReader): EventValue {
  const source = value.replace(/^\[[^=]*=/, '');
  let at = 0;
  const list = (): EventValue[] => {
    const items: EventValue[] = [];
    at++;
    while (at < source.length && source[at] !== '}') {
      if (source[at] === ',') at++;
      else items.push(source[at] === '{' ? list() : source[at] === '"' ? quoted() : plain());
    }
    at++;
    return items;
  };
  const quoted = (): EventValue => {
    let item = '';
    for (at++; at < source.length && source[at] !== '"'; at++) {
      if (source[at] === '\\') at++;
      item += source[at] ?? '';
    }
    at++;
    return eventValueOf(read(item));
  };
  const plain = (): EventValue => {
    const from = at;
    while (at < source.length && source[at] !== ',' && source[at] !== '}') at++;
    const item = source.slice(from, at);
    return item.toUpperCase() === 'NULL' ? null : eventValueOf(read(item));
  };
  return source.startsWith('{') ? list() : source;
}
