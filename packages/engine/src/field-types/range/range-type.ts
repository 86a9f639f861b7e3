/**
 * Range types: each value is a range of numbers, dates or addresses, kept as a term and found by how it lies to another range.
 */
import { PLAIN_FORMAT } from '@shoal/aggregations';
import { illegalArgument, ShoalError } from '@shoal/core';
import { dateFormatter, type FieldMapping } from '@shoal/schema';
import { exactly, type FieldMatch, type PairedTerms, type ValueRange } from '../contract/field-match.ts';
import { checkIndexed, checkNoFormat, type FieldType, NO_PARTS, type RequestClock } from '../contract/field-type.ts';
import { ComposedValue } from '../contract/indexed-value.ts';
import { networkBounds } from '../ip/ip.ts';
import { KEYWORD } from '../keyword/keyword.ts';
import { RANGE_ELEMENTS, type RangeElement, type RangeElementName } from './range-element.ts';
import { type CodeRange, codeBytes, rangeNumbers, rangeTerm } from './range-term.ts';

/** Range of a document. */
class RangeValue extends ComposedValue {
  readonly indexed: string;
  /** Ends as the document names them, by code; null: named as open. Of a network: the text itself. */
  readonly given: ReadonlyMap<string, bigint | null> | string;

  constructor(indexed: string, given: ReadonlyMap<string, bigint | null> | string) {
    super();
    this.indexed = indexed;
    this.given = given;
  }
}

/** Type of the ranges of one type of values. */
export function rangeType(name: RangeElementName): FieldType {
  const element = RANGE_ELEMENTS[name];
  const isDate = name === 'date';
  return {
    ...KEYWORD,
    read: (field, value) => {
      if (name === 'ip' && typeof value === 'string') return networkValue(value);
      return readRange(element, field, value);
    },
    check: () => {},
    parts: ({ isIndexed, hasDocValues }) =>
      isIndexed || hasDocValues
        ? {
            ...NO_PARTS,
            terms: { encoding: 'latin1', hasFreqs: false, hasPositions: false, hasPostings: isIndexed },
            hasOrdinals: hasDocValues,
          }
        : NO_PARTS,
    textQueries: 'none',
    term: (field, value, clock) => matchingRanges(element, field, exactly(value), clock),
    range: (field, range, clock) => matchingRanges(element, field, range, clock),
    takesDateFormat: isDate,
    sort: { column: 'none', refusal: 'ranges have no order to sort by' },
    collapse: 'none',
    aggregation: {
      ...KEYWORD.aggregation,
      encoding: 'latin1',
      takesPatterns: false,
      isCountedOnly: true,
      countsDocuments: true,
      ranges: { type: name, read: (term) => rangeNumbers(term, element) },
      format: ({ dateFormat, timeZone }) => (isDate ? { kind: 'date', format: dateFormat, timeZone } : PLAIN_FORMAT),
      key: () => {
        throw illegalArgument(
          "Can't apply missing values on a class org.elasticsearch.search.aggregations.support.ValuesSource$Range",
        );
      },
    },
    columnPrinter: ({ path, kind }) => {
      throw illegalArgument(`Field [${path}] of type [${kind}] does not support [docvalue_fields]`);
    },
    printer: (field, format) => {
      if (!isDate) checkNoFormat(field, format);
      else if (format !== null) dateFormatter(format);
      const shown = isDate ? (format ?? field.format) : '';
      return (value) => (value instanceof RangeValue ? printRange(element, value, shown) : null);
    },
  };
}

function printRange(element: RangeElement, { given }: RangeValue, format: string): unknown {
  if (typeof given === 'string') return given;
  return Object.fromEntries(
    [...given].map(([name, code]) => [name, code === null ? null : element.show(code, format)]),
  );
}

