/**
 * Bodies of requests that put templates, as users send them, to the form of the cluster state.
 *
 * Reads shapes and single values; whether the parts fit together is checked behind it, by `checkTemplate`.
 */

import type {
  ComponentTemplate,
  DataStreamTemplate,
  IndexTemplate,
  LegacyTemplate,
  TemplateContent,
} from '@shoal/cluster-state';
import { illegalArgument, isObject, isShoalError, nearestNames, ShoalError } from '@shoal/core';
import { parseTemplateSettings } from '@shoal/schema';
import { parseAliases } from '../declarations/alias-declarations.ts';
import { parseStreamOptionsTemplate } from '../declarations/failure-store-options.ts';
import { parseStreamLifecycle } from '../declarations/stream-lifecycle.ts';
import { invalidTemplate, validationFailed } from './template-errors.ts';

type Json = Readonly<Record<string, unknown>>;

const INDEX_KEYS = [
  'index_patterns',
  'template',
  'composed_of',
  'priority',
  'version',
  '_meta',
  'data_stream',
  'allow_auto_create',
  'ignore_missing_component_templates',
  'deprecated',
] as const;
const COMPONENT_KEYS = ['template', 'version', '_meta', 'deprecated'] as const;
const CONTENT_KEYS = ['settings', 'mappings', 'aliases', 'lifecycle', 'data_stream_options'] as const;
const DATA_STREAM_KEYS = ['hidden', 'timestamp_field', 'allow_custom_routing'] as const;
const LEGACY_KEYS = ['index_patterns', 'template', 'order', 'version', 'settings', 'mappings', 'aliases'] as const;

export function parseIndexTemplate(name: string, body: Json): IndexTemplate {
  checkKeys(body, INDEX_KEYS, 'index_template');
  if (body.index_patterns === undefined) throw illegalArgument('Required [index_patterns]');
  const indexPatterns = texts(body.index_patterns, 'index_patterns');
  if (indexPatterns.length === 0) throw illegalArgument('There must be at least one pattern, zero given');
  const priority = integer(body.priority, 'priority', 'index_template');
  if (priority !== null && priority < 0) throw validationFailed('index template priority must be >= 0');
  const { template } = body;
  return {
    name,
    indexPatterns,
    content: isNothing(template) ? null : parseOwnContent(name, object(template, 'template')),
    composedOf: texts(body.composed_of, 'composed_of'),
    ignoredMissing: isNothing(body.ignore_missing_component_templates)
      ? null
      : texts(body.ignore_missing_component_templates, 'ignore_missing_component_templates'),
    priority,
    version: integer(body.version, 'version', 'index_template'),
    meta: isNothing(body._meta) ? null : object(body._meta, '_meta'),
    dataStream: isNothing(body.data_stream) ? null : parseDataStream(object(body.data_stream, 'data_stream')),
    allowsAutoCreate: flag(body.allow_auto_create, 'allow_auto_create'),
    isDeprecated: flag(body.deprecated, 'deprecated'),
  };
}

export function parseComponentTemplate(name: string, body: Json): ComponentTemplate {
  checkKeys(body, COMPONENT_KEYS, 'component_template');
  if (isNothing(body.template)) throw illegalArgument('Required [template]');
  return {
    name,
    content: parseContent(object(body.template, 'template')),
    version: integer(body.version, 'version', 'component_template'),
    meta: isNothing(body._meta) ? null : object(body._meta, '_meta'),
    isDeprecated: flag(body.deprecated, 'deprecated'),
  };
}

export function parseLegacyTemplate(name: string, body: Json): LegacyTemplate {
  const unknown = Object.keys(body).find((key) => !isOneOf(key, LEGACY_KEYS));
  if (unknown !== undefined) throw new ShoalError('parse_exception', 400, `unknown key [${unknown}] in the template `);
  // The name that version 5 had for the patterns.
  const indexPatterns = texts(body.index_patterns ?? body.template, 'index_patterns');
  if (indexPatterns.length === 0) throw validationFailed('index patterns are missing');
  const { settings, mappings, aliases } = body;
  return {
    name,
    indexPatterns,
    order: integer(body.order, 'order', 'template') ?? 0,
    version: integer(body.version, 'version', 'template'),
    content: parseContent({
      settings: settings ?? {},
      mappings: mappings ?? {},
      aliases: aliases ?? {},
    }),
  };
}

