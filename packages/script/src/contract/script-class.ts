/**
 * How classes of the library are declared: methods, constructors and constants by their signatures, such as
 * `int length()`, `static int parseInt(String)`, `new(int)` and `const int MAX_VALUE`.
 *
 * Functions take and return values in the form of their declared types: primitives raw, all else boxed.
 */
import { assert, lazy } from '@shoal/core';
import type { ScriptMachine } from '../machine/script-machine.ts';
import type { ScriptType } from '../types/script-type.ts';

// biome-ignore lint/suspicious/noExplicitAny: the declared types of a signature say what each parameter is
export type Invoke = (machine: ScriptMachine, self: any, ...args: any[]) => unknown;

export interface ScriptMethod {
  /** Canonical name of the class that declares it. */
  readonly owner: string;
  readonly name: string;
  readonly parameters: readonly ScriptType[];
  readonly returns: ScriptType;
  readonly invoke: Invoke;
}

export interface ScriptConstant {
  readonly type: ScriptType;
  readonly value: unknown;
}

export interface ScriptMembers {
  /** By name and number of parameters: `substring/2`. */
  readonly methods: ReadonlyMap<string, ScriptMethod>;
  readonly statics: ReadonlyMap<string, ScriptMethod>;
  /** By number of parameters. */
  readonly constructors: ReadonlyMap<number, ScriptMethod>;
  readonly constants: ReadonlyMap<string, ScriptConstant>;
}

export interface ScriptClass {
  readonly name: string;
  readonly supers: readonly string[];
  /** Read from their signatures when a script first looks for one: most processes run no script, and none uses all classes. */
  readonly members: () => ScriptMembers;
}

type DeclaredMembers = Readonly<Record<string, Invoke | string | number | bigint | boolean | object>>;

const SIGNATURE = /^(static )?(?:([\w.[\]]+) )?(\w+)\(([\w.,[\]]*)\)$/;
const PACKAGES = {
  'java.lang.':
    'Object String CharSequence Boolean Byte Short Character Integer Long Float Double Number Math StringBuilder StringBuffer Iterable Comparable Enum',
  'java.math.': 'BigInteger BigDecimal MathContext RoundingMode',
  'java.text.':
    'Format NumberFormat DecimalFormat DecimalFormatSymbols DateFormat SimpleDateFormat DateFormatSymbols ParsePosition',
  'java.util.':
    'List Map Set Collection Iterator ListIterator Comparator Optional OptionalInt OptionalLong OptionalDouble Locale Date Calendar TimeZone UUID BitSet StringJoiner Queue Deque SortedMap NavigableMap SortedSet NavigableSet IntSummaryStatistics LongSummaryStatistics DoubleSummaryStatistics Random Enumeration',
  'java.util.stream.': 'Stream IntStream LongStream DoubleStream Collector',
  'java.util.regex.': 'Pattern Matcher',
  'java.time.':
    'ZonedDateTime OffsetDateTime OffsetTime Instant LocalDate LocalTime LocalDateTime Duration Period Year YearMonth MonthDay ZoneId ZoneOffset DayOfWeek Month Clock',
  'java.time.chrono.': 'IsoChronology',
  'java.time.zone.': 'ZoneRules ZoneOffsetTransition',
  'java.time.format.':
    'DateTimeFormatter DateTimeFormatterBuilder TextStyle FormatStyle ResolverStyle SignStyle DateTimeParseException',
  'java.time.temporal.':
    'ChronoUnit ChronoField Temporal TemporalAccessor TemporalAdjuster TemporalAmount TemporalField TemporalUnit TemporalQuery ValueRange WeekFields',
} as const;
const FULL_NAMES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(PACKAGES).flatMap(([prefix, names]) =>
    names.split(' ').map((name): [string, string] => [name, `${prefix}${name}`]),
  ),
  ['Entry', 'java.util.Map.Entry'],
  ['Function', 'lambda'],
]);

function fullName(type: string): ScriptType {
  if (type.endsWith('[]')) return `${fullName(type.slice(0, -2))}[]`;
  return FULL_NAMES.get(type) ?? type;
}

/**
 * @param members functions by signature, and values of constants by `const TYPE NAME`
 */
export function scriptClass(name: string, supers: readonly string[], members: DeclaredMembers): ScriptClass {
  return { name, supers, members: lazy(() => readMembers(name, members)) };
}

function readMembers(name: string, members: DeclaredMembers): ScriptMembers {
  const methods = new Map<string, ScriptMethod>();
  const statics = new Map<string, ScriptMethod>();
  const constructors = new Map<number, ScriptMethod>();
  const constants = new Map<string, ScriptConstant>();
  for (const [signature, value] of Object.entries(members)) {
    if (signature.startsWith('const ')) {
      const [, type = '', constant = ''] = signature.split(' ');
      constants.set(constant, { type: fullName(type), value });
      continue;
    }
    const [, isStatic, returns = name, own = '', list = ''] = SIGNATURE.exec(signature) ?? [];
    assert(own !== '' && typeof value === 'function', `signature [${signature}] of [${name}] is not one`);
    const parameters = list === '' ? [] : list.split(',').map(fullName);
    const method = { owner: name, name: own, parameters, returns: fullName(returns), invoke: value as Invoke };
    if (own === 'new') constructors.set(parameters.length, method);
    else (isStatic === undefined ? methods : statics).set(`${own}/${parameters.length}`, method);
  }
  return { methods, statics, constructors, constants };
}
