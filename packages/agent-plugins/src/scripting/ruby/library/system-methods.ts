/**
 * What surrounds a script: the environment, the host, clocks, random numbers, locks and the standard streams.
 */
import { hostname } from 'node:os';
import { blockArgument, indexArgument, nameArgument, textArgument } from '../arguments/arguments.ts';
import { bytesOf, ofBytes } from '../text/string-bytes.ts';
import { inspect, toText } from '../values/inspect.ts';
import { exception } from '../values/ruby-exception.ts';
import {
  float,
  KERNEL,
  type Machine,
  type Method,
  type Methods,
  numberOf,
  OBJECT,
  RubyClass,
  RubyHash,
  RubyObject,
  RubyString,
  str,
  type Value,
} from '../values/ruby-value.ts';
import { ADDRESS } from './address-methods.ts';
import { GLOBAL_FUNCTIONS } from './global-functions.ts';
import { randomNumber } from './module-methods.ts';

const made = (name: string, isModule = false): RubyClass => new RubyClass(name, isModule ? null : OBJECT, [], isModule);

/** One object, the only one of its kind. */
class SingleObject extends RubyObject {
  readonly rubyClass: RubyClass;

  constructor(name: string, methods: Methods) {
    super();
    this.rubyClass = made(name);
    this.rubyClass.define(methods);
  }

  override show(): string {
    return this.rubyClass.name;
  }
}

const variable = (name: Value | undefined): Value => {
  const value = process.env[textArgument(name)];
  return value === undefined ? null : str(value);
};

const has: Method = (_machine, _self, [name]) => variable(name) !== null;

/** Read only: a script that changed it would change it for all pipelines. */
const ENVIRONMENT: RubyObject = new SingleObject('ENV', {
  '[]': (_machine, _self, [name]) => variable(name),
  fetch: (_machine, _self, [name, otherwise], block) => {
    const value = variable(name);
    if (value !== null) return value;
    if (block !== null) return block.run([name ?? null], null);
    if (otherwise !== undefined) return otherwise;
    throw exception('KeyError', `key not found: ${inspect(name ?? null)}`);
  },
  'key?': has,
  'has_key?': has,
  'include?': has,
  'member?': has,
  to_h: () =>
    RubyHash.of(
      Object.entries(process.env).map(([name, value]) => [str(name), value === undefined ? null : str(value)]),
    ),
});

const printed =
  (level: 'info' | 'error', show: (value: Value) => string = toText): Method =>
  (machine, _self, args) => {
    machine.log(args.map(show).join('\n'), level);
    return null;
  };

/** Standard output and error are the log. */
const stream = (name: string, level: 'info' | 'error'): RubyObject =>
  new SingleObject(name, {
    puts: printed(level),
    print: printed(level),
    p: printed(level, inspect),
    write: printed(level),
    '<<': (machine, self, args, block) => {
      printed(level)(machine, self, args, block);
      return self;
    },
    flush: (_machine, self) => self,
    sync: () => true,
    'sync=': () => true,
  });

export const STANDARD_OUTPUT: RubyObject = stream('STDOUT', 'info');
export const STANDARD_ERROR: RubyObject = stream('STDERR', 'error');

/** A script runs in one thread: its locks are always free. */
class RubyLock extends RubyObject {
  readonly rubyClass: RubyClass;
  isLocked = false;

  constructor(rubyClass: RubyClass) {
    super();
    this.rubyClass = rubyClass;
  }
}

const synchronized: Methods<RubyLock>[string] = (_machine, self, _args, block) => {
  const run = blockArgument(block);
  const before = self.isLocked;
  self.isLocked = true;
  try {
    return run.run([], null);
  } finally {
    self.isLocked = before;
  }
};

const LOCKS: Methods<RubyLock> = {
  synchronize: synchronized,
  mon_synchronize: synchronized,
  lock: (_machine, self) => {
    self.isLocked = true;
    return self;
  },
  unlock: (_machine, self) => {
    self.isLocked = false;
    return self;
  },
  try_lock: (_machine, self) => {
    const wasFree = !self.isLocked;
    self.isLocked = true;
    return wasFree;
  },
  'locked?': (_machine, self) => self.isLocked,
  'owned?': (_machine, self) => self.isLocked,
};

class RubyRandom extends RubyObject {
  readonly rubyClass: RubyClass;