/** Content of an index template, whose settings are reported as faults of the template. */
function parseOwnContent(name: string, body: Json): TemplateContent {
  if (!isNothing(body.settings)) {
    try {
      parseTemplateSettings(body.settings);
    } catch (error) {
      if (!isShoalError(error)) throw error;
      throw invalidTemplate(name, [error.message]);
    }
  }
  return parseContent(body);
}

function parseContent(body: Json): TemplateContent {
  checkKeys(body, CONTENT_KEYS, 'template');
  const { settings, mappings, aliases, lifecycle, data_stream_options: options } = body;
  return {
    settings: isNothing(settings) ? null : parseTemplateSettings(object(settings, 'settings')),
    mappings: isNothing(mappings) ? null : withoutType(object(mappings, 'mappings')),
    aliases: isNothing(aliases) ? null : parseAliases(object(aliases, 'aliases')),
    lifecycle: isNothing(lifecycle) ? null : parseStreamLifecycle(object(lifecycle, 'lifecycle')),
    streamOptions: options === undefined ? null : parseStreamOptionsTemplate(options),
  };
}

/** Mapping without the type around it that clients of version 6 send. */
function withoutType(mappings: Json): Json {
  const inner = mappings._doc;
  return Object.keys(mappings).length === 1 && isObject(inner) ? inner : mappings;
}

function parseDataStream(body: Json): DataStreamTemplate {
  checkKeys(body, DATA_STREAM_KEYS, 'data_stream_template');
  const field = isNothing(body.timestamp_field) ? null : object(body.timestamp_field, 'timestamp_field').name;
  if (field !== null && field !== '@timestamp') {
    throw illegalArgument(`the timestamp field of a data stream is [@timestamp], not [${String(field)}]`);
  }
  if (flag(body.allow_custom_routing, 'allow_custom_routing') === true) {
    throw illegalArgument('[allow_custom_routing] of a data stream must be [false]');
  }
  return { isHidden: flag(body.hidden, 'hidden') ?? false };
}

function checkKeys(body: Json, known: readonly string[], what: string): void {
  const unknown = Object.keys(body).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const near = nearestNames(unknown, known);
  const hint =
    near.length === 0
      ? ''
      : near.length === 1
        ? ` did you mean [${near[0]}]?`
        : ` did you mean any of [${near.join(', ')}]?`;
  throw new ShoalError('x_content_parse_exception', 400, `[${what}] unknown field [${unknown}]${hint}`);
}

function isOneOf(key: string, keys: readonly string[]): boolean {
  return keys.includes(key);
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}

function object(value: unknown, field: string): Json {
  if (!isObject(value)) throw notParsed(field, 'an object');
  return value;
}

function texts(value: unknown, field: string): readonly string[] {
  if (isNothing(value)) return [];
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.map((item) => {
    if (typeof item !== 'string') throw notParsed(field, 'a list of strings');
    return item;
  });
}

function integer(value: unknown, field: string, what: string): number | null {
  if (isNothing(value)) return null;
  const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
  throw new ShoalError('x_content_parse_exception', 400, `[${what}] failed to parse field [${field}]`, {
    causedBy: illegalArgument(`For input string: "${String(value)}"`),
  });
}

function flag(value: unknown, field: string): boolean | null {
  if (isNothing(value)) return null;
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw notParsed(field, 'a boolean');
}

function notParsed(field: string, wanted: string): ShoalError {
  return new ShoalError('x_content_parse_exception', 400, `failed to parse field [${field}]: it must be ${wanted}`);
}
