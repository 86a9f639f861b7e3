/**
 * Exceptions of Ruby scripts: their classes, and functions that make the usual ones.
 */
import { inspect, toText } from './inspect.ts';
import { classOf, OBJECT, RubyClass, RubyObject, RubyString, type Value } from './ruby-value.ts';

export const EXCEPTION: RubyClass = new RubyClass('Exception', OBJECT);

/** Name and parent of each class; parents stand before their children. */
const HIERARCHY: readonly (readonly [string, string])[] = [
  ['NoMemoryError', 'Exception'],
  ['ScriptError', 'Exception'],
  ['LoadError', 'ScriptError'],
  ['NotImplementedError', 'ScriptError'],
  ['SecurityError', 'Exception'],
  ['SystemExit', 'Exception'],
  ['Interrupt', 'Exception'],
  ['SystemStackError', 'Exception'],
  ['StandardError', 'Exception'],
  ['ArgumentError', 'StandardError'],
  ['UncaughtThrowError', 'ArgumentError'],
  ['EncodingError', 'StandardError'],
  ['Encoding::UndefinedConversionError', 'EncodingError'],
  ['Encoding::InvalidByteSequenceError', 'EncodingError'],
  ['Encoding::CompatibilityError', 'EncodingError'],
  ['Encoding::ConverterNotFoundError', 'EncodingError'],
  ['IOError', 'StandardError'],
  ['EOFError', 'IOError'],
  ['SystemCallError', 'StandardError'],
  ['Errno::ENOENT', 'SystemCallError'],
  ['Errno::EACCES', 'SystemCallError'],
  ['Errno::EISDIR', 'SystemCallError'],
  ['ThreadError', 'StandardError'],
  ['Math::DomainError', 'ArgumentError'],
  ['IndexError', 'StandardError'],
  ['KeyError', 'IndexError'],
  ['StopIteration', 'IndexError'],
  ['LocalJumpError', 'StandardError'],
  ['NameError', 'StandardError'],
  ['NoMethodError', 'NameError'],
  ['RangeError', 'StandardError'],
  ['FloatDomainError', 'RangeError'],
  ['RegexpError', 'StandardError'],
  ['RuntimeError', 'StandardError'],
  ['FrozenError', 'RuntimeError'],
  ['TypeError', 'StandardError'],
  ['ZeroDivisionError', 'StandardError'],
  ['Timeout::Error', 'RuntimeError'],
  ['Date::Error', 'ArgumentError'],
  ['JSON::JSONError', 'StandardError'],
  ['JSON::ParserError', 'JSON::JSONError'],
  ['JSON::GeneratorError', 'JSON::JSONError'],
  ['LogStash::Error', 'StandardError'],
  ['LogStash::ConfigurationError', 'LogStash::Error'],
  ['LogStash::TimestampParserError', 'LogStash::Error'],
  ['LogStash::Json::ParserError', 'LogStash::Error'],
  ['LogStash::Json::GeneratorError', 'LogStash::Error'],
  ['CSV::MalformedCSVError', 'RuntimeError'],
  ['Zlib::Error', 'StandardError'],
  ['Zlib::DataError', 'Zlib::Error'],
  ['Zlib::BufError', 'Zlib::Error'],
  ['Zlib::GzipFile::Error', 'Zlib::Error'],
  ['Psych::SyntaxError', 'StandardError'],
  ['URI::Error', 'StandardError'],
  ['URI::InvalidURIError', 'URI::Error'],
  ['IPAddr::Error', 'ArgumentError'],
  ['IPAddr::InvalidAddressError', 'IPAddr::Error'],
  ['IPAddr::AddressFamilyError', 'IPAddr::Error'],
];

export const EXCEPTION_CLASSES: ReadonlyMap<string, RubyClass> = makeClasses();

function makeClasses(): ReadonlyMap<string, RubyClass> {
  const classes = new Map<string, RubyClass>([['Exception', EXCEPTION]]);
  for (const [name, parent] of HIERARCHY) classes.set(name, new RubyClass(name, classes.get(parent) ?? EXCEPTION));
  return classes;
}

/** Thrown as it is. */
export class RubyException extends RubyObject {
  readonly rubyClass: RubyClass;
  message: Value;

  constructor(rubyClass: RubyClass, message: Value) {
    super();
    this.rubyClass = rubyClass;
    this.message = message;
  }

  get text(): string {
    return this.message === null ? this.rubyClass.name : toText(this.message);
  }

  override show(): string {
    return this.text === '' ? this.rubyClass.name : `#<${this.rubyClass.name}: ${this.text}>`;
  }

  override print(): string {
    return this.text;
  }
}

export function exceptionClass(name: string): RubyClass {
  return EXCEPTION_CLASSES.get(name) ?? EXCEPTION;
}

export function exception(className: string, message: string): RubyException {
  return new RubyException(exceptionClass(className), new RubyString(message));
}

export const argumentError = (message: string): RubyException => exception('ArgumentError', message);
export const typeError = (message: string): RubyException => exception('TypeError', message);

export function argumentCount(given: number, expected: string | number): RubyException {
  return argumentError(`wrong number of arguments (given ${given}, expected ${expected})`);
}

/** How messages name a value: `nil:NilClass`, `"a":String`. */
export function noMethod(name: string, receiver: Value): RubyException {
  return exception('NoMethodError', `undefined method \`${name}' for ${describe(receiver)}`);
}

function describe(value: Value): string {
  const shown = inspect(value);
  if (value instanceof RubyClass) return `${shown}:${value.isModule ? 'Module' : 'Class'}`;
  const name = classOf(value).name;
  return shown.startsWith('#<') || shown.length > SHOWN_MAX ? `#<${name}>` : `${shown}:${name}`;
}

/** Longer values are named by their class. */
const SHOWN_MAX = 65;

/** How messages name the kind of a value that cannot be converted. */
export function kindName(value: Value): string {
  if (value === null) return 'nil';
  return typeof value === 'boolean' ? String(value) : classOf(value).name;
}

export function cannotConvert(value: Value, into: string): RubyException {
  return typeError(`no implicit conversion of ${kindName(value)} into ${into}`);
}

export function checkFrozen(value: RubyObject): void {
  if (value.isFrozen) throw exception('FrozenError', `can't modify frozen ${value.rubyClass.name}`);
}
