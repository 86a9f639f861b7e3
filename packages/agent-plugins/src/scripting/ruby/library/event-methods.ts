/**
 * Events and timestamps of the agent, as scripts use them.
 */
import {
  compileTemplate,
  eventToJsonText,
  parseEventJson,
  parseFieldReference,
  parseTimestamp,
  Timestamp,
} from '@shoal/agent-event';
import { isShoalError } from '@shoal/core';
import { textArgument } from '../arguments/arguments.ts';
import { inspect } from '../values/inspect.ts';
import { exception, kindName, type RubyException, typeError } from '../values/ruby-exception.ts';
import { RubyTime } from '../values/ruby-time.ts';
import { classOf, float, type Methods, numberOf, RubyHash, RubyString, str, type Value } from '../values/ruby-value.ts';
import { EVENT, LOGGER, RubyEvent, type RubyLogger, RubyTimestamp, TIMESTAMP } from '../values/script-objects.ts';
import { fromRuby, newEvent, settle, sharedField, shareField, shareWith, timestampOf, toRuby } from './event-values.ts';
import { appendFields } from './join-events.ts';

const TIMESTAMP_FIELD = '@timestamp';

/** Errors of events as a script can rescue them. */
function guarded<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (isShoalError(error)) throw exception('RuntimeError', error.message);
    throw error;
  }
}

function setField(self: RubyEvent, name: string, value: Value): Value {
  settle(self);
  if (name === TIMESTAMP_FIELD || name === `[${TIMESTAMP_FIELD}]`) {
    if (!(value instanceof RubyTimestamp))
      throw typeError(`wrong argument type ${kindName(value)} (expected LogStash::Timestamp)`);
    self.event.timestamp = value.time;
    return value;
  }
  guarded(() => self.event.set(parseFieldReference(name), fromRuby(value, shareWith(self))));
  if (value instanceof RubyString) shareField(self, name, value);
  return value;
}

const EVENTS: Methods<RubyEvent> = {
  '[]': () => {
    throw noDirectReference("event['field']", "event.get('field')");
  },
  '[]=': () => {
    throw noDirectReference("event['field'] = 'value'", "event.set('field', 'value')");
  },
  append: (_machine, self, [other]) => {
    const added = eventOf(other);
    settle(self);
    settle(added);
    appendFields(self.event.fields, added.event.fields);
    return self;
  },
  cancel: (_machine, self) => {
    self.event.cancel();
    return true;
  },
  'cancelled?': (_machine, self) => self.event.isCancelled,
  clone: (_machine, self) => {
    settle(self);
    return new RubyEvent(self.event.clone());
  },
  dup: (_machine, self) => {
    settle(self);
    return new RubyEvent(self.event.clone());
  },
  get: (_machine, self, [name]) => {
    const field = textArgument(name);
    settle(self);
    const value = guarded(() => self.event.get(parseFieldReference(field)));
    if (typeof value === 'string') return sharedField(self, field, value);
    return value === undefined ? null : toRuby(value, shareWith(self));
  },
  'include?': (_machine, self, [name]) =>
    guarded(() => self.event.get(parseFieldReference(textArgument(name)))) !== undefined,
  inspect: (_machine, self) => str(inspect(self)),
  overwrite: (_machine, self, [other]) => {
    const { event } = eventOf(other);
    self.event.fields.clear();
    for (const [name, value] of event.fields) self.event.fields.set(name, value);
    return self;
  },
  remove: (_machine, self, [name]) => {
    settle(self);
    const value = guarded(() => self.event.remove(parseFieldReference(textArgument(name))));
    return value === undefined ? null : toRuby(value, null);
  },
  set: (_machine, self, [name, value = null]) => setField(self, textArgument(name), value),
  sprintf: (_machine, self, [template]) => {
    settle(self);
    const text = numberOf(template ?? null) === null ? textArgument(template) : inspect(template ?? null);
    return str(guarded(() => compileTemplate(text).render(self.event)));
  },
  tag: (_machine, self, [tag]) => {
    self.event.tag(textArgument(tag));
    return null;
  },
  timestamp: (_machine, self) => (self.event.timestamp === null ? null : new RubyTimestamp(self.event.timestamp)),
  'timestamp=': (_machine, self, [value = null]) => setField(self, TIMESTAMP_FIELD, value),
  to_hash: (_machine, self) => {
    settle(self);
    return toRuby(self.event.fields, shareWith(self));
  },
  to_h: (_machine, self) => {
    settle(self);
    return toRuby(self.event.fields, shareWith(self));
  },
  to_hash_with_metadata: (_machine, self) => {
    settle(self);
    const hash = toRuby(self.event.fields, null);
    if (hash instanceof RubyHash && self.event.metadata.size > 0)
      hash.set(str('@metadata'), toRuby(self.event.metadata, null));
    return hash;
  },
  to_json: (_machine, self) => {
    settle(self);
    return str(eventToJsonText(self.event));
  },
  to_s: (_machine, self) => {
    settle(self);
    return str(compileTemplate('%{+yyyy-MM-dd}T%{+HH:mm:ss.SSS}Z %{host} %{message}').render(self.event));
  },
};

