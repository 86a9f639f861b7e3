/**
 * Requests of `rate`.
 */
import { illegalArgument, type ValueReader } from '@shoal/core';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import { CALENDAR_UNITS, type CalendarUnit, UNIT_NAMES } from '../../intervals/date-interval.ts';
import { parseValuesSource, readValuesSource, type ValuesSource } from '../../request/values-source.ts';
import type { AggregationNode, NamedParts } from '../../tree/aggregation-node.ts';

const MODES = ['sum', 'value_count'] as const;

export interface RateAggregation extends AggregationNode {
  readonly kind: 'rate';
  /** null: documents are counted. */
  readonly source: ValuesSource | null;
  /** null: the rate is that of the interval around it. */
  readonly unit: CalendarUnit | null;
  readonly mode: (typeof MODES)[number];
  readonly format: string | null;
}

export const parseRate: AggregationParser<RateAggregation> = (named, options) => {
  const hasSource = options.has('field') || options.has('script');
  const source = hasSource ? parseValuesSource(options) : null;
  const format = source === null ? options.text('format') : source.format;
  const unit = parseUnit(options.string('unit'));
  const mode = options.string('mode');
  if (mode !== null && source === null) {
    throw illegalArgument('The mode parameter is only supported with field or script');
  }
  return { ...named, kind: 'rate', source, unit, mode: parseMode(mode), format };
};

function parseUnit(text: string | null): CalendarUnit | null {
  if (text === null) return null;
  const unit = CALENDAR_UNITS.get(text);
  if (unit === undefined) throw illegalArgument(`Unsupported unit ${text}`);
  return unit;
}

function parseMode(text: string | null): RateAggregation['mode'] {
  if (text === null) return 'sum';
  const mode = MODES.find((known) => known === text.toLowerCase());
  if (mode === undefined) throw illegalArgument(`Unknown rate mode [${text}]`);
  return mode;
}

export function readRate(r: ValueReader, named: NamedParts): RateAggregation {
  return {
    ...named,
    kind: 'rate',
    source: r.has('source') ? readValuesSource(r.object('source')) : null,
    unit: r.has('unit') ? r.oneOf('unit', UNIT_NAMES) : null,
    mode: r.oneOf('mode', MODES),
    format: r.optionalString('format'),
  };
}
