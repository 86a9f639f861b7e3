/**
 * Constants that scripts may name, and the tables of the classes behind them, filled when the first script is compiled.
 */

import { defineFiles } from '../streams/file-methods.ts';
import { defineYaml, YAML } from '../streams/yaml-methods.ts';
import { ZLIB_NUMBERS } from '../streams/zlib-methods.ts';
import { defineCodePoints } from '../text/code-points.ts';
import { defineTimes } from '../time/time-methods.ts';
import { EXCEPTION_CLASSES } from '../values/ruby-exception.ts';
import { FILE, IO, STRING_IO } from '../values/ruby-reader.ts';
import { MATCH_DATA, REGEXP } from '../values/ruby-regexp.ts';
import { SET } from '../values/ruby-set.ts';
import { DATE, DATE_TIME, TIME } from '../values/ruby-time.ts';
import {
  ARRAY,
  BASIC_OBJECT,
  CLASS,
  COMPARABLE,
  ENUMERABLE,
  ENUMERATOR,
  FALSE,
  FLOAT,
  float,
  HASH,
  INTEGER,
  KERNEL,
  MODULE,
  NIL,
  NUMERIC,
  OBJECT,
  PROC,
  RANGE,
  STRING,
  SYMBOL,
  str,
  TRUE,
  type Value,
} from '../values/ruby-value.ts';
import { EVENT, LOGGER, TIMESTAMP } from '../values/script-objects.ts';
import { ADDRESS, defineAddresses } from './address-methods.ts';
import { defineArrays } from './array-methods.ts';
import { defineBits } from './bit-methods.ts';
import { CSV, defineCsv } from './csv-methods.ts';
import { defineEnumerable } from './enumerable-methods.ts';
import { defineEvents } from './event-methods.ts';
import { defineHashes } from './hash-methods.ts';
import { defineKernel } from './kernel-methods.ts';
import { checkArgumentCounts } from './method-arities.ts';
import { defineModules, LIBRARY_MODULES } from './module-methods.ts';
import { defineNumbers } from './number-methods.ts';
import { defineObjects } from './object-methods.ts';
import { defineSequences } from './sequence-methods.ts';
import { defineSets } from './set-methods.ts';
import { defineSystem, SYSTEM_CLASSES, SYSTEM_OBJECTS } from './system-methods.ts';
import { defineUris, URI_CLASS } from './uri-methods.ts';

/** Other names of the same. */
const ALIASES: readonly (readonly [string, string])[] = [
  ['Fixnum', 'Integer'],
  ['Bignum', 'Integer'],
  ['Digest::SHA', 'Digest::SHA1'],
  ['Thread::Mutex', 'Mutex'],
  ['Psych', 'YAML'],
  ['URI::HTTP', 'URI::Generic'],
];

const FLOATS: readonly (readonly [string, number])[] = [
  ['Float::INFINITY', Number.POSITIVE_INFINITY],
  ['Float::NAN', Number.NaN],
  ['Float::MAX', Number.MAX_VALUE],
  ['Float::EPSILON', Number.EPSILON],
  ['Float::MIN', 2.2250738585072014e-308],
  ['Math::PI', Math.PI],
  ['Math::E', Math.E],
];

const INTEGERS: readonly (readonly [string, number])[] = [
  ...ZLIB_NUMBERS,
  ['Regexp::IGNORECASE', 1],
  ['Regexp::EXTENDED', 2],
  ['Regexp::MULTILINE', 4],
];

const TEXTS: readonly (readonly [string, string])[] = [
  ['Encoding::UTF_8', 'UTF-8'],
  ['Encoding::ASCII_8BIT', 'ASCII-8BIT'],
  ['Encoding::BINARY', 'ASCII-8BIT'],
  ['Encoding::ISO_8859_1', 'ISO-8859-1'],
  ['Encoding::US_ASCII', 'US-ASCII'],
  ['LogStash::Event::METADATA', '@metadata'],
  ['LogStash::Event::TIMESTAMP', '@timestamp'],
  ['LogStash::Event::TIMESTAMP_FAILURE_FIELD', '_@timestamp'],
  ['LogStash::Event::TIMESTAMP_FAILURE_TAG', '_timestampparsefailure'],
  ['LogStash::Event::VERSION', '@version'],
  ['RUBY_VERSION', '3.1.4'],
  ['RUBY_ENGINE', 'jruby'],
];

const CLASSES = [
  ARRAY,
  BASIC_OBJECT,
  CLASS,
  COMPARABLE,
  ENUMERABLE,
  ENUMERATOR,
  FALSE,
  FLOAT,
  HASH,
  INTEGER,
  KERNEL,
  MODULE,
  NIL,
  NUMERIC,
  OBJECT,
  PROC,
  RANGE,
  STRING,
  SYMBOL,
  TRUE,
  REGEXP,
  MATCH_DATA,
  TIME,
  DATE,
  DATE_TIME,
  EVENT,
  TIMESTAMP,
  LOGGER,
  ADDRESS,
  URI_CLASS,
  CSV,
  SET,
  IO,
  FILE,
  STRING_IO,
  YAML,
  ...SYSTEM_CLASSES,
  ...LIBRARY_MODULES,
];

export const CONSTANTS: ReadonlyMap<string, Value> = makeConstants();

function makeConstants(): ReadonlyMap<string, Value> {
  const constants = new Map<string, Value>([...CLASSES, ...EXCEPTION_CLASSES.values()].map((one) => [one.name, one]));
  for (const [alias, name] of ALIASES) constants.set(alias, constants.get(name) ?? null);
  for (const [name, value] of SYSTEM_OBJECTS) constants.set(name, value);
  for (const [name, value] of FLOATS) constants.set(name, float(value));
  for (const [name, value] of INTEGERS) constants.set(name, value);
  for (const [name, text] of TEXTS) {
    const value = str(text);
    value.isFrozen = true;
    constants.set(name, value);
  }
  return constants;
}

defineAll();

/** Fills the tables of the classes, once, when the first script is compiled. */
function defineAll(): void {
  defineKernel();
  defineNumbers();
  defineEnumerable();
  defineArrays();
  defineHashes();
  defineObjects();
  defineTimes();
  defineEvents();
  defineModules();
  defineAddresses();
  defineSets();
  defineUris();
  defineCsv();
  defineSequences();
  defineFiles();
  defineSystem();
  defineYaml();
  defineBits();
  defineCodePoints();
  checkArgumentCounts();
}
