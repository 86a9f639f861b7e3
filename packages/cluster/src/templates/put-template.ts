/**
 * Puts and deletes templates. What is put is checked as if an index were created from it: a template that no index could be
 * created from is refused now, and not when a write finds it.
 */

import { checkAnalysis } from '@shoal/analysis';
import {
  type ClusterState,
  type IndexTemplate,
  TEMPLATE_PARTS_MAX,
  TEMPLATES_MAX,
  type TemplateContent,
  type TemplateKind,
  type Templates,
  withEntries,
} from '@shoal/cluster-state';
import { type ConfigFiles, illegalArgument, isShoalError, matchesAny, ShoalError } from '@shoal/core';
import {
  mergeMapping,
  parseIndexSettings,
  parseMapping,
  SHARD_COUNT_DEFAULTS,
  typedIndexSettings,
} from '@shoal/schema';
import { checkMappingAnalyzers } from '../declarations/analyzer-names.ts';
import { checkIndexSimilarities } from '../declarations/check-similarities.ts';
import { composedFailureStore } from '../declarations/failure-store-options.ts';
import { checkAliasName } from '../declarations/resource-name.ts';
import { doOverlap, listedPatterns } from './name-patterns.ts';
import { parseComponentTemplate, parseIndexTemplate, parseLegacyTemplate } from './template-body.ts';
import { invalidTemplate, validationFailed } from './template-errors.ts';
import { findIndexTemplate, isForEveryName, layersOfIndexTemplate, type TemplateLayers } from './template-layers.ts';
import { checkTemplateNames } from './template-names.ts';

export interface TemplateChange {
  readonly kind: TemplateKind;
  readonly name: string;
  /** A template of that name is an error. */
  readonly create: boolean;
  readonly body: Readonly<Record<string, unknown>>;
}

/** @param files of this node, which settings name */
export function putTemplate(state: ClusterState, change: TemplateChange, files: ConfigFiles): ClusterState {
  const next = withTemplates(state, changedTemplates(state.metadata.templates, change, files));
  if (change.kind !== 'index') return next;
  const orphans = streamsWithoutTemplate(next);
  if (orphans.length === 0) return next;
  const template = next.metadata.templates.index.get(change.name);
  throw illegalArgument(
    `composable template [${change.name}] with index patterns [${template?.indexPatterns.join(', ')}], priority [${template?.priority}]${template?.dataStream === null ? ' and no data stream configuration' : ''} would cause data streams [${orphans.join(', ')}] to no longer match a data stream template`,
  );
}

/** Data streams whose next backing index could not be created. */
function streamsWithoutTemplate({ metadata: { dataStreams, templates } }: ClusterState): readonly string[] {
  return [...dataStreams.keys()].filter(
    (name) => (findIndexTemplate(templates, name, false)?.dataStream ?? null) === null,
  );
}

/** Templates after the change. */
export function changedTemplates(templates: Templates, change: TemplateChange, files: ConfigFiles): Templates {
  if (change.create && templates[change.kind].has(change.name)) throw alreadyExists(change);
  if (templates[change.kind].size >= TEMPLATES_MAX && !templates[change.kind].has(change.name)) {
    throw illegalArgument(`too many templates: there may be [${TEMPLATES_MAX}] of one kind`);
  }
  switch (change.kind) {
    case 'index':
      return withIndexTemplate(templates, parseIndexTemplate(change.name, change.body), files);
    case 'component':
      return withComponent(templates, change, files);
    case 'legacy':
      return withLegacy(templates, change, files);
  }
}

