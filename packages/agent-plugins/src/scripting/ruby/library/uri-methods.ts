/**
 * `URI.parse` and what it answers.
 */

import { textArgument } from '../arguments/arguments.ts';
import { exception } from '../values/ruby-exception.ts';
import { type Methods, OBJECT, RubyClass, RubyObject, str, type Value } from '../values/ruby-value.ts';
import { URI_MODULE } from './module-methods.ts';

export const URI_CLASS: RubyClass = new RubyClass('URI::Generic', OBJECT);

/** Parts as RFC 3986 cuts them. */
const PARTS =
  /^(?:([A-Za-z][\w+.-]*):)?(?:\/\/(?:([^/?#@]*)@)?(\[[^\]]*\]|[^/?#:]*)(?::(\d*))?)?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/;
const PORTS: Readonly<Record<string, number>> = { http: 80, https: 443, ftp: 21, ldap: 389, ws: 80, wss: 443 };

class RubyUri extends RubyObject {
  readonly text: string;
  readonly parts: readonly (string | undefined)[];

  constructor(text: string, parts: readonly (string | undefined)[]) {
    super();
    this.text = text;
    this.parts = parts;
  }

  get rubyClass(): RubyClass {
    return URI_CLASS;
  }

  override print(): string {
    return this.text;
  }

  override show(): string {
    return `#<URI::Generic ${this.text}>`;
  }
}

function parsed(text: string): RubyUri {
  const found = PARTS.exec(text);
  if (found === null || !/^[\x21-\x7e]*$/.test(text) || /[<>"{}|\\^`]/.test(text) || /%(?![0-9A-Fa-f]{2})/.test(text)) {
    const isAscii = /^[\0-\x7f]*$/.test(text);
    throw exception(
      'URI::InvalidURIError',
      isAscii ? `bad URI(is not URI?): ${JSON.stringify(text)}` : `URI must be ascii only ${JSON.stringify(text)}`,
    );
  }
  return new RubyUri(text, found.slice(1));
}

const part =
  (index: number): Methods<RubyUri>[string] =>
  (_machine, self) => {
    const text = self.parts[index];
    return text === undefined ? null : str(text);
  };

const URIS: Methods<RubyUri> = {
  scheme: (_machine, self) => (self.parts[0] === undefined ? null : str(self.parts[0].toLowerCase())),
  userinfo: part(1),
  user: (_machine, self) => (self.parts[1] === undefined ? null : str(self.parts[1].split(':')[0] ?? '')),
  password: (_machine, self) => {
    const at = self.parts[1]?.indexOf(':') ?? -1;
    return at < 0 ? null : str((self.parts[1] ?? '').slice(at + 1));
  },
  host: part(2),
  hostname: (_machine, self) => (self.parts[2] === undefined ? null : str(self.parts[2].replace(/^\[|\]$/g, ''))),
  port: (_machine, self) => {
    const given = self.parts[3];
    if (given !== undefined && given !== '') return Number(given);
    return PORTS[(self.parts[0] ?? '').toLowerCase()] ?? null;
  },
  path: (_machine, self) => str(self.parts[4] ?? ''),
  query: part(5),
  fragment: part(6),
  request_uri: (_machine, self) =>
    str(`${self.parts[4] === '' ? '/' : self.parts[4]}${self.parts[5] === undefined ? '' : `?${self.parts[5]}`}`),
  'absolute?': (_machine, self) => self.parts[0] !== undefined,
};

const shown = (value: Value): string => (value instanceof RubyUri ? value.text : textArgument(value));

/** Each reference is read from the one before it (RFC 3986, 5.2). */
function joined(texts: readonly string[]): string {
  const [first = '', ...rest] = texts;
  return rest.reduce((base, reference) => {
    try {
      return new URL(reference, base).toString();
    } catch {
      throw exception('URI::Error', `both URI are relative: ${base} ${reference}`);
    }
  }, first);
}

export function defineUris(): void {
  URI_CLASS.define(URIS);
  const parse = (text: Value | undefined): Value => parsed(textArgument(text));
  URI_MODULE.defineOnClass({
    parse: (_machine, _self, [text]) => parse(text),
    join: (_machine, _self, texts) => parsed(joined(texts.map((text) => shown(text)))),
    split: (_machine, _self, [text]) =>
      parsed(textArgument(text)).parts.map((one) => (one === undefined ? null : str(one))),
    extract: (_machine, _self, [text]) =>
      (textArgument(text).match(/\b[a-z][a-z0-9+.-]*:\/\/[^\s<>"]+/gi) ?? []).map((one) => str(one)),
  });
}
