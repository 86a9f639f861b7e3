/**
 * Templates of what the OpenTelemetry collector's exporter writes in its own form: `logs-*.otel-*`, `metrics-*.otel-*` and
 * `traces-*.otel-*`. Attributes may be named with and without what they belong to; a metric says by name which type it has.
 */
type Json = Readonly<Record<string, unknown>>;

export const OTEL_KINDS = ['logs', 'metrics', 'traces'] as const;
export type OtelKind = (typeof OTEL_KINDS)[number];

/** Above those of `logs-*-*` and its kin. */
export const OTEL_PRIORITY = 120;

const KEYWORD: Json = { type: 'keyword', ignore_above: 1_024 };
const LONG: Json = { type: 'long' };
const DOUBLE: Json = { type: 'double' };

const attributes = (priority: number): Json => ({ type: 'passthrough', dynamic: 'true', priority });

const alias = (path: string): Json => ({ type: 'alias', path });

/** What all three have. */
export const OTEL_MAPPING: Json = {
  date_detection: false,
  dynamic: 'false',
  dynamic_templates: [
    {
      complex_attributes: {
        match_mapping_type: 'object',
        path_match: ['resource.attributes.*', 'scope.attributes.*', 'attributes.*'],
        mapping: { type: 'flattened' },
      },
    },
  ],
  properties: {
    '@timestamp': { type: 'date_nanos', ignore_malformed: false },
    attributes: attributes(20),
    dropped_attributes_count: LONG,
    scope: {
      properties: {
        name: KEYWORD,
        version: KEYWORD,
        schema_url: KEYWORD,
        dropped_attributes_count: LONG,
        attributes: attributes(30),
      },
    },
    resource: {
      properties: {
        schema_url: KEYWORD,
        dropped_attributes_count: LONG,
        attributes: attributes(40),
      },
    },
  },
};

const LOG_PROPERTIES: Json = {
  observed_timestamp: { type: 'date_nanos' },
  event_name: KEYWORD,
  severity_number: { type: 'byte' },
  severity_text: KEYWORD,
  body: { properties: { text: { type: 'match_only_text' }, structured: { type: 'flattened' } } },
  trace_id: KEYWORD,
  span_id: KEYWORD,
  trace_flags: LONG,
  message: alias('body.text'),
  'log.level': alias('severity_text'),
  'trace.id': alias('trace_id'),
  'span.id': alias('span_id'),
};

const TRACE_PROPERTIES: Json = {
  trace_id: KEYWORD,
  span_id: KEYWORD,
  parent_span_id: KEYWORD,
  trace_state: KEYWORD,
  trace_flags: LONG,
  name: KEYWORD,
  kind: KEYWORD,
  duration: LONG,
  dropped_events_count: LONG,
  dropped_links_count: LONG,
  links: {
    properties: { trace_id: KEYWORD, span_id: KEYWORD, trace_state: KEYWORD, attributes: { type: 'flattened' } },
  },
  status: { properties: { code: KEYWORD, message: KEYWORD } },
  'trace.id': alias('trace_id'),
  'span.id': alias('span_id'),
  'parent.id': alias('parent_span_id'),
};

const METRIC_PROPERTIES: Json = {
  start_timestamp: { type: 'date_nanos' },
  unit: KEYWORD,
  metrics: attributes(10),
};

/** A metric names one of them: beside its value nothing tells what it is. A summary is kept and found, without numbers to count with. */
const METRIC_TYPES: readonly Json[] = Object.entries({
  histogram: { type: 'histogram' },
  counter_long: LONG,
  gauge_long: LONG,
  counter_double: DOUBLE,
  gauge_double: DOUBLE,
  summary: { type: 'flattened' },
}).map(([name, mapping]) => ({ [name]: { mapping } }));

export const OTEL_MAPPINGS: Readonly<Record<OtelKind, Json>> = {
  logs: { properties: LOG_PROPERTIES },
  metrics: { dynamic_templates: METRIC_TYPES, properties: METRIC_PROPERTIES },
  traces: { properties: TRACE_PROPERTIES },
};