function noDirectReference(written: string, instead: string): RubyException {
  return exception('NoMethodError', `Direct event field references (i.e. ${written}) are not there: use ${instead}`);
}

/** The maps of a text of JSON. */
function mapsOf(text: string): readonly RubyHash[] {
  if (text.trim() === '') return [];
  const invalid = (reason: string): RubyException => exception('LogStash::Json::ParserError', reason);
  let parsed: Value;
  try {
    parsed = toRuby(parseEventJson(text), null);
  } catch (error) {
    throw isShoalError(error) ? invalid(error.message) : error;
  }
  return (Array.isArray(parsed) ? parsed : [parsed]).map((one) => {
    if (one instanceof RubyHash) return one;
    throw invalid(`an event is made of a map, or several of an array of maps: ${inspect(one)}`);
  });
}

function eventOf(value: Value | undefined): RubyEvent {
  if (value instanceof RubyEvent) return value;
  throw typeError(`wrong argument type ${kindName(value ?? null)} (expected LogStash::Event)`);
}

function asTime(self: RubyTimestamp): RubyTime {
  return new RubyTime(self.time.epochMs, self.time.nanos, 'utc');
}

const TIMESTAMPS: Methods<RubyTimestamp> = {
  '+': (machine, self, args) => machine.call(asTime(self), '+', args),
  '-': (machine, self, [other = null]) =>
    machine.call(asTime(self), '-', [other instanceof RubyTimestamp ? asTime(other) : other]),
  '<=>': (_machine, self, [other]) => (other instanceof RubyTimestamp ? self.compareTo(other) : null),
  'eql?': (_machine, self, [other]) => other instanceof RubyTimestamp && self.equals(other),
  gmtime: (_machine, self) => self,
  utc: (_machine, self) => self,
  nsec: (_machine, self) => asTime(self).nanosOfSecond,
  time: (_machine, self) => asTime(self),
  to_f: (_machine, self) => float(self.time.epochMs / 1000 + self.time.nanos / 1e9),
  to_i: (_machine, self) => Math.trunc(self.time.epochMs / 1000),
  to_iso8601: (_machine, self) => str(self.time.toString()),
  to_json: (_machine, self) => str(`"${self.time.toString()}"`),
  usec: (_machine, self) => Math.floor(asTime(self).nanosOfSecond / 1000),
  tv_usec: (_machine, self) => Math.floor(asTime(self).nanosOfSecond / 1000),
  year: (_machine, self) => asTime(self).fields().year,
};

function coerced(value: Value, nowMs: number): RubyTimestamp | null {
  if (value === null) return new RubyTimestamp(new Timestamp(nowMs));
  if (value instanceof RubyTimestamp) return value;
  if (value instanceof RubyTime) return new RubyTimestamp(timestampOf(value));
  if (!(value instanceof RubyString)) return null;
  const parsed = parseTimestamp(value.text);
  if (parsed === null)
    throw exception('LogStash::TimestampParserError', `invalid timestamp string format ${value.text}`);
  return new RubyTimestamp(parsed);
}

const writes =
  (level: 'debug' | 'info' | 'warn' | 'error'): Methods<RubyLogger>[string] =>
  (machine, _self, args) => {
    machine.log(args.map((one) => (one instanceof RubyString ? one.text : inspect(one))).join(' '), level);
    return null;
  };

const LOGGERS: Methods<RubyLogger> = {
  debug: writes('debug'),
  trace: writes('debug'),
  info: writes('info'),
  warn: writes('warn'),
  error: writes('error'),
  fatal: writes('error'),
  'debug?': () => false,
  'info?': () => true,
};

export function defineEvents(): void {
  LOGGER.define(LOGGERS);
  EVENT.define(EVENTS);
  TIMESTAMP.define(TIMESTAMPS);
  EVENT.defineOnClass({
    new: (machine, _self, [fields = null]) => {
      if (fields === null) return newEvent(new RubyHash(), machine.wallMs());
      if (!(fields instanceof RubyHash)) throw typeError(`wrong argument type ${classOf(fields).name} (expected Hash)`);
      return newEvent(fields, machine.wallMs());
    },
    from_json: (machine, _self, [text]) => mapsOf(textArgument(text)).map((one) => newEvent(one, machine.wallMs())),
  });
  TIMESTAMP.defineOnClass({
    at: (_machine, _self, [seconds = null, micros]) => {
      if (numberOf(seconds) === null) throw typeError(`can't convert ${kindName(seconds)} into an exact number`);
      const time = RubyTime.ofSeconds(typeof seconds === 'bigint' ? seconds : (numberOf(seconds) ?? 0), 'utc');
      return new RubyTimestamp(
        timestampOf(micros === undefined ? time : time.plusSeconds((numberOf(micros) ?? 0) / 1e6)),
      );
    },
    coerce: (machine, _self, [value = null]) => coerced(value, machine.wallMs()),
    new: (machine, _self, [value = null]) => {
      const made = coerced(value, machine.wallMs());
      if (made === null) throw typeError(`wrong argument type ${classOf(value).name} (expected Time)`);
      return made;
    },
    now: (machine) => new RubyTimestamp(new Timestamp(machine.wallMs())),
    parse_iso8601: (machine, _self, [value]) => coerced(str(textArgument(value)), machine.wallMs()),
  });
}
