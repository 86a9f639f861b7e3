/**
 * Exceptions that scripts may throw and catch.
 */

import { type ScriptClass, scriptClass } from '../contract/script-class.ts';
import { JavaException } from '../values/java-exception.ts';

const THROWABLE = 'java.lang.Throwable';
const EXCEPTION = 'java.lang.Exception';
const RUNTIME = 'java.lang.RuntimeException';
const OBJECT = 'java.lang.Object';
const ILLEGAL = 'java.lang.IllegalArgumentException';
const FORMAT = 'java.util.IllegalFormatException';

/** Names with those they are kinds of, from the nearest. */
const KINDS: readonly (readonly [name: string, ...supers: string[]])[] = [
  [EXCEPTION],
  [RUNTIME, EXCEPTION],
  ['java.text.ParseException', EXCEPTION],
  ['java.lang.ArithmeticException', RUNTIME, EXCEPTION],
  ['java.lang.ArrayStoreException', RUNTIME, EXCEPTION],
  ['java.lang.ClassCastException', RUNTIME, EXCEPTION],
  ['java.lang.IllegalArgumentException', RUNTIME, EXCEPTION],
  ['java.lang.IllegalStateException', RUNTIME, EXCEPTION],
  ['java.lang.IndexOutOfBoundsException', RUNTIME, EXCEPTION],
  ['java.lang.ArrayIndexOutOfBoundsException', 'java.lang.IndexOutOfBoundsException', RUNTIME, EXCEPTION],
  ['java.lang.StringIndexOutOfBoundsException', 'java.lang.IndexOutOfBoundsException', RUNTIME, EXCEPTION],
  ['java.lang.NegativeArraySizeException', RUNTIME, EXCEPTION],
  ['java.lang.NullPointerException', RUNTIME, EXCEPTION],
  ['java.lang.NumberFormatException', 'java.lang.IllegalArgumentException', RUNTIME, EXCEPTION],
  ['java.lang.SecurityException', RUNTIME, EXCEPTION],
  ['java.lang.UnsupportedOperationException', RUNTIME, EXCEPTION],
  ['java.util.ConcurrentModificationException', RUNTIME, EXCEPTION],
  ['java.util.EmptyStackException', RUNTIME, EXCEPTION],
  ['java.util.NoSuchElementException', RUNTIME, EXCEPTION],
  [FORMAT, ILLEGAL, RUNTIME, EXCEPTION],
  ...[
    ...['DuplicateFormatFlags', 'FormatFlagsConversionMismatch', 'IllegalFormatCodePoint', 'IllegalFormatConversion'],
    ...['IllegalFormatFlags', 'IllegalFormatPrecision', 'IllegalFormatWidth', 'MissingFormatArgument'],
    ...['MissingFormatWidth', 'UnknownFormatConversion', 'UnknownFormatFlags'],
  ].map((name) => [`java.util.${name}Exception`, FORMAT, ILLEGAL, RUNTIME, EXCEPTION] as const),
  ['java.util.regex.PatternSyntaxException', 'java.lang.IllegalArgumentException', RUNTIME, EXCEPTION],
  ['java.time.DateTimeException', RUNTIME, EXCEPTION],
  ['java.time.temporal.UnsupportedTemporalTypeException', 'java.time.DateTimeException', RUNTIME, EXCEPTION],
  ['java.time.zone.ZoneRulesException', 'java.time.DateTimeException', RUNTIME, EXCEPTION],
];

export const EXCEPTION_CLASSES: readonly ScriptClass[] = [
  scriptClass(THROWABLE, [OBJECT], {
    'String getMessage()': (_m, self: JavaException) => self.text,
    'String getLocalizedMessage()': (_m, self: JavaException) => self.text,
  }),
  ...KINDS.map(([name, ...supers]) =>
    scriptClass(name, [...supers, THROWABLE, OBJECT], {
      'new()': () => new JavaException(name, null),
      'new(String)': (_m, _s, text: string | null) => new JavaException(name, text),
    }),
  ),
];
