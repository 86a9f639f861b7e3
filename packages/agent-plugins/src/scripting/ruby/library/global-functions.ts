/**
 * Functions that scripts call without a receiver.
 */

import { blockArgument, hashArgument, indexArgument, option, textArgument } from '../arguments/arguments.ts';
import { formatted } from '../text/format-text.ts';
import { floatOfText, integerOfText } from '../text/number-text.ts';
import { inspect, toText } from '../values/inspect.ts';
import { argumentError, exception, kindName, typeError } from '../values/ruby-exception.ts';
import {
  float,
  integer,
  isFloat,
  isInteger,
  type Method,
  numberOf,
  type RubyClass,
  RubyHash,
  RubyProc,
  RubyString,
  str,
  type Value,
} from '../values/ruby-value.ts';
import { asArray } from './array-methods.ts';
import { randomNumber, URI_MODULE } from './module-methods.ts';
import { rounded } from './number-methods.ts';
import { raised } from './object-methods.ts';

/** Libraries that are here already. */
const LIBRARIES: ReadonlySet<string> = new Set(
  `json csv date time digest digest/md5 digest/sha1 digest/sha2 base64 securerandom uri cgi ipaddr zlib openssl pp set
   logstash/event logstash/json logstash/timestamp logstash/namespace rubygems yaml psych stringio socket timeout thread
   monitor`.split(/\s+/),
);

function toInteger(args: readonly Value[]): Value {
  const [value = null, base] = args;
  const fails = option(args, 'exception') !== false;
  if (isInteger(value)) return value;
  if (isFloat(value)) return rounded(value, Math.trunc);
  if (value instanceof RubyString) {
    const radix = base === undefined || base instanceof RubyHash ? 10 : indexArgument(base);
    const parsed = integerOfText(value.text, radix);
    if (parsed !== null) return integer(parsed);
    if (!fails) return null;
    throw argumentError(`invalid value for Integer(): ${inspect(value)}`);
  }
  if (!fails) return null;
  throw typeError(`can't convert ${kindName(value)} into Integer`);
}

function toFloat(args: readonly Value[]): Value {
  const [value = null] = args;
  const number = numberOf(value);
  if (number !== null) return float(number);
  const read = value instanceof RubyString ? floatOfText(value.text) : null;
  if (read !== null) return float(read);
  if (option(args, 'exception') === false) return null;
  if (value instanceof RubyString) throw argumentError(`invalid value for Float(): ${inspect(value)}`);
  throw typeError(`can't convert ${kindName(value)} into Float`);
}

/** What a script prints goes to the log. */
const printing =
  (show: (value: Value) => string): Method =>
  (machine, _self, args) => {
    machine.log(args.map(show).join('\n'), 'info');
    return null;
  };

class Throw {
  readonly tag: Value;
  readonly value: Value;

  constructor(tag: Value, value: Value) {
    this.tag = tag;
    this.value = value;
  }
}

export const GLOBAL_FUNCTIONS: Readonly<Record<string, Method>> = {
  Array: (machine, _self, [value = null]) => asArray(machine, value),
  Float: (_machine, _self, args) => toFloat(args),
  Hash: (_machine, _self, [value = null]) =>
    value === null || (Array.isArray(value) && value.length === 0) ? new RubyHash() : hashArgument(value),
  Integer: (_machine, _self, args) => toInteger(args),
  String: (machine, _self, [value = null]) => machine.call(value, 'to_s'),
  caller: () => [],
  catch: (machine, _self, [tag = null], block) => {
    try {
      machine.step();
      return blockArgument(block).run([tag], null);
    } catch (error) {
      if (error instanceof Throw && inspect(error.tag) === inspect(tag)) return error.value;
      throw error;
    }
  },
  fail: (machine, _self, args) => {
    throw raised(machine, args);
  },
  format: (machine, _self, [format, ...values]) => str(formatted(machine, textArgument(format), values)),
  lambda: (_machine, _self, _args, block) => {
    const { run, arity } = blockArgument(block);
    return new RubyProc(run, arity, true);
  },
  loop: (machine, _self, _args, block) => {
    const body = blockArgument(block);
    try {
      for (;;) {
        machine.step();
        body.run([], null);
      }
    } catch (error) {
      if (error instanceof Object && 'rubyClass' in error && (error.rubyClass as RubyClass).name === 'StopIteration')
        return null;
      throw error;
    }
  },
  p: (machine, self, args, block) => {
    printing(inspect)(machine, self, args, block);
    return args.length === 1 ? (args[0] ?? null) : args.length === 0 ? null : [...args];
  },
  pp: (machine, self, args, block) => {
    printing(inspect)(machine, self, args, block);
    return args[0] ?? null;
  },
  print: printing(toText),
  proc: (_machine, _self, _args, block) => blockArgument(block),
  puts: printing(toText),
  raise: (machine, _self, args) => {
    throw raised(machine, args);
  },
  rand: (machine, _self, [limit = 0]) => randomNumber(machine, limit),
  require: (_machine, _self, [name]) => required(textArgument(name)),
  sprintf: (machine, _self, [format, ...values]) => str(formatted(machine, textArgument(format), values)),
  srand: () => 0,
  URI: (machine, _self, args) => machine.call(URI_MODULE, 'parse', args),
  warn: (machine, _self, args) => {
    machine.log(
      args
        .filter((one) => !(one instanceof RubyHash))
        .map(toText)
        .join('\n'),
      'warn',
    );
    return null;
  },
  throw: (_machine, _self, [tag = null, value = null]) => {
    throw new Throw(tag, value);
  },
};

function required(name: string): Value {
  if (!LIBRARIES.has(name)) throw exception('LoadError', `no such file to load -- ${name}`);
  return false;
}

/** Whether a script may name the library; its classes may still be missing. */
export function knowsLibrary(name: string): boolean {
  return LIBRARIES.has(name);
}