  constructor(rubyClass: RubyClass) {
    super();
    this.rubyClass = rubyClass;
  }
}

const drawn = (machine: Machine, [limit]: readonly Value[]): Value => randomNumber(machine, limit ?? 0);

const MUTEX = made('Mutex');
const MONITOR = made('Monitor');
const RANDOM = made('Random');
const PROCESS = made('Process', true);
const SOCKET = made('Socket');
const TIMEOUT = made('Timeout', true);

export const SYSTEM_CLASSES: readonly RubyClass[] = [MUTEX, MONITOR, RANDOM, PROCESS, SOCKET, TIMEOUT];
export const SYSTEM_OBJECTS: readonly (readonly [name: string, value: Value])[] = [
  ['ENV', ENVIRONMENT],
  ['STDOUT', STANDARD_OUTPUT],
  ['STDERR', STANDARD_ERROR],
  ['Process::CLOCK_REALTIME', 0],
  ['Process::CLOCK_MONOTONIC', 1],
];

/** The clock in the unit that is asked for; seconds as a float where none is. */
const clock: Method = (machine, _self, [id = 0, unit]) => {
  const ms = id === 0 ? machine.wallMs() : machine.monotonicMs();
  const name = unit === undefined ? 'float_second' : nameArgument(unit);
  const units: Readonly<Record<string, Value>> = {
    float_second: float(ms / 1000),
    float_millisecond: float(ms),
    float_microsecond: float(ms * 1000),
    second: Math.floor(ms / 1000),
    millisecond: Math.floor(ms),
    microsecond: Math.floor(ms * 1000),
    nanosecond: Math.floor(ms * 1_000_000),
  };
  const value = units[name];
  if (value === undefined) throw exception('ArgumentError', `unexpected unit: ${name}`);
  return value;
};

/** Numbers of the families in packed addresses. */
const FAMILY = { 4: 2, 16: 10 } as const;

/**
 * Port and address as JRuby packs them: family and port in two bytes each, then the address, and zeros up to 16 bytes, or
 * to 28 for version 6.
 */
function packedAddress(machine: Machine, [port = null, host = null]: readonly Value[]): Value {
  const address = bytesOf(machine.call(machine.call(ADDRESS, 'new', [host]), 'hton') as RubyString);
  const isLong = address.length === 16;
  const packed = Buffer.alloc(isLong ? 28 : 16);
  packed.writeUInt16LE(isLong ? FAMILY[16] : FAMILY[4], 0);
  packed.writeUInt16BE(port instanceof RubyString ? Number.parseInt(port.text, 10) : indexArgument(port), 2);
  packed.set(address, 4);
  return ofBytes(packed);
}

/** Functions of `Kernel` that scripts call on the module. */
const ON_KERNEL = 'Array Float Hash Integer String format loop p print puts raise rand sprintf'.split(' ');

export function defineSystem(): void {
  for (const one of [MUTEX, MONITOR]) {
    one.define(LOCKS);
    one.defineOnClass({ new: (_machine, self) => new RubyLock(self) });
  }
  RANDOM.define<RubyRandom>({ rand: (machine, _self, args) => drawn(machine, args) });
  RANDOM.defineOnClass({
    new: (_machine, self, args) => {
      if (args.length > 0) throw exception('NotImplementedError', 'random numbers have no seed here');
      return new RubyRandom(self);
    },
    rand: (machine, _self, args) => drawn(machine, args),
  });
  PROCESS.defineOnClass({ clock_gettime: clock, pid: () => process.pid });
  SOCKET.defineOnClass({
    gethostname: () => str(hostname()),
    sockaddr_in: (machine, _self, args) => packedAddress(machine, args),
    pack_sockaddr_in: (machine, _self, args) => packedAddress(machine, args),
  });
  TIMEOUT.defineOnClass({
    timeout: (machine, _self, [seconds = null], block) => {
      const run = blockArgument(block);
      const limit = numberOf(seconds) ?? 0;
      return limit === 0 ? run.run([seconds], null) : machine.within(limit * 1000, () => run.run([seconds], null));
    },
  });
  for (const name of ON_KERNEL) {
    const method = GLOBAL_FUNCTIONS[name];
    if (method !== undefined) KERNEL.defineOnClass({ [name]: method });
  }
}
