/**
 * Objects that scripts get from the agent: an event, a timestamp; and the object that a script itself runs as.
 */
import type { LogEvent, Timestamp } from '@shoal/agent-event';
import { COMPARABLE, OBJECT, RubyClass, RubyObject, type RubyString, type Value } from './ruby-value.ts';

export const EVENT: RubyClass = new RubyClass('LogStash::Event', OBJECT);
export const TIMESTAMP: RubyClass = new RubyClass('LogStash::Timestamp', OBJECT, [COMPARABLE]);

export class RubyTimestamp extends RubyObject {
  readonly time: Timestamp;

  constructor(time: Timestamp) {
    super();
    this.time = time;
  }

  get rubyClass(): RubyClass {
    return TIMESTAMP;
  }

  override show(): string {
    return this.time.toString();
  }

  override equals(other: RubyObject): boolean {
    return other instanceof RubyTimestamp && other.time.equals(this.time);
  }

  override compareTo(other: RubyObject): number | null {
    if (!(other instanceof RubyTimestamp)) return null;
    return Math.sign(this.time.epochMs - other.time.epochMs || this.time.nanos - other.time.nanos);
  }

  override hashKey(): unknown {
    return `\0T${this.time.toString()}`;
  }
}

export class RubyEvent extends RubyObject {
  readonly event: LogEvent;
  /** Strings that the script holds and the event too: a change in place is a change of the event. */
  readonly shared: SharedString[] = [];

  constructor(event: LogEvent) {
    super();
    this.event = event;
  }

  get rubyClass(): RubyClass {
    return EVENT;
  }

  override equals(other: RubyObject): boolean {
    return other instanceof RubyEvent && other.event === this.event;
  }

  override hashKey(): unknown {
    return this.event;
  }
}

export interface SharedString {
  readonly string: RubyString;
  /** Text when it was shared. */
  text: string;
  /** Puts a changed text where the old one still stands. */
  write(before: string, after: string): void;
}

export const LOGGER: RubyClass = new RubyClass('LogStash::Logging::Logger', OBJECT);

export class RubyLogger extends RubyObject {
  get rubyClass(): RubyClass {
    return LOGGER;
  }
}

/** What `self` is outside all methods: instance variables of a script are its. */
export class ScriptObject extends RubyObject {
  readonly variables: Map<string, Value> = new Map();

  get rubyClass(): RubyClass {
    return OBJECT;
  }

  override show(): string {
    return 'main';
  }
}
