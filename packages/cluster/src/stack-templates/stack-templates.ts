/**
 * What a cluster has before anybody puts something: templates that make data streams of `logs-*-*`, `metrics-*-*` and
 * `synthetics-*-*`, and of what OpenTelemetry writes, with the pipelines and lifecycle policies that they name. Shippers write to such
 * names and expect a stream.
 *
 * Names and effects are those of Elasticsearch 8.
 */
import type { ComponentTemplate, IndexTemplate } from '@shoal/cluster-state';
import { parseComponentTemplate, parseIndexTemplate } from '../templates/template-body.ts';
import { conventionTemplates } from './field-conventions.ts';
import { OTEL_KINDS, OTEL_MAPPING, OTEL_MAPPINGS, OTEL_PRIORITY, type OtelKind } from './otel-templates.ts';

type Json = Readonly<Record<string, unknown>>;

/** Grows with every change to what is below. */
const VERSION = 2;
const KINDS = ['logs', 'metrics', 'synthetics'] as const;
/** Kinds with settings, fields and a policy. Traces are no streams of a template by themselves. */
const SETTLED_KINDS = [...KINDS, 'traces'] as const;
type SettledKind = (typeof SETTLED_KINDS)[number];
const PRIORITY = 100;

const managed = (description: string): Json => ({
  version: VERSION,
  _meta: { description, managed: true },
});

/** A document of a stream must have its time. */
const TIME: Json = { type: 'date', ignore_malformed: false };
const KEYWORD: Json = { type: 'keyword', ignore_above: 1_024 };

function settingsOf(kind: SettledKind): Json {
  return {
    lifecycle: { name: `${kind}@lifecycle` },
    codec: 'best_compression',
    mapping: { ignore_malformed: true, total_fields: { ignore_dynamic_beyond_limit: true } },
    ...(kind === 'logs' && { default_pipeline: 'logs@default-pipeline' }),
  };
}

function mappingOf(kind: SettledKind): Json {
  const stream = {
    type: { type: 'constant_keyword', value: kind },
    dataset: { type: 'constant_keyword' },
    namespace: { type: 'constant_keyword' },
  };
  return {
    date_detection: false,
    properties: { '@timestamp': TIME, data_stream: { properties: stream } },
  };
}

/** What data streams have in common that are not logs. */
const GENERAL_MAPPING: Json = {
  date_detection: false,
  dynamic_templates: [
    { match_ip: { match_mapping_type: 'string', match: 'ip', mapping: { type: 'ip' } } },
    { match_message: { match_mapping_type: 'string', match: 'message', mapping: { type: 'match_only_text' } } },
    { texts: { match_mapping_type: 'string', mapping: KEYWORD } },
  ],
  properties: {
    '@timestamp': TIME,
    ecs: { properties: { version: KEYWORD } },
    host: { type: 'object' },
  },
};

function componentBodies(): Readonly<Record<string, Json>> {
  const ofKinds = SETTLED_KINDS.flatMap((kind) => [
    [
      `${kind}@settings`,
      { template: { settings: { index: settingsOf(kind) } }, ...managed(`settings of ${kind}-*-*`) },
    ] as const,
    [
      `${kind}@mappings`,
      { template: { mappings: mappingOf(kind) }, ...managed(`fields that ${kind}-*-* have always`) },
    ] as const,
  ]);
  const ofOtel = OTEL_KINDS.map((kind): [string, Json] => [
    `${kind}-otel@mappings`,
    { template: { mappings: OTEL_MAPPINGS[kind] }, ...managed(`fields of ${kind} of OpenTelemetry`) },
  ]);
  return {
    ...Object.fromEntries(ofKinds),
    ...Object.fromEntries(ofOtel),
    'otel@mappings': { template: { mappings: OTEL_MAPPING }, ...managed('fields of all data of OpenTelemetry') },
    'data-streams@mappings': {
      template: { mappings: GENERAL_MAPPING },
      ...managed('fields that data streams have in common'),
    },
    'ecs@mappings': {
      template: { mappings: { dynamic_templates: conventionTemplates() } },
      ...managed('fields by their names in the Elastic Common Schema'),
    },
  };
}

