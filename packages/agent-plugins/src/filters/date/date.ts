/**
 * date: makes a timestamp of a text or number, by the first format that fits.
 */

import {
  compileDateFormat,
  compileTemplate,
  type EventValue,
  type FieldReference,
  hostZone,
  type LogEvent,
  parseFieldReference,
  Timestamp,
  timeZone,
  type ValueParser,
  type Zone,
} from '@shoal/agent-event';
import {
  createAll,
  type Filter,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
} from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';

export const dateFilter: PluginDefinition = {
  kind: 'filter',
  name: 'date',
  version: '3.1.15',
  isStateless: true,
  options: {
    match: { type: 'array', isRequired: true },
    target: { type: 'fieldReference', default: '@timestamp' },
    timezone: { type: 'string' },
    locale: { type: 'string' },
    tag_on_failure: { type: 'array', default: ['_dateparsefailure'] },
  },
  create: (options, context) => new DateFilter(options, context),
};

const ZONES_MAX = 1000;

class DateFilter implements Filter {
  private readonly source: FieldReference;
  private readonly target: FieldReference;
  private readonly parsers: readonly ValueParser[];
  private readonly zoneOf: (event: LogEvent) => Zone;
  private readonly failureTags: readonly string[];
  private readonly context: PluginContext;

  constructor(options: PluginOptions, context: PluginContext) {
    const [field, ...formats] = options.strings('match');
    if (field === undefined || formats.length === 0) {
      const why = 'date: match needs a field and at least one format, as in match => ["time", "ISO8601"]';
      throw new ShoalError('illegal_argument_exception', 400, why);
    }
    this.context = context;
    for (const name of ['matches', 'failures']) context.metrics.increment(name, 0);
    this.source = parseFieldReference(field);
    this.target = options.reference('target');
    const locale = options.has('locale') ? options.string('locale') : 'en';
    const jodaOptions = { locale, nowMs: () => context.runtime.clock.wallMs() };
    this.parsers = createAll(formats, (format) => compileDateFormat(format, jodaOptions));
    this.zoneOf = compileZone(options);
    this.failureTags = options.strings('tag_on_failure');
  }

  filter(event: LogEvent): 'matched' | 'unmatched' {
    const value = event.get(this.source);
    if (value === undefined || value === null) return 'unmatched';
    const instant = this.instantOf(event, value);
    if (instant === null) {
      this.context.metrics.increment('failures');
      for (const tag of this.failureTags) event.tag(tag);
      return 'unmatched';
    }
    event.set(this.target, new Timestamp(instant));
    this.context.metrics.increment('matches');
    return 'matched';
  }

  private instantOf(event: LogEvent, value: EventValue): number | null {
    const single = Array.isArray(value) ? (value[0] ?? null) : value;
    const zone = this.zoneOf(event);
    for (const parse of this.parsers) {
      const instant = parse(single, zone);
      if (instant !== null) return instant;
    }
    return null;
  }
}

function compileZone(options: PluginOptions): (event: LogEvent) => Zone {
  const fallback = hostZone();
  if (!options.has('timezone')) return () => fallback;
  const template = compileTemplate(options.string('timezone'));
  if (template.isConstant) {
    const zone = timeZone(template.text);
    return () => zone;
  }
  const zones = new Map<string, Zone>();
  return (event) => {
    const name = template.render(event);
    let zone = zones.get(name);
    if (zone === undefined) {
      zone = zoneOr(name, fallback);
      if (zones.size >= ZONES_MAX) zones.clear();
      zones.set(name, zone);
    }
    return zone;
  };
}

/** A name in an event that is no zone counts as none. */
function zoneOr(name: string, fallback: Zone): Zone {
  try {
    return timeZone(name);
  } catch {
    return fallback;
  }
}