/** @throws index_template_missing_exception, illegal_argument_exception for components in use */
export function deleteTemplates(state: ClusterState, kind: TemplateKind, names: readonly string[]): ClusterState {
  const { templates } = state.metadata;
  const known: readonly string[] = [...templates[kind].keys()];
  const gone = new Set<string>();
  for (const name of names) {
    const found = known.filter((other) => matchesAny([name], other));
    if (found.length === 0 && name !== '*') {
      throw new ShoalError('index_template_missing_exception', 404, `index_template [${name}] missing`);
    }
    for (const other of found) gone.add(other);
  }
  if (kind === 'component') refuseUsed(templates, gone);
  const next = withTemplates(state, {
    index: kind === 'index' ? without(templates.index, gone) : templates.index,
    component: kind === 'component' ? without(templates.component, gone) : templates.component,
    legacy: kind === 'legacy' ? without(templates.legacy, gone) : templates.legacy,
  });
  const orphans = kind === 'index' ? streamsWithoutTemplate(next) : [];
  if (orphans.length === 0) return next;
  throw illegalArgument(
    `unable to remove composable templates [${[...gone].join(', ')}] as they are in use by a data streams [${orphans.join(', ')}]`,
  );
}

function withTemplates(state: ClusterState, templates: Templates): ClusterState {
  return { ...state, metadata: { ...state.metadata, templates } };
}

function without<T>(map: ReadonlyMap<string, T>, gone: ReadonlySet<string>): ReadonlyMap<string, T> {
  return withEntries(
    map,
    [...gone].map((name) => [name, null] as const),
  );
}

function refuseUsed(templates: Templates, gone: ReadonlySet<string>): void {
  const users = [...templates.index.values()].filter(({ composedOf }) => composedOf.some((name) => gone.has(name)));
  if (users.length === 0) return;
  const used = [...new Set(users.flatMap(({ composedOf }) => composedOf.filter((name) => gone.has(name))))];
  throw illegalArgument(
    `component templates [${used.join(', ')}] cannot be removed as they are still in use by index templates [${users.map(({ name }) => name).join(', ')}]`,
  );
}

function withIndexTemplate(templates: Templates, template: IndexTemplate, files: ConfigFiles): Templates {
  const { name, composedOf, content } = template;
  checkParts(template);
  checkTemplateNames(name, template.indexPatterns);
  if (isForEveryName(template) && content?.settings?.['index.hidden'] !== undefined) {
    throw validationFailed('global composable templates may not specify the setting index.hidden');
  }
  const missing = composedOf.filter(
    (component) => !templates.component.has(component) && !(template.ignoredMissing ?? []).includes(component),
  );
  if (missing.length > 0) {
    const fault = `index template [${name}] specifies component templates [${missing.join(', ')}] that do not exist`;
    throw new ShoalError('invalid_index_template_exception', 400, `index_template [${name}] invalid, cause [${fault}]`);
  }
  refuseSamePriority(templates, template);
  try {
    const layers = layersOfIndexTemplate(templates, template);
    if (template.dataStream !== null && layers.aliases.size > 0) {
      throw illegalArgument(`template [${name}] has alias and data stream definitions`);
    }
    checkLayers(layers, files);
  } catch (error) {
    if (!isShoalError(error)) throw error;
    if (composedOf.length === 0) throw error;
    throw illegalArgument(
      `composable template [${name}] template after composition with component templates [${composedOf.join(', ')}] is invalid`,
      { causedBy: error },
    );
  }
  return { ...templates, index: withEntries(templates.index, [[name, template]]) };
}

function checkParts({ name, indexPatterns, composedOf, ignoredMissing }: IndexTemplate): void {
  for (const [what, list] of Object.entries({ index_patterns: indexPatterns, composed_of: composedOf })) {
    if (list.length > TEMPLATE_PARTS_MAX) {
      throw invalidTemplate(name, [`[${what}] has more than [${TEMPLATE_PARTS_MAX}] entries`]);
    }
  }
  if ((ignoredMissing ?? []).length > TEMPLATE_PARTS_MAX) {
    throw invalidTemplate(name, [`[ignore_missing_component_templates] has more than [${TEMPLATE_PARTS_MAX}] entries`]);
  }
}

