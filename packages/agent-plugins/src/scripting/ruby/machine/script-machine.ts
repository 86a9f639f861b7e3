/**
 * The machine that scripts run on: finds methods, counts work and memory, and keeps what a script keeps between its calls.
 *
 * A script that works too long or takes too much memory is ended by an error that it cannot rescue.
 */
import type { Runtime } from '@shoal/runtime';
import { exception, noMethod } from '../values/ruby-exception.ts';
import { RubyRegexp } from '../values/ruby-regexp.ts';
import {
  CLASS,
  classOf,
  type Machine,
  type Method,
  MODULE,
  RubyClass,
  type RubyObject,
  type RubyProc,
  type Value,
} from '../values/ruby-value.ts';
import { ScriptObject } from '../values/script-objects.ts';

/** Time that one call of a script may take. */
const TIME_MAX_MS = 10_000;
/** Steps between two looks at the clock. */
const STEPS_PER_LOOK = 4_096;
/** Characters and items that one call of a script may make, all together. */
const MEMORY_MAX = 256 * 1024 * 1024;
const NONE: readonly Value[] = [];
/** Patterns made while scripts run, kept for the next time. */
const REGEXPS_MAX = 200;

const CLASS_VARIABLES = new Map<string, Value>();

/** No exception of Ruby: a script cannot go on after it. */
export class ScriptLimitError extends Error {}

export class ScriptMachine implements Machine {
  readonly self: ScriptObject = new ScriptObject();
  /** Methods that the script defines. */
  readonly functions: Map<string, Method> = new Map();
  readonly globals: Map<string, Value> = new Map();
  readonly constants: Map<string, Value> = new Map();
  /** Variables `@@name`: all scripts of a thread share them, as they are of one class in Logstash. */
  readonly classVariables: Map<string, Value> = CLASS_VARIABLES;
  /** Names of methods that the script defines somewhere. */
  readonly defined: Set<string> = new Set();
  lastMatch: RubyObject | null = null;
  currentError: RubyObject | null = null;
  private readonly runtime: Runtime;
  private readonly regexps = new Map<string, RubyRegexp>();
  private steps = 0;
  private memory = 0;
  private deadlineMs = Number.POSITIVE_INFINITY;

  constructor(runtime: Runtime) {
    this.runtime = runtime;
  }

  /** Runs one call of the script under its own limits. */
  run<T>(call: () => T): T {
    this.memory = 0;
    this.steps = 0;
    this.deadlineMs = this.runtime.clock.monotonicMs() + TIME_MAX_MS;
    this.lastMatch = null;
    this.currentError = null;
    try {
      return call();
    } catch (error) {
      throw asException(error);
    }
  }

  call(receiver: Value, name: string, args: readonly Value[] = NONE, block: RubyProc | null = null): Value {
    this.step();
    const method = this.find(receiver, name);
    if (method === null) throw noMethod(name, receiver);
    return method(this, receiver, args, block);
  }

  find(receiver: Value, name: string): Method | null {
    if (receiver instanceof RubyClass) {
      return receiver.findOnClass(name) ?? (receiver.isModule ? MODULE : CLASS).find(name);
    }
    const method = classOf(receiver).find(name);
    if (method !== null || receiver !== this.self) return method;
    return this.functions.get(name) ?? null;
  }

  step(): void {
    if (++this.steps % STEPS_PER_LOOK === 0) this.look();
  }

  private look(): void {
    if (this.runtime.clock.monotonicMs() > this.deadlineMs) {
      throw new ScriptLimitError(`the script took longer than ${TIME_MAX_MS} ms`);
    }
  }

  within(limitMs: number, run: () => Value): Value {
    const outerMs = this.deadlineMs;
    const ownMs = this.runtime.clock.monotonicMs() + limitMs;
    if (ownMs >= outerMs) return run();
    this.deadlineMs = ownMs;
    try {
      return run();
    } catch (error) {
      if (error instanceof ScriptLimitError && this.runtime.clock.monotonicMs() > ownMs)
        throw exception('Timeout::Error', 'execution expired');
      throw error;
    } finally {
      this.deadlineMs = outerMs;
    }
  }

  grow(units: number): void {
    this.memory += units;
    if (this.memory > MEMORY_MAX) throw new ScriptLimitError('the script takes too much memory');
  }

  regexp(source: string, flags: string): RubyRegexp {
    const key = `${flags}/${source}`;
    const known = this.regexps.get(key);
    if (known !== undefined) return known;
    const made = new RubyRegexp(source, flags);
    if (this.regexps.size >= REGEXPS_MAX) this.regexps.clear();
    this.regexps.set(key, made);
    return made;
  }

  wallMs(): number {
    return this.runtime.clock.wallMs();
  }

  monotonicMs(): number {
    return this.runtime.clock.monotonicMs();
  }

  random(): number {
    return (this.runtime.random.u32() * 2 ** 21 + (this.runtime.random.u32() >>> 11)) / 2 ** 53;
  }

  randomBytes(length: number): Uint8Array {
    return this.runtime.random.bytes(length);
  }

  log(text: string, level: 'debug' | 'info' | 'warn' | 'error'): void {
    this.runtime.log[level]('a script says', { text });
  }
}

/** Errors of JavaScript that a script can cause, as those that Ruby would have. */
export function asException(error: unknown): unknown {
  if (error instanceof RangeError) return exception('SystemStackError', 'stack level too deep');
  return error;
}