function readRange(element: RangeElement, field: FieldMapping, value: unknown): RangeValue {
  const name = field.path;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw notARange(`error parsing field [${name}], expected an object but got ${lastName(name)}`);
  }
  let { min: from, max: to } = element;
  const given = new Map<string, bigint | null>();
  for (const [end, bound] of Object.entries(value)) {
    if (end !== 'gte' && end !== 'gt' && end !== 'lte' && end !== 'lt') {
      throw notARange(`error parsing field [${name}], with unknown parameter [${end}]`);
    }
    if (typeof bound === 'object' && bound !== null) throw notAScalar(bound);
    const code = bound === null ? null : element.read(field, bound);
    given.set(end, code);
    if (code === null) continue;
    // The largest value has none above it, and the smallest none below.
    if (end === 'gte' || end === 'gt') from = end === 'gt' && code < element.max ? code + 1n : code;
    else to = end === 'lt' && code > element.min ? code - 1n : code;
  }
  return new RangeValue(rangeTerm(checkedRange(element, { from, to }), element.bytes), given);
}

function checkedRange(element: RangeElement, { from, to }: CodeRange): CodeRange {
  if (from <= to) return { from, to };
  if (element.bytes === 16) {
    throw illegalArgument('min value cannot be greater than max value for InetAddressRange field');
  }
  throw illegalArgument(`min value (${element.text(from)}) is greater than max value (${element.text(to)})`);
}

/** All addresses of a network. */
function networkValue(text: string): RangeValue {
  if (!text.includes('/')) throw illegalArgument(`Expected [ip/prefix] but was [${text}]`);
  const { from, to } = networkBounds(text);
  const term = Buffer.concat([from, to]).toString('latin1');
  return new RangeValue(term, text);
}

function notARange(reason: string): ShoalError {
  return new ShoalError('mapper_parsing_exception', 400, reason);
}

function notAScalar(value: object): ShoalError {
  const token = Array.isArray(value) ? 'START_ARRAY' : 'START_OBJECT';
  return new ShoalError(
    'json_parse_exception',
    400,
    `Current token (${token}) not numeric, can not use numeric value accessors`,
  );
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** Ranges that lie to the one of the query as it says. */
function matchingRanges(
  element: RangeElement,
  field: FieldMapping,
  range: ValueRange,
  clock: RequestClock,
): FieldMatch {
  checkIndexed(field);
  const { includesFrom, includesTo, relation } = range;
  const read = (value: ValueRange['from'], roundUp: boolean): bigint =>
    element.query(field, value, { range, clock, roundUp });
  const from = range.from === null ? element.min : read(range.from, !includesFrom);
  const to = range.to === null ? element.max : read(range.to, includesTo);
  if (from > to) {
    throw illegalArgument(
      `Range query \`from\` value (${element.text(from)}) is greater than \`to\` value (${element.text(to)})`,
    );
  }
  const least = includesFrom ? from : from + 1n;
  const most = includesTo ? to : to - 1n;
  if (least > most || least > element.max || most < element.min) return NO_TERMS;
  const text = `<ranges:[${element.text(least)} : ${element.text(most)}]>`;
  return { ...relatedTerms(element, { from: least, to: most }, relation), text };
}

type PairedEnds = Omit<PairedTerms, 'text'>;

function relatedTerms(
  { bytes, min, max }: RangeElement,
  { from, to }: CodeRange,
  relation: ValueRange['relation'],
): PairedEnds {
  const first = codeBytes(from, bytes);
  const last = codeBytes(to, bytes);
  /** Starts up to a code: all terms before the first that begins with the next code. */
  const startsUpTo = (code: bigint): Uint8Array | null => (code === max ? null : codeBytes(code + 1n, bytes));
  switch (relation) {
    case 'within':
      return paired(from === min ? null : first, startsUpTo(to), { from: null, to: last });
    case 'contains':
      return paired(null, startsUpTo(from), { from: last, to: null });
    case 'intersects':
      return paired(null, startsUpTo(to), { from: first, to: null });
  }
}

function paired(from: Uint8Array | null, to: Uint8Array | null, second: PairedTerms['second']): PairedEnds {
  return { kind: 'pairedTerms', bounds: { from, includesFrom: true, to, includesTo: false }, second };
}

/** No term is below the shortest. */
const NO_TERMS: FieldMatch = {
  kind: 'termRange',
  bounds: { from: null, includesFrom: true, to: new Uint8Array(0), includesTo: false },
};