function refuseSamePriority(templates: Templates, template: IndexTemplate): void {
  const priority = template.priority ?? 0;
  const others = [...templates.index.values()].filter(
    (other) =>
      other.name !== template.name &&
      (other.priority ?? 0) === priority &&
      doOverlap(other.indexPatterns, template.indexPatterns),
  );
  if (others.length === 0) return;
  throw illegalArgument(
    `index template [${template.name}] has index patterns [${template.indexPatterns.join(', ')}] matching patterns from existing templates ${listedPatterns(others)} that have the same priority [${priority}], multiple index templates may not match during index creation, please use a different priority`,
  );
}

function withComponent(templates: Templates, { name, body }: TemplateChange, files: ConfigFiles): Templates {
  const component = parseComponentTemplate(name, body);
  checkTemplateNames(name, []);
  const { settings } = component.content;
  checkLayers(layersAlone(component.content), files);
  const next = { ...templates, component: withEntries(templates.component, [[name, component]]) };
  const users = [...templates.index.values()].filter(({ composedOf }) => composedOf.includes(name));
  const hidden = users.filter(isForEveryName);
  if (hidden.length > 0 && settings?.['index.hidden'] !== undefined) {
    const names = hidden.map((user) => user.name).join(',');
    throw illegalArgument(
      `cannot update component template [${name}] because the following global templates would resolve to specifying the [index.hidden] setting: [${names}]`,
    );
  }
  for (const user of users) {
    try {
      checkLayers(layersOfIndexTemplate(next, user), files);
    } catch (error) {
      if (!isShoalError(error)) throw error;
      throw illegalArgument(
        `updating component template [${name}] results in invalid composable template [${user.name}] after templates are merged`,
        { causedBy: error },
      );
    }
  }
  return next;
}

function withLegacy(templates: Templates, { name, body }: TemplateChange, files: ConfigFiles): Templates {
  const template = parseLegacyTemplate(name, body);
  if (template.indexPatterns.length > TEMPLATE_PARTS_MAX) {
    throw invalidTemplate(name, [`[index_patterns] has more than [${TEMPLATE_PARTS_MAX}] entries`]);
  }
  checkTemplateNames(name, template.indexPatterns);
  const { settings } = template.content;
  if (isForEveryName(template) && settings?.['index.hidden'] !== undefined) {
    throw invalidTemplate(name, ['global templates may not specify the setting index.hidden']);
  }
  checkLayers(layersAlone(template.content), files);
  return { ...templates, legacy: withEntries(templates.legacy, [[name, template]]) };
}

/** Content of one template that is no index template. */
function layersAlone({ settings, mappings, aliases, lifecycle, streamOptions }: TemplateContent): TemplateLayers {
  const layers = { settings: settings ?? {}, mappings: mappings ?? {}, aliases: aliases ?? new Map() };
  return { ...layers, lifecycle, failureStore: composedFailureStore([streamOptions]), template: null };
}

/** Checks layers as the creation of an index would. */
function checkLayers(layers: TemplateLayers, files: ConfigFiles): void {
  refuseUselessOfStream(layers);
  const settings = parseIndexSettings(layers.settings);
  const typed = typedIndexSettings({ ...SHARD_COUNT_DEFAULTS, ...settings });
  checkAnalysis(settings, files);
  const parsed = parseMapping(mergeMapping({}, layers.mappings, typed));
  checkMappingAnalyzers(parsed, settings);
  checkIndexSimilarities(parsed, typed.fieldDefaults.similarities);
  for (const alias of layers.aliases.keys()) checkAliasName(alias);
}

function alreadyExists({ kind, name }: TemplateChange): ShoalError {
  const what = { index: 'index template', component: 'component template', legacy: 'index_template' }[kind];
  return illegalArgument(`${what} [${name}] already exists`);
}

/** Indices of their own are in no stream whose lifecycle they could follow, or whose options they could have. */
function refuseUselessOfStream({ lifecycle, failureStore, template }: TemplateLayers): void {
  if (template === null || template.dataStream !== null || (lifecycle === null && failureStore === null)) return;
  const what = lifecycle === null ? 'data stream options' : 'lifecycle configuration';
  throw illegalArgument(
    `index template [${template.name}] specifies ${what} that can only be used in combination with a data stream`,
  );
}