function indexTemplateBody(kind: (typeof KINDS)[number]): Json {
  const custom = `${kind}@custom`;
  const own = [`${kind}@mappings`, `${kind}@settings`];
  return {
    index_patterns: [`${kind}-*-*`],
    priority: PRIORITY,
    data_stream: {},
    allow_auto_create: true,
    composed_of: kind === 'logs' ? [...own, custom, 'ecs@mappings'] : ['data-streams@mappings', ...own, custom],
    ignore_missing_component_templates: [custom],
    ...managed(`data streams of ${kind}`),
  };
}

function otelTemplateBody(kind: OtelKind): Json {
  const custom = [`${kind}@custom`, `${kind}-otel@custom`];
  return {
    index_patterns: [`${kind}-*.otel-*`],
    priority: OTEL_PRIORITY,
    data_stream: {},
    allow_auto_create: true,
    composed_of: [
      ...[`${kind}@mappings`, `${kind}@settings`, 'otel@mappings', `${kind}-otel@mappings`],
      ...custom,
      'ecs@mappings',
    ],
    ignore_missing_component_templates: custom,
    ...managed(`data streams of ${kind} of OpenTelemetry`),
  };
}

/** JSON of each pipeline by its id. */
function pipelines(): Readonly<Record<string, Json>> {
  const isObject = "ctx.message instanceof String && ctx.message.startsWith('{') && ctx.message.endsWith('}')";
  const aside = '_json_message';
  const isAside = `ctx.${aside} != null`;
  return {
    'logs@default-pipeline': {
      processors: [
        { set: { field: '@timestamp', copy_from: '_ingest.timestamp', override: false } },
        { pipeline: { name: 'logs@custom', ignore_missing_pipeline: true } },
      ],
      ...managed(
        'gives logs without a time that of their arrival, and goes on to the pipeline logs@custom where there is one',
      ),
    },
    'logs@json-pipeline': {
      processors: [
        { rename: { if: isObject, field: 'message', target_field: aside, ignore_missing: true } },
        {
          json: {
            if: isAside,
            field: aside,
            add_to_root: true,
            add_to_root_conflict_strategy: 'merge',
            allow_duplicate_keys: true,
            on_failure: [{ rename: { field: aside, target_field: 'message', ignore_missing: true } }],
          },
        },
        { dot_expander: { if: isAside, field: '*', override: true } },
        { remove: { field: aside, ignore_missing: true } },
      ],
      ...managed('takes messages that are JSON objects apart'),
    },
  };
}

/** With what a policy says by default, as one is kept. */
function policy(kind: SettledKind): Json {
  const rollover = { max_age: '30d', max_primary_shard_size: '50gb' };
  return {
    phases: { hot: { min_age: '0ms', actions: { rollover } } },
    _meta: managed(`indices of ${kind}-*-* roll over by age and size`)._meta,
  };
}

export interface StackTemplates {
  readonly component: ReadonlyMap<string, ComponentTemplate>;
  readonly index: ReadonlyMap<string, IndexTemplate>;
  /** Texts by id. */
  readonly pipelines: ReadonlyMap<string, string>;
  /** Texts by name. */
  readonly policies: ReadonlyMap<string, string>;
}

/** Made anew each time: only a cluster manager asks, when it is elected and when settings change. */
export function stackTemplates(): StackTemplates {
  return {
    component: new Map(
      Object.entries(componentBodies()).map(([name, body]) => [name, parseComponentTemplate(name, body)]),
    ),
    index: new Map(
      [
        ...KINDS.map((kind) => [kind, indexTemplateBody(kind)] as const),
        ...OTEL_KINDS.map((kind) => [`${kind}-otel@template`, otelTemplateBody(kind)] as const),
      ].map(([name, body]) => [name, parseIndexTemplate(name, body)]),
    ),
    pipelines: new Map(Object.entries(pipelines()).map(([id, body]) => [id, JSON.stringify(body)])),
    policies: new Map(SETTLED_KINDS.map((kind) => [`${kind}@lifecycle`, JSON.stringify(policy(kind))])),
  };
}
