/**
 * What the templates that fit a name give a new index: their settings, mappings and aliases laid over each other.
 *
 * Pure: a reading of one state.
 */

import {
  type AliasMetadata,
  type DataStreamLifecycle,
  type FailureStoreOptions,
  type IndexTemplate,
  type LegacyTemplate,
  sortedMap,
  type TemplateContent,
  type Templates,
} from '@shoal/cluster-state';
import { illegalArgument, isObject, isShoalError, matchesAny, ShoalError } from '@shoal/core';
import { mergeTemplateSettings, overlayMapping, parseBoolean } from '@shoal/schema';
import { composedFailureStore } from '../declarations/failure-store-options.ts';

type Json = Readonly<Record<string, unknown>>;

export interface TemplateLayers {
  readonly settings: Readonly<Record<string, string>>;
  readonly mappings: Json;
  readonly aliases: ReadonlyMap<string, AliasMetadata>;
  /** Lifecycle of a data stream; null: it has none. */
  readonly lifecycle: DataStreamLifecycle | null;
  /** Failure store of a data stream; null: they say nothing of it. */
  readonly failureStore: FailureStoreOptions | null;
  /** The only index template that counts; null: legacy templates, or none. */
  readonly template: IndexTemplate | null;
}

const NOTHING: TemplateLayers = {
  settings: {},
  mappings: {},
  aliases: new Map(),
  lifecycle: null,
  failureStore: null,
  template: null,
};

/** @param isHidden whether the request makes the index hidden; null: the request does not say */
export function layersFor(templates: Templates, index: string, isHidden: boolean | null): TemplateLayers {
  const winner = findIndexTemplate(templates, index, isHidden === true);
  if (winner !== null) return layersOfIndexTemplate(templates, winner);
  const legacy = findLegacyTemplates(templates, index, isHidden);
  return legacy.length === 0 ? NOTHING : layersOfLegacy(legacy);
}

/** Mapping of a new index: what the request says on top of its templates. */
export function mappingOf(layers: TemplateLayers, requested: Json): Json {
  if (layers === NOTHING) return requested;
  return layers.template === null ? mergeJson(layers.mappings, requested) : overlayMapping(layers.mappings, requested);
}

/** Aliases of a new index: those of the request win; `{index}` in the name of one stands for that of the index. */
export function aliasesOf(
  layers: TemplateLayers,
  requested: ReadonlyMap<string, AliasMetadata>,
  index: string,
): ReadonlyMap<string, AliasMetadata> {
  if (layers.aliases.size === 0) return requested;
  const named = [...layers.aliases.values()].map((alias) => {
    const name = alias.name.replaceAll('{index}', index);
    return [name, { ...alias, name }] as const;
  });
  return sortedMap([...named, ...requested]);
}

/** The index template of the highest priority that fits the name; templates of every name do not fit hidden indices. */
export function findIndexTemplate(templates: Templates, index: string, isHidden: boolean): IndexTemplate | null {
  let winner: IndexTemplate | null = null;
  for (const template of templates.index.values()) {
    if (!matchesAny(template.indexPatterns, index) || (isHidden && isForEveryName(template))) continue;
    if (winner === null || (template.priority ?? 0) > (winner.priority ?? 0)) winner = template;
  }
  return winner;
}

export function layersOfIndexTemplate(templates: Templates, template: IndexTemplate): TemplateLayers {
  const contents = contentsOf(templates, template);
  const settings = mergeTemplateSettings(contents.map((content) => content.settings ?? {}));
  const aliases = sortedMap(contents.flatMap((content) => [...(content.aliases ?? [])]));
  const lifecycle = contents.findLast((content) => content.lifecycle !== null)?.lifecycle ?? null;
  const failureStore = composedFailureStore(contents.map((content) => content.streamOptions));
  const mappings = compositeMappings(template.name, contents);
  return { settings, mappings, aliases, lifecycle, failureStore, template };
}

/** Contents from the lowest to the highest. */
function contentsOf(templates: Templates, template: IndexTemplate): readonly TemplateContent[] {
  const components = template.composedOf.flatMap((name) => templates.component.get(name)?.content ?? []);
  return template.content === null ? components : [...components, template.content];
}

function compositeMappings(name: string, contents: readonly TemplateContent[]): Json {
  try {
    return contents.reduce<Json>(
      (merged, { mappings }) => (mappings === null ? merged : overlayMapping(merged, mappings)),
      {},
    );
  } catch (error) {
    if (!isShoalError(error)) throw error;
    if (contents.length === 1) throw error;
    throw illegalArgument(`invalid composite mappings for [${name}]`, { causedBy: error });
  }
}

function findLegacyTemplates(templates: Templates, index: string, isHidden: boolean | null): readonly LegacyTemplate[] {
  const fitting = [...templates.legacy.values()]
    .filter((template) => matchesAny(template.indexPatterns, index))
    .sort((a, b) => a.order - b.order);
  const hides = isHidden ?? hidden(mergeTemplateSettings(fitting.map(({ content }) => content.settings ?? {})));
  return hides ? fitting.filter((template) => !isForEveryName(template)) : fitting;
}

function layersOfLegacy(ascending: readonly LegacyTemplate[]): TemplateLayers {
  const contents = ascending.map(({ content }) => content);
  return {
    settings: mergeTemplateSettings(contents.map((content) => content.settings ?? {})),
    mappings: contents.reduce<Json>((merged, { mappings }) => mergeJson(merged, mappings ?? {}), {}),
    aliases: sortedMap(contents.flatMap((content) => [...(content.aliases ?? [])])),
    lifecycle: null,
    failureStore: null,
    template: null,
  };
}

/** Mappings of legacy templates and of the request are merged as JSON: objects member by member, lists one behind the other. */
function mergeJson(below: Json, above: Json): Json {
  const keys = new Set([...Object.keys(below), ...Object.keys(above)]);
  return Object.fromEntries([...keys].map((key) => [key, mergeMember(member(below, key), member(above, key))]));
}

function mergeMember(below: unknown, above: unknown): unknown {
  if (above === undefined) return below;
  if (isObject(below) && isObject(above)) return mergeJson(below, above);
  if (!Array.isArray(below) || !Array.isArray(above)) return above;
  const items: readonly unknown[] = [...below, ...above];
  if (!items.every((item) => isObject(item) && Object.keys(item).length === 1)) return [...new Set(items)];
  // Dynamic templates: lists of one name each.
  return Object.entries(items.reduce<Json>((merged, item) => mergeJson(merged, item as Json), {})).map(
    ([name, value]) => ({ [name]: value }),
  );
}

function member(json: Json, key: string): unknown {
  return Object.hasOwn(json, key) ? json[key] : undefined;
}

/** A template whose pattern is `*` fits every name. */
export function isForEveryName({ indexPatterns }: { readonly indexPatterns: readonly string[] }): boolean {
  return indexPatterns.includes('*');
}

export function hidden(settings: Readonly<Record<string, string>>): boolean {
  return parseBoolean(settings['index.hidden'] ?? 'false') === true;
}

/**
 * @throws illegal_state_exception when a template of every name would hide its indices
 */
export function refuseGlobalHidden(template: IndexTemplate, settings: Readonly<Record<string, string>>): void {
  if (!isForEveryName(template) || settings['index.hidden'] === undefined) return;
  throw new ShoalError(
    'illegal_state_exception',
    500,
    `global index template [${template.name}], composed of component templates [${template.composedOf.join(',')}] defined the index.hidden setting, which is not allowed`,
  );
}
