/**
 * Variables of expressions that are fields of the present document: `doc['price'].value`, `doc['day'].getYear()`,
 * `doc['place'].lat`. A document without a value has 0.
 */
import { type DocumentFields, type FieldValues, ScriptPoint } from '../library/document-values.ts';
import { JavaDateTime } from '../time/instants.ts';
import { numberType, rawNumber } from '../values/java-numbers.ts';
import { CALENDAR_METHODS, DATE_PARTS, type DateMember } from './date-members.ts';
import { UnknownVariable } from './expression-errors.ts';
import type { ExpressionVariable } from './expression-tree.ts';

type FieldNumber = (field: FieldValues) => number;

/** Offsets of what is wrong in a variable: its field, and what follows `doc`. */
const FIELD_OFFSET = 5;
const DOC_OFFSET = 3;

const isEmpty: FieldNumber = ({ length }) => Number(length === 0);
const count: FieldNumber = ({ length }) => length;
const least = ofNumbers((numbers) => Math.min(...numbers));

const NUMBER_VARIABLES: ReadonlyMap<string, FieldNumber> = new Map([
  ['value', least],
  ['empty', isEmpty],
  ['length', count],
]);
const NUMBER_METHODS: ReadonlyMap<string, FieldNumber> = new Map([
  ['getValue', least],
  ['isEmpty', isEmpty],
  ['size', count],
  ['count', count],
  ['min', least],
  ['max', ofNumbers((numbers) => Math.max(...numbers))],
  ['sum', ofNumbers(sumOf)],
  ['avg', ofNumbers((numbers) => sumOf(numbers) / numbers.length)],
  ['median', ofNumbers(medianOf)],
]);

/** That a point is there is what "empty" says of it. */
const isThere: FieldNumber = ({ length }) => Number(length > 0);
const lat = ofPoint(({ lat: degrees }) => degrees);
const lon = ofPoint(({ lon: degrees }) => degrees);
const POINT_VARIABLES: ReadonlyMap<string, FieldNumber> = new Map([
  ['empty', isThere],
  ['lat', lat],
  ['lon', lon],
]);
const POINT_METHODS: ReadonlyMap<string, FieldNumber> = new Map([
  ['isEmpty', isThere],
  ['getLat', lat],
  ['getLon', lon],
]);

const DATE_METHODS: ReadonlyMap<string, FieldNumber> = new Map([
  ...NUMBER_METHODS,
  ...[...CALENDAR_METHODS].map(([name, member]) => [name, ofDate(member)] as const),
]);
const PART_VARIABLES: ReadonlyMap<string, FieldNumber> = new Map(
  [...DATE_PARTS].map(([name, member]) => [name, ofDate(member)] as const),
);
const PART_METHODS: ReadonlyMap<string, FieldNumber> = new Map(
  [...PART_VARIABLES].map(([name, read]) => [`get${name.charAt(0).toUpperCase()}${name.slice(1)}`, read] as const),
);

/** Reader of a variable for whatever document is the present one. @throws UnknownVariable where it is of no field */
export function documentVariable({ text, parts, isCalled }: ExpressionVariable, doc: DocumentFields): () => number {
  const [root, field, ...members] = parts;
  if (root?.text !== 'doc') throw new UnknownVariable(`Unknown variable [${root?.text}]`);
  if (field?.kind !== 'text') {
    throw new UnknownVariable("Variable 'doc' must be used with a specific field like: doc['myfield']", DOC_OFFSET);
  }
  const [first, second] = members;
  const isOfDate = members.length === 2 && first?.text === 'date';
  if (members.length > 1 && !isOfDate) {
    const reason = `Variable [${text}] does not follow an allowed format of either doc['field'] or doc['field'].method()`;
    throw new UnknownVariable(reason, 0, 'illegal_argument_exception');
  }
  const member = isOfDate ? second : first;
  if (member !== undefined && member.kind !== 'member') {
    const reason =
      'Only member variables or member methods may be accessed on a field when not accessing the field directly';
    throw new UnknownVariable(reason, 0, 'illegal_argument_exception');
  }
  if (!doc.has(field.text)) throw new UnknownVariable(`Field [${field.text}] does not exist in mappings`, FIELD_OFFSET);
  const values = doc.field(field.text);
  const read = memberOf(values, field.text, { name: member?.text ?? 'value', isCalled, isOfDate });
  return () => read(values);
}

interface WantedMember {
  readonly name: string;
  readonly isCalled: boolean;
  /** True for a member of the `date` of the field. */
  readonly isOfDate: boolean;
}

function memberOf({ kind }: FieldValues, field: string, { name, isCalled, isOfDate }: WantedMember): FieldNumber {
  if (kind === 'Strings') {
    throw new UnknownVariable(`Field [${field}] must be numeric, date, or geopoint`, FIELD_OFFSET);
  }
  const [what, variables, methods] =
    kind === 'GeoPoints'
      ? [`geo field [${field}]`, POINT_VARIABLES, POINT_METHODS]
      : kind !== 'Dates'
        ? [`numeric field [${field}]`, NUMBER_VARIABLES, NUMBER_METHODS]
        : isOfDate
          ? [`date object on field [${field}]`, PART_VARIABLES, PART_METHODS]
          : [`date field [${field}]`, NUMBER_VARIABLES, DATE_METHODS];
  const found = (isCalled ? methods : variables).get(name);
  if (found !== undefined) return found;
  const reason = `Member ${isCalled ? 'method' : 'variable'} [${name}] does not exist for ${what}.`;
  throw new UnknownVariable(reason, 0, 'illegal_argument_exception');
}

function ofNumbers(read: (numbers: readonly number[]) => number): FieldNumber {
  return (field) => (field.length === 0 ? 0 : read(field.items().map(plainNumber)));
}

function ofPoint(read: (point: ScriptPoint) => number): FieldNumber {
  return (field) => {
    const point = field.length === 0 ? null : field.at(0);
    return point instanceof ScriptPoint ? read(point) : 0;
  };
}

function ofDate(member: DateMember): FieldNumber {
  return (field) => (field.length === 0 ? 0 : member(new JavaDateTime(least(field))));
}

/** Number of a value of a column: of a date its instant, of a boolean 0 or 1. */
function plainNumber(value: unknown): number {
  if (typeof value === 'boolean') return Number(value);
  if (value instanceof JavaDateTime) return value.ms;
  return numberType(value) === null ? Number.NaN : Number(rawNumber(value));
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function medianOf(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}
