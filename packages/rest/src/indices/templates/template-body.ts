/**
 * Templates as users see them.
 */
import type { TemplateLayers } from '@shoal/cluster';
import type {
  AliasMetadata,
  ComponentTemplate,
  IndexTemplate,
  LegacyTemplate,
  TemplateContent,
} from '@shoal/cluster-state';
import type { HttpRequest } from '@shoal/http';
import { aliasesBody } from '../aliases/alias-body.ts';
import { failureStoreOptionsBody, streamLifecycleBody } from '../data-streams/data-stream-body.ts';
import { settingsBody } from '../settings/index-settings-body.ts';

/** How templates are shown. */
export interface TemplateView {
  readonly isFlat: boolean;
  /** Lifecycles with the conditions of rollovers that they do not name. */
  readonly showsDefaults: boolean;
}

type Json = Readonly<Record<string, unknown>>;

/** The view of a request that has `flat_settings` and `include_defaults`. */
export function viewOf({ params }: HttpRequest): TemplateView {
  return {
    isFlat: params.boolean('flat_settings', false),
    showsDefaults: params.boolean('include_defaults', false),
  };
}

export function indexTemplateBody(template: IndexTemplate, view: TemplateView): Json {
  const { content, priority, version, meta, dataStream, allowsAutoCreate, ignoredMissing, isDeprecated } = template;
  return {
    index_patterns: template.indexPatterns,
    ...(content === null ? {} : { template: contentBody(content, view) }),
    composed_of: template.composedOf,
    ...(priority === null ? {} : { priority }),
    ...(version === null ? {} : { version }),
    ...(meta === null ? {} : { _meta: meta }),
    ...(dataStream === null ? {} : { data_stream: { hidden: dataStream.isHidden, allow_custom_routing: false } }),
    ...(allowsAutoCreate === null ? {} : { allow_auto_create: allowsAutoCreate }),
    ...(ignoredMissing === null ? {} : { ignore_missing_component_templates: ignoredMissing }),
    ...(isDeprecated === null ? {} : { deprecated: isDeprecated }),
  };
}

export function componentTemplateBody(template: ComponentTemplate, view: TemplateView): Json {
  const { content, version, meta, isDeprecated } = template;
  return {
    template: contentBody(content, view),
    ...(version === null ? {} : { version }),
    ...(meta === null ? {} : { _meta: meta }),
    ...(isDeprecated === null ? {} : { deprecated: isDeprecated }),
  };
}

/** @param wrapsType puts the mapping under its type, as the cluster state shows it */
export function legacyTemplateBody(template: LegacyTemplate, isFlat: boolean, wrapsType = false): Json {
  const { settings, mappings, aliases } = template.content;
  const hasMapping = Object.keys(mappings ?? {}).length > 0;
  return {
    order: template.order,
    ...(template.version === null ? {} : { version: template.version }),
    index_patterns: template.indexPatterns,
    settings: settingsBody(settings ?? {}, isFlat),
    mappings: wrapsType && hasMapping ? { _doc: mappings } : (mappings ?? {}),
    aliases: aliasesBody(aliasList(aliases)),
  };
}

/** What an index would be created with. */
export function layersBody(
  { settings, mappings, aliases, lifecycle, failureStore }: TemplateLayers,
  { isFlat, showsDefaults }: TemplateView,
): Json {
  return {
    settings: settingsBody(settings, isFlat),
    ...(Object.keys(mappings).length === 0 ? {} : { mappings }),
    aliases: aliasesBody(aliases.values()),
    ...(lifecycle === null ? {} : { lifecycle: streamLifecycleBody(lifecycle, showsDefaults) }),
    ...(failureStore === null ? {} : { data_stream_options: { failure_store: failureStoreOptionsBody(failureStore) } }),
  };
}

function contentBody(content: TemplateContent, { isFlat, showsDefaults }: TemplateView): Json {
  const { settings, mappings, aliases, lifecycle, streamOptions } = content;
  return {
    ...(settings === null ? {} : { settings: settingsBody(settings, isFlat) }),
    ...(mappings === null ? {} : { mappings }),
    ...(aliases === null ? {} : { aliases: aliasesBody(aliasList(aliases)) }),
    ...(lifecycle === null ? {} : { lifecycle: streamLifecycleBody(lifecycle, showsDefaults) }),
    ...(streamOptions === null ? {} : { data_stream_options: streamOptions }),
  };
}

function aliasList(aliases: ReadonlyMap<string, AliasMetadata> | null): readonly AliasMetadata[] {
  return [...(aliases?.values() ?? [])];
}
