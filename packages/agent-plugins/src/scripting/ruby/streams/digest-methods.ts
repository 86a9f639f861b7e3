/**
 * `Digest` and `OpenSSL`: sums of texts at once, and digests that are fed piece by piece.
 */
import { createHash, createHmac } from 'node:crypto';
import { optionalIndex, textArgument } from '../arguments/arguments.ts';
import { bytesOf, ofBytes } from '../text/string-bytes.ts';
import { exception } from '../values/ruby-exception.ts';
import { type Methods, OBJECT, RubyClass, RubyObject, RubyString, str, type Value } from '../values/ruby-value.ts';

const ALGORITHMS = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'];

const bytes = (value: Value | undefined): Uint8Array =>
  bytesOf(value instanceof RubyString ? value : str(textArgument(value)));

class RubyDigest extends RubyObject {
  readonly rubyClass: RubyClass;
  readonly algorithm: string;
  private fed: Uint8Array[] = [];

  constructor(rubyClass: RubyClass, algorithm: string) {
    super();
    this.rubyClass = rubyClass;
    this.algorithm = algorithm;
  }

  feed(piece: Uint8Array): void {
    this.fed.push(piece);
  }

  reset(): void {
    this.fed = [];
  }

  /** Sum of what was fed; of a text alone where one is given. */
  sum(text: Value | undefined): Buffer {
    const hash = createHash(this.algorithm);
    for (const piece of text === undefined ? this.fed : [bytes(text)]) hash.update(piece);
    return hash.digest();
  }

  override show(): string {
    return `#<${this.rubyClass.name}: ${this.sum(undefined).toString('hex')}>`;
  }

  override print(): string {
    return this.sum(undefined).toString('hex');
  }
}

const feed: Methods<RubyDigest>[string] = (machine, self, [piece]) => {
  const fed = bytes(piece);
  machine.grow(fed.length);
  self.feed(fed);
  return self;
};

const DIGESTS: Methods<RubyDigest> = {
  update: feed,
  '<<': feed,
  hexdigest: (_machine, self, [text]) => str(self.sum(text).toString('hex')),
  digest: (_machine, self, [text]) => ofBytes(self.sum(text)),
  base64digest: (_machine, self, [text]) => str(self.sum(text).toString('base64')),
  reset: (_machine, self) => {
    self.reset();
    return self;
  },
  name: (_machine, self) => str(self.algorithm.toUpperCase()),
  '==': (_machine, self, [other = null]) =>
    (other instanceof RubyString ? other.text : other instanceof RubyDigest ? other.print() : null) === self.print(),
};

function named(name: string): string {
  const algorithm = name.toLowerCase().replace(/^sha-/, 'sha');
  if (ALGORITHMS.includes(algorithm)) return algorithm;
  throw exception('RuntimeError', `Unsupported digest algorithm (${name}).: unknown object name`);
}

/** A class whose digests are of one algorithm. */
function digest(name: string, algorithm: string): RubyClass {
  const made = new RubyClass(name, OBJECT);
  const at = (text: Value | undefined): Buffer => new RubyDigest(made, algorithm).sum(text ?? null);
  made.define(DIGESTS);
  made.defineOnClass({
    hexdigest: (_machine, _self, [text]) => str(at(text).toString('hex')),
    digest: (_machine, _self, [text]) => ofBytes(at(text)),
    base64digest: (_machine, _self, [text]) => str(at(text).toString('base64')),
    new: (_machine, self) => new RubyDigest(self, algorithm),
  });
  return made;
}

/** Its digests are of 256 bits unless they are asked for with others. */
function sha2(): RubyClass {
  const made = digest('Digest::SHA2', 'sha256');
  made.defineOnClass({
    new: (_machine, self, [bits]) => {
      const algorithm = `sha${optionalIndex(bits, 256)}`;
      if (!['sha256', 'sha384', 'sha512'].includes(algorithm))
        throw exception('ArgumentError', `unsupported bit length: ${optionalIndex(bits, 256)}`);
      return new RubyDigest(self, algorithm);
    },
  });
  return made;
}

function openSslDigest(): RubyClass {
  const made = new RubyClass('OpenSSL::Digest', OBJECT);
  made.define(DIGESTS);
  made.defineOnClass({
    new: (_machine, self, [name]) => new RubyDigest(self, named(textArgument(name))),
    hexdigest: (_machine, self, [name, text]) =>
      str(new RubyDigest(self, named(textArgument(name))).sum(text ?? null).toString('hex')),
    digest: (_machine, self, [name, text]) =>
      ofBytes(new RubyDigest(self, named(textArgument(name))).sum(text ?? null)),
  });
  return made;
}

function hmac([algorithm, key, data]: readonly Value[]): Buffer {
  const name = algorithm instanceof RubyDigest ? algorithm.algorithm : named(textArgument(algorithm));
  return createHmac(name, bytes(key)).update(bytes(data)).digest();
}

function hmacModule(): RubyClass {
  const made = new RubyClass('OpenSSL::HMAC', OBJECT);
  made.defineOnClass({
    hexdigest: (_machine, _self, args) => str(hmac(args).toString('hex')),
    digest: (_machine, _self, args) => ofBytes(hmac(args)),
    base64digest: (_machine, _self, args) => str(hmac(args).toString('base64')),
  });
  return made;
}

export const DIGEST_CLASSES: readonly RubyClass[] = [
  digest('Digest::MD5', 'md5'),
  digest('Digest::SHA1', 'sha1'),
  digest('Digest::SHA256', 'sha256'),
  digest('Digest::SHA384', 'sha384'),
  digest('Digest::SHA512', 'sha512'),
  sha2(),
  openSslDigest(),
  ...ALGORITHMS.map((algorithm) => digest(`OpenSSL::Digest::${algorithm.toUpperCase()}`, algorithm)),
  hmacModule(),
];
