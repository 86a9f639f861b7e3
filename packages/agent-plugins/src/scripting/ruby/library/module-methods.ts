/**
 * Modules of Ruby's own library: JSON, Base64, random values, addresses, mathematics.
 */
import { option, optionalIndex, textArgument } from '../arguments/arguments.ts';
import { DIGEST_CLASSES } from '../streams/digest-methods.ts';
import { fileContents } from '../streams/file-methods.ts';
import { ZLIB_CLASSES } from '../streams/zlib-methods.ts';
import { bytesOf, ofBytes } from '../text/string-bytes.ts';
import { argumentError, exception } from '../values/ruby-exception.ts';
import {
  float,
  KERNEL,
  type Machine,
  type Methods,
  numberOf,
  RubyClass,
  RubyHash,
  RubyRange,
  RubyString,
  str,
  type Value,
} from '../values/ruby-value.ts';
import { fromJson, toJson } from './json-text.ts';

function module(name: string, methods: Methods<RubyClass>): RubyClass {
  const made = new RubyClass(name, null, [], true);
  made.defineOnClass(methods);
  return made;
}

const bytes = (value: Value | undefined): Uint8Array =>
  bytesOf(value instanceof RubyString ? value : str(textArgument(value)));

const base64 = (value: Value | undefined): string => Buffer.from(bytes(value)).toString('base64');
const parsing = (machine: Machine, args: readonly Value[]): Value =>
  fromJson(machine, textArgument(args[0]), option(args, 'symbolize_names') === true);

const JSON_METHODS: Methods<RubyClass> = {
  parse: (machine, _self, args) => parsing(machine, args),
  'parse!': (machine, _self, args) => parsing(machine, args),
  load: (machine, _self, args) => (args[0] === null ? null : parsing(machine, args)),
  load_file: (machine, _self, [path, ...options]) =>
    parsing(machine, [fileContents(machine, textArgument(path)), ...options]),
  generate: (machine, _self, [value = null]) => str(toJson(machine, value)),
  dump: (machine, _self, [value = null]) => str(toJson(machine, value)),
  fast_generate: (machine, _self, [value = null]) => str(toJson(machine, value)),
  pretty_generate: (machine, _self, [value = null]) => str(toJson(machine, value, { indent: '  ' })),
};

const BASE64: Methods<RubyClass> = {
  encode64: (_machine, _self, [text]) => str(base64(text).replace(/.{1,60}/g, '$&\n')),
  strict_encode64: (_machine, _self, [text]) => str(base64(text)),
  urlsafe_encode64: (_machine, _self, args) => {
    const text = base64(args[0]).replace(/\+/g, '-').replace(/\//g, '_');
    return str(option(args, 'padding') === false ? text.replace(/=+$/, '') : text);
  },
  decode64: (_machine, _self, [text]) =>
    ofBytes(Buffer.from(textArgument(text).replace(/[^A-Za-z0-9+/=]/g, ''), 'base64')),
  strict_decode64: (_machine, _self, [text]) => {
    const given = textArgument(text);
    if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(given))
      throw argumentError('invalid base64');
    return ofBytes(Buffer.from(given, 'base64'));
  },
  urlsafe_decode64: (_machine, _self, [text]) => ofBytes(Buffer.from(textArgument(text), 'base64url')),
};

function uuid(machine: Machine): string {
  const random = machine.randomBytes(16);
  random[6] = ((random[6] ?? 0) & 0x0f) | 0x40;
  random[8] = ((random[8] ?? 0) & 0x3f) | 0x80;
  return Buffer.from(random)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const randomLength = (value: Value | undefined): number => Math.min(1_000_000, optionalIndex(value, 16));

export function randomNumber(machine: Machine, limit: Value): Value {
  if (limit instanceof RubyRange) {
    const from = numberOf(limit.from) ?? 0;
    const size = (numberOf(limit.to) ?? 0) - from;
    if (!Number.isInteger(from) || !Number.isInteger(size)) return float(from + machine.random() * size);
    return from + Math.floor(machine.random() * (size + (limit.isExclusive ? 0 : 1)));
  }
  const size = numberOf(limit) ?? 0;
  if (size === 0) return float(machine.random());
  return typeof limit === 'number' && Number.isInteger(limit)
    ? Math.floor(machine.random() * Math.abs(size))
    : float(machine.random() * size);
}

const SECURE_RANDOM: Methods<RubyClass> = {
  uuid: (machine) => str(uuid(machine)),
  hex: (machine, _self, [length]) => str(Buffer.from(machine.randomBytes(randomLength(length))).toString('hex')),
  base64: (machine, _self, [length]) => str(Buffer.from(machine.randomBytes(randomLength(length))).toString('base64')),
  urlsafe_base64: (machine, _self, [length]) =>
    str(Buffer.from(machine.randomBytes(randomLength(length))).toString('base64url')),
  alphanumeric: (machine, _self, [length]) => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
    return str(
      Array.from({ length: randomLength(length) }, () => letters[Math.floor(machine.random() * letters.length)]).join(
        '',
      ),
    );
  },
  random_bytes: (machine, _self, [length]) => ofBytes(machine.randomBytes(randomLength(length))),
  random_number: (machine, _self, [limit = 0]) => randomNumber(machine, limit),
  rand: (machine, _self, [limit = 0]) => randomNumber(machine, limit),
};

