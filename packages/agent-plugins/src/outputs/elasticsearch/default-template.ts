/**
 * The index template that an output brings for its own indices, so that texts can be searched and grouped, addresses are
 * addresses and places are places from the first event on.
 */

type Json = Readonly<Record<string, unknown>>;

export interface TemplateKind {
  /** Indices are `NAME-*`. */
  readonly name: string;
  readonly isEcs: boolean;
  /** The API of templates that are made of parts, instead of the older one. */
  readonly isComposable: boolean;
  /** False for clusters that know no field type of this kind. */
  readonly hasPlaces: boolean;
}

const VERSION = 80_001;
const PRIORITY = 200;
const KEYWORD_LENGTH_MAX = 256;
const ECS_KEYWORD_LENGTH_MAX = 1_024;

export function defaultTemplate(kind: TemplateKind): Json {
  const index_patterns = [`${kind.name}-*`];
  const settings = { 'index.refresh_interval': '5s', number_of_shards: 1 };
  const mappings = kind.isEcs ? ecsMappings(kind.hasPlaces) : plainMappings(kind.hasPlaces);
  if (!kind.isComposable) return { index_patterns, version: VERSION, settings, mappings };
  return {
    index_patterns,
    version: VERSION,
    priority: PRIORITY,
    template: { settings, mappings },
    _meta: { description: 'index template for logstash-output-elasticsearch' },
  };
}

function plainMappings(hasPlaces: boolean): Json {
  const text = { type: 'text', norms: false };
  const keyword = { type: 'keyword', ignore_above: KEYWORD_LENGTH_MAX };
  const place = {
    location: { type: 'geo_point' },
    latitude: { type: 'half_float' },
    longitude: { type: 'half_float' },
  };
  return {
    dynamic_templates: [
      { message_field: { path_match: 'message', match_mapping_type: 'string', mapping: text } },
      { string_fields: { match: '*', match_mapping_type: 'string', mapping: { ...text, fields: { keyword } } } },
    ],
    properties: {
      '@timestamp': { type: 'date' },
      '@version': { type: 'keyword' },
      geoip: { dynamic: true, properties: { ip: { type: 'ip' }, ...(hasPlaces ? place : {}) } },
    },
  };
}

/** Fields of the Elastic Common Schema are keywords, except texts for people, addresses and places. */
function ecsMappings(hasPlaces: boolean): Json {
  const keyword = { type: 'keyword', ignore_above: ECS_KEYWORD_LENGTH_MAX };
  const named = (name: string, path: string, mapping: Json): Json => ({ [name]: { path_match: path, mapping } });
  const paths = (name: string, field: string, mapping: Json): readonly Json[] => [
    named(name, field, mapping),
    named(`${name}_inside`, `*.${field}`, mapping),
  ];
  return {
    date_detection: false,
    dynamic_templates: [
      ...paths('addresses', 'ip', { type: 'ip' }),
      ...(hasPlaces ? paths('places', 'geo.location', { type: 'geo_point' }) : []),
      { strings_as_keyword: { match_mapping_type: 'string', mapping: keyword } },
    ],
    properties: {
      '@timestamp': { type: 'date' },
      '@version': { type: 'keyword' },
      message: { type: 'text', norms: false },
      tags: keyword,
      error: { properties: { message: { type: 'text', norms: false } } },
      event: {
        properties: {
          created: { type: 'date' },
          start: { type: 'date' },
          end: { type: 'date' },
          ingested: { type: 'date' },
          original: { type: 'keyword', index: false, doc_values: false },
        },
      },
    },
  };
}
