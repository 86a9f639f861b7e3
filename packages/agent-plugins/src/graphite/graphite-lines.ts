/**
 * Metrics of events as lines of Graphite's plain protocol: name, value, and the second it is of.
 */
import { compileTemplate, type EventMap, type EventValue, type LogEvent, type Template } from '@shoal/agent-event';
import { type OptionDeclarations, type PluginContext, type PluginOptions, rubyText } from '@shoal/agent-plugin-kit';
import { asFloat } from '@shoal/core';
import { compileRubyRegex } from '@shoal/ruby-regex';

/** Fields of every event, which are no metrics. */
const NO_METRICS: readonly string[] = ['@timestamp', '@version'];
const PLACEHOLDER = '*';
const NUMBER = /^\s*([+-]?(?:\d+(?:_\d+)*)?(?:\.\d+(?:_\d+)*)?(?:[eE][+-]?\d+)?)/;

export const graphiteOptions: OptionDeclarations = {
  metrics: { type: 'hash', default: {} },
  fields_are_metrics: { type: 'boolean', default: false },
  include_metrics: { type: 'array', default: ['.*'] },
  exclude_metrics: { type: 'array', default: ['%\\{[^}]+\\}'] },
  metrics_format: { type: 'string', default: PLACEHOLDER },
};

export interface Metric {
  readonly name: string;
  /** Text of the value, with fields filled in. */
  readonly text: string;
}

/** Which metrics an event has, and what they are called in the end. */
export class GraphiteMetrics {
  private readonly areFields: boolean;
  private readonly metrics: readonly (readonly [name: Template, value: Template])[];
  private readonly included: readonly RegExp[];
  private readonly excluded: readonly RegExp[];
  private readonly format: Template;

  /** @param format of names, with a star for each metric's own */
  constructor(options: PluginOptions, context: PluginContext, format: string) {
    this.areFields = options.boolean('fields_are_metrics');
    this.metrics = [...options.hash('metrics')].map(
      ([name, value]) => [compileTemplate(name, context), compileTemplate(String(value), context)] as const,
    );
    this.included = options.strings('include_metrics').map((pattern) => compileRubyRegex(pattern));
    this.excluded = options.strings('exclude_metrics').map((pattern) => compileRubyRegex(pattern));
    this.format = compileTemplate(format, context);
  }

  of(event: LogEvent): readonly Metric[] {
    const all = this.areFields ? fieldMetrics(event) : this.namedMetrics(event);
    return all.filter(({ name }) => this.isWanted(name));
  }

  /** Name that is sent for the name of a metric. */
  sentName(event: LogEvent, name: string): string {
    return this.format.render(event).replaceAll(PLACEHOLDER, () => name);
  }

  private namedMetrics(event: LogEvent): readonly Metric[] {
    return this.metrics.map(([name, value]) => ({ name: name.render(event), text: value.render(event) }));
  }

  private isWanted(name: string): boolean {
    if (this.excluded.some((pattern) => pattern.test(name))) return false;
    return (this.areFields && this.included.length === 0) || this.included.some((pattern) => pattern.test(name));
  }
}

function fieldMetrics(event: LogEvent): readonly Metric[] {
  const fields: EventMap = event.fields;
  return [...fields]
    .filter(([name]) => !NO_METRICS.includes(name))
    .map(([name, value]) => ({ name, text: rubyText(value) }));
}

/** Number at the begin of a text, as Ruby reads it: 0 where there is none. */
export function leadingNumber(text: string): number {
  const found = Number((NUMBER.exec(text)?.[1] ?? '').replaceAll('_', '').replace(/^([+-]?)\./, '$10.'));
  return Number.isNaN(found) ? 0 : found;
}

export function graphiteLine(name: string, value: string, second: number): string {
  return `${name} ${value} ${second}`;
}

/** One line of the protocol, read. */
export interface Measurement {
  readonly name: string;
  /** A float, whole or not. */
  readonly value: EventValue;
  /** null: the time at which the line arrives. */
  readonly epochMs: number | null;
}

/** Stands for the time at which the line arrives. */
const NOW = 'N';

/** null for an empty line. */
export function readGraphiteLine(line: string): Measurement | null {
  const [name, value = '', time = NOW] = line.trim().split(/\s+/);
  if (name === undefined || name === '') return null;
  const number = leadingNumber(value);
  const second = time === NOW ? null : Math.floor(leadingNumber(time)) * 1000;
  return {
    name,
    value: asFloat(number),
    epochMs: second === null || Number.isSafeInteger(second) ? second : 0,
  };
}