function real(
  name:
    | 'sin'
    | 'cos'
    | 'tan'
    | 'asin'
    | 'acos'
    | 'atan'
    | 'exp'
    | 'log2'
    | 'log10'
    | 'cbrt'
    | 'sinh'
    | 'asinh'
    | 'acosh'
    | 'atanh'
    | 'cosh'
    | 'tanh'
    | 'sqrt',
): Methods<RubyClass> {
  return {
    [name]: (_machine, _self, [value]) => {
      const number = numberOf(value ?? null);
      if (number === null)
        throw exception('TypeError', `can't convert ${value === null ? 'nil' : 'String'} into Float`);
      const result = Math[name](number);
      if (Number.isNaN(result) && !Number.isNaN(number))
        throw exception('ArgumentError', `Numerical argument is out of domain - "${name}"`);
      return float(result);
    },
  };
}

const MATH: Methods<RubyClass> = Object.assign(
  {},
  ...(
    [
      'sin',
      'cos',
      'tan',
      'asin',
      'acos',
      'atan',
      'exp',
      'log2',
      'log10',
      'cbrt',
      'sinh',
      'asinh',
      'acosh',
      'atanh',
      'cosh',
      'tanh',
      'sqrt',
    ] as const
  ).map(real),
  {
    atan2: (_machine, _self, [y, x]) => float(Math.atan2(numberOf(y ?? null) ?? 0, numberOf(x ?? null) ?? 0)),
    hypot: (_machine, _self, [y, x]) => float(Math.hypot(numberOf(y ?? null) ?? 0, numberOf(x ?? null) ?? 0)),
    pow: (_machine, _self, [base, exponent]) =>
      float((numberOf(base ?? null) ?? 0) ** (numberOf(exponent ?? null) ?? 0)),
    log: (_machine, _self, [value, base]) => {
      const number = numberOf(value ?? null) ?? Number.NaN;
      if (number < 0) throw exception('ArgumentError', 'Numerical argument is out of domain - "log"');
      return float(base === undefined ? Math.log(number) : Math.log(number) / Math.log(numberOf(base) ?? Math.E));
    },
  } satisfies Methods<RubyClass>,
);

const escapeUri = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

function unescaped(text: string, plusIsSpace: boolean): string {
  const given = plusIsSpace ? text.replace(/\+/g, ' ') : text;
  const raw = given.replace(/%([0-9A-Fa-f]{2})|[^\0-\x7f]+/g, (whole, hex: string | undefined) =>
    hex === undefined ? Buffer.from(whole).toString('latin1') : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(raw, 'latin1').toString('utf8');
}

const FORM: Methods<RubyClass> = {
  encode_www_form_component: (_machine, _self, [text]) => str(escapeUri(textArgument(text)).replace(/%20/g, '+')),
  decode_www_form_component: (_machine, _self, [text]) => str(unescaped(textArgument(text), true)),
  encode_uri_component: (_machine, _self, [text]) => str(escapeUri(textArgument(text))),
  decode_uri_component: (_machine, _self, [text]) => str(unescaped(textArgument(text), false)),
  decode_www_form: (_machine, _self, [text]) =>
    textArgument(text)
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair) => {
        const at = pair.indexOf('=');
        const [name, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
        return [str(unescaped(name, true)), str(unescaped(value, true))];
      }),
  encode_www_form: (_machine, _self, [pairs]) => {
    const list = pairs instanceof RubyHash ? pairs.pairs() : [];
    return str(
      list
        .map((pair) =>
          pair
            .map((one) => escapeUri(one instanceof RubyString ? one.text : String(one)).replace(/%20/g, '+'))
            .join('='),
        )
        .join('&'),
    );
  },
};

const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const CGI: Methods<RubyClass> = {
  escape: (_machine, _self, [text]) => str(escapeUri(textArgument(text)).replace(/%20/g, '+').replace(/%7E/g, '~')),
  unescape: (_machine, _self, [text]) => str(unescaped(textArgument(text), true)),
  escapeHTML: (_machine, _self, [text]) => str(textArgument(text).replace(/[&<>"']/g, (char) => HTML[char] ?? char)),
  unescapeHTML: (_machine, _self, [text]) => {
    const names: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
    return str(
      textArgument(text).replace(
        /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi,
        (_whole, decimal, hex, name) =>
          name !== undefined
            ? (names[String(name).toLowerCase()] ?? '')
            : String.fromCodePoint(
                Math.min(0x10_ffff, decimal !== undefined ? Number(decimal) : Number.parseInt(hex, 16)),
              ),
      ),
    );
  },
  parse: (machine, _self, [text]) => {
    const made = new RubyHash();
    for (const pair of machine.call(URI_MODULE, 'decode_www_form', [text ?? null]) as Value[]) {
      const [name = null, value = null] = pair as Value[];
      const known = made.get(name);
      if (Array.isArray(known)) known.push(value);
      else made.set(name, [value]);
    }
    return made;
  },
};

export const URI_MODULE: RubyClass = module('URI', FORM);

export const LIBRARY_MODULES: readonly RubyClass[] = [
  module('JSON', JSON_METHODS),
  module('LogStash::Json', {
    load: (machine, _self, args) => parsing(machine, args),
    dump: (machine, _self, [value = null]) => str(toJson(machine, value)),
  }),
  module('Base64', BASE64),
  module('SecureRandom', SECURE_RANDOM),
  module('Math', MATH),
  module('CGI', CGI),
  URI_MODULE,
  ...ZLIB_CLASSES,
  ...DIGEST_CLASSES,
];

export function defineModules(): void {
  KERNEL.define({
    to_json: (machine, self) => str(toJson(machine, self)),
  });
}
