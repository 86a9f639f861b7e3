/**
 * Index settings as users send them, nested or flat, to the flat form that the cluster state keeps.
 */
import { illegalArgument } from '@shoal/core';
import { asObject } from '../declaration/json-object.ts';
import { indexSettingRule, settingNameOf, unknownSetting } from './index-setting-registry.ts';
import { replicaRangeOf } from './index-setting-rule.ts';
import { indexSimilarities } from './index-similarities.ts';
import { indexSort } from './index-sort.ts';
import { SHARD_COUNT_DEFAULTS } from './typed-index-settings.ts';

/** Settings by their full keys (`index.` in front), every value as text; a list has one key an entry. */
export type FlatIndexSettings = Readonly<Record<string, string>>;

const DEPTH_MAX = 20;
const PREFIX = 'index.';
const REPLICAS = 'index.number_of_replicas';

/**
 * Settings of a new index. Throws `illegal_argument_exception`. Defaults are filled in by `typedIndexSettings`.
 *
 * @param beneath settings of templates; a null value takes one of them away
 */
export function parseIndexSettings(json: unknown, beneath: FlatIndexSettings = {}): FlatIndexSettings {
  const settings = withExpandedReplicas(overlaid(beneath, creationSettings(json)));
  checkRoutingShards(settings);
  indexSimilarities(settings);
  indexSort(settings);
  return settings;
}

/** Settings of a template as they are given: nothing follows from them before an index is created. */
export function parseTemplateSettings(json: unknown): FlatIndexSettings {
  return overlaid({}, creationSettings(json));
}

/** Settings of templates, the later ones overriding; a list is replaced as a whole. */
export function mergeTemplateSettings(layers: readonly FlatIndexSettings[]): FlatIndexSettings {
  return layers.reduce<FlatIndexSettings>((merged, layer) => overlaid(merged, Object.entries(layer)), {});
}

function creationSettings(json: unknown): readonly (readonly [string, string | null])[] {
  const entries = flatten(json);
  for (const [key, value] of entries) {
    const rule = indexSettingRule(key);
    if (rule === null) throw unknownSetting(key);
    if (value === null) continue;
    if (rule.change === 'private') {
      throw illegalArgument(`private index setting [${key}] can not be set explicitly`);
    }
    rule.check(key, value);
  }
  return entries;
}

function overlaid(
  settings: FlatIndexSettings,
  entries: readonly (readonly [string, string | null])[],
): FlatIndexSettings {
  const merged = new Map(Object.entries(settings));
  const replaced = new Set<string>();
  for (const [key, value] of entries) {
    removeValue(merged, key, replaced);
    if (value !== null) merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

/** Full names of the settings that an update sets or removes. */
export function indexSettingNames(update: unknown): readonly string[] {
  return flatten(update).map(([name]) => name);
}

/**
 * Settings after an update; a null value removes one. An open index only takes dynamic ones.
 * Throws `illegal_argument_exception`.
 */
export function updateIndexSettings(
  current: FlatIndexSettings,
  update: unknown,
  options: { readonly isOpen: boolean; readonly index?: string },
): FlatIndexSettings {
  const merged = new Map(Object.entries(current));
  const refused: string[] = [];
  const replaced = new Set<string>();
  for (const [key, value] of flatten(update)) {
    const rule = indexSettingRule(key);
    if (rule === null) throw unknownSetting(key);
    if (rule.change === 'private')
      throw illegalArgument(`can not update private setting [${key}]; this setting is managed by the cluster`);
    if (rule.change !== 'dynamic' && options.isOpen) {
      refused.push(settingNameOf(key));
      continue;
    }
    if (rule.change === 'final')
      throw illegalArgument(`final ${options.index ?? 'index'} setting [${settingNameOf(key)}], not updateable`);
    removeValue(merged, key, replaced);
    if (value === null) {
      // An index says how many replicas it has, whatever the default becomes.
      if (key === REPLICAS) merged.set(key, SHARD_COUNT_DEFAULTS[REPLICAS]);
      continue;
    }
    rule.check(key, value);
    merged.set(key, value);
  }
  if (refused.length > 0) {
    throw illegalArgument(
      `Can't update non dynamic settings [[${[...new Set(refused)].join(', ')}]] for open indices [[${options.index ?? ''}]]`,
    );
  }
  const settings = withExpandedReplicas(Object.fromEntries(merged));
  indexSimilarities(settings);
  return settings;
}

/** The fewest of a range of replicas: the cluster manager, which knows the nodes, adds those that there is room for. */
function withExpandedReplicas(settings: FlatIndexSettings): FlatIndexSettings {
  const range = replicaRangeOf(settings['index.auto_expand_replicas']);
  return range === null ? settings : { ...settings, [REPLICAS]: String(range.min) };
}

/** Removes the value of a setting, a list with all of its entries: once an update, which may bring several entries. */
function removeValue(settings: Map<string, string>, key: string, replaced: Set<string>): void {
  const name = key.replace(/\.\d+$/, '');
  if (replaced.has(name)) return;
  replaced.add(name);
  for (const known of settings.keys()) {
    if (known === name || (known.startsWith(`${name}.`) && /^\d+$/.test(known.slice(name.length + 1)))) {
      settings.delete(known);
    }
  }
}

function checkRoutingShards(settings: FlatIndexSettings): void {
  const routing = settings['index.number_of_routing_shards'];
  if (routing === undefined) return;
  const shards = Number(settings['index.number_of_shards'] ?? '1');
  const routingShards = Number(routing);
  if (routingShards < shards) {
    throw illegalArgument(
      `index.number_of_routing_shards [${routingShards}] must be >= index.number_of_shards [${shards}]`,
    );
  }
  if (routingShards % shards !== 0) {
    throw illegalArgument(`the number of source shards [${shards}] must be a factor of [${routingShards}]`);
  }
}

/** Values of nested JSON under their dotted keys, `index.` put in front where missing. */
function flatten(json: unknown): readonly (readonly [string, string | null])[] {
  const root = asObject(json ?? {});
  if (root === null) throw illegalArgument('index settings must be an object');
  const settings = Object.keys(root).length === 1 ? (asObject(root.settings) ?? root) : root;
  const out: [string, string | null][] = [];
  for (const [key, value] of Object.entries(settings)) {
    if (key === 'index' && asObject(value) !== null) flattenInto(out, 'index', value, 0);
    else flattenInto(out, key.startsWith(PREFIX) ? key : `${PREFIX}${key}`, value, 0);
  }
  return out;
}

function flattenInto(out: [string, string | null][], key: string, value: unknown, depth: number): void {
  if (depth > DEPTH_MAX) throw illegalArgument(`index settings are nested too deeply at [${key}]`);
  const object = asObject(value);
  if (object !== null) {
    for (const [name, child] of Object.entries(object)) flattenInto(out, `${key}.${name}`, child, depth + 1);
  } else if (Array.isArray(value)) {
    if (value.length === 0) out.push([key, '']);
    value.forEach((entry, i) => {
      out.push([`${key}.${i}`, String(entry)]);
    });
  } else {
    out.push([key, value === null ? null : String(value)]);
  }
}
