/** Templates on the wire and on disk. */
import { assert, type ItemReader, ValueReader } from '@shoal/core';
import { readPlainObject } from '../json/plain-json.ts';
import { readDataStreamLifecycle } from '../metadata/data-stream.ts';
import { sortedMap } from '../metadata/sorted-map.ts';
import {
  type ComponentTemplate,
  type DataStreamTemplate,
  type IndexTemplate,
  type LegacyTemplate,
  TEMPLATE_PARTS_MAX,
  TEMPLATES_MAX,
  type TemplateContent,
  type Templates,
} from '../metadata/templates.ts';
import { ALIASES_MAX, INDEX_SETTINGS_MAX, readAlias } from './index-metadata-codec.ts';

const INTEGER_MAX = Number.MAX_SAFE_INTEGER;

export function writeTemplates(templates: Templates): Record<string, unknown> {
  const { index, component, legacy } = templates;
  assert(Math.max(index.size, component.size, legacy.size) <= TEMPLATES_MAX, 'more templates than can be read');
  return {
    index: [...index.values()].map((template) => ({
      ...template,
      content: template.content === null ? null : writeContent(template.content),
    })),
    component: [...component.values()].map(writeWithContent),
    legacy: [...legacy.values()].map(writeWithContent),
  };
}

export const readTemplates: ItemReader<Templates> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    index: byName(r.list('index', readIndexTemplate, TEMPLATES_MAX)),
    component: byName(r.list('component', readComponent, TEMPLATES_MAX)),
    legacy: byName(r.list('legacy', readLegacy, TEMPLATES_MAX)),
  };
};

function byName<T extends { readonly name: string }>(templates: readonly T[]): ReadonlyMap<string, T> {
  return sortedMap(templates.map((template) => [template.name, template]));
}

function writeWithContent(template: ComponentTemplate | LegacyTemplate): Record<string, unknown> {
  return { ...template, content: writeContent(template.content) };
}

function writeContent({
  settings,
  mappings,
  aliases,
  lifecycle,
  streamOptions,
}: TemplateContent): Record<string, unknown> {
  return {
    settings: settings === null ? null : { ...settings },
    mappings,
    aliases: aliases === null ? null : [...aliases.values()].map((alias) => ({ ...alias })),
    lifecycle: lifecycle === null ? null : { ...lifecycle },
    streamOptions,
  };
}

const readContent: ItemReader<TemplateContent> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    settings: r.has('settings') ? r.map('settings', ValueReader.asString, INDEX_SETTINGS_MAX) : null,
    mappings: r.optional('mappings', readPlainObject),
    aliases: r.has('aliases')
      ? sortedMap(r.list('aliases', readAlias, ALIASES_MAX).map((alias) => [alias.name, alias]))
      : null,
    // Templates of versions before it have none.
    lifecycle: r.optional('lifecycle', readDataStreamLifecycle),
    streamOptions: r.optional('streamOptions', readPlainObject),
  };
};

const readIndexTemplate: ItemReader<IndexTemplate> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    name: r.string('name'),
    indexPatterns: r.list('indexPatterns', ValueReader.asString, TEMPLATE_PARTS_MAX),
    content: r.optional('content', readContent),
    composedOf: r.list('composedOf', ValueReader.asString, TEMPLATE_PARTS_MAX),
    ignoredMissing: r.has('ignoredMissing') ? r.list('ignoredMissing', ValueReader.asString, TEMPLATE_PARTS_MAX) : null,
    priority: r.optionalInteger('priority', 0, INTEGER_MAX),
    version: r.optionalInteger('version', -INTEGER_MAX, INTEGER_MAX),
    meta: r.optional('meta', readPlainObject),
    dataStream: r.optional('dataStream', readDataStream),
    allowsAutoCreate: r.optional('allowsAutoCreate', ValueReader.asBoolean),
    // Templates of versions before it have none.
    isDeprecated: r.optional('isDeprecated', ValueReader.asBoolean),
  };
};

const readDataStream: ItemReader<DataStreamTemplate> = (value, field) => ({
  isHidden: ValueReader.of(value, field).boolean('isHidden'),
});

const readComponent: ItemReader<ComponentTemplate> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    name: r.string('name'),
    content: readContent(r.raw('content'), `${field}.content`),
    version: r.optionalInteger('version', -INTEGER_MAX, INTEGER_MAX),
    meta: r.optional('meta', readPlainObject),
    isDeprecated: r.optional('isDeprecated', ValueReader.asBoolean),
  };
};

const readLegacy: ItemReader<LegacyTemplate> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    name: r.string('name'),
    indexPatterns: r.list('indexPatterns', ValueReader.asString, TEMPLATE_PARTS_MAX),
    order: r.integer('order', -(2 ** 31), 2 ** 31 - 1),
    version: r.optionalInteger('version', -INTEGER_MAX, INTEGER_MAX),
    content: readContent(r.raw('content'), `${field}.content`),
  };
};
