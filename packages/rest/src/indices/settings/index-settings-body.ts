/**
 * Settings as users see them: nested objects or flat names, filtered by name, with a readable form beside them on request.
 */

import type { IndexMetadata } from '@shoal/cluster-state';
import { API_VERSION, INDEX_VERSION_CREATED, matchesAny } from '@shoal/core';

export type FlatSettings = Readonly<Record<string, string>>;

export interface SettingsView {
  readonly isFlat: boolean;
  /** Patterns of names wanted; empty: all. */
  readonly names: readonly string[];
  /** `?human`: dates and versions in words beside their numbers. */
  readonly isHuman: boolean;
}

/** Names under `index` that come last, in this order; others come before them by name. */
const LAST_INDEX_NAMES: readonly string[] = [
  'number_of_shards',
  'provided_name',
  'creation_date',
  'number_of_replicas',
  'uuid',
  'version',
];
/** Name of an entry of a list. */
const LIST_ENTRY = /^(.+)\.\d+$/;
const DATE_MS = /^\d{1,15}$/;
const VERSION_ID = /^\d{1,12}$/;
const CREATION_DATE = 'index.creation_date';
const VERSION_CREATED = 'index.version.created';

/** The value of `settings` for one index. */
export function indexSettingsBody(index: IndexMetadata, view: SettingsView): Readonly<Record<string, unknown>> {
  const wanted = filterSettings(index.settings, view.names);
  return settingsBody(view.isHuman ? withReadableTwins(wanted) : wanted, view.isFlat);
}

/** Flat names (sorted), a list under one of them, or names taken apart at the dots. */
export function settingsBody(settings: FlatSettings, isFlat: boolean): Readonly<Record<string, unknown>> {
  if (!isFlat) return nestSettings(settings);
  const flat = new Map<string, unknown>();
  for (const name of Object.keys(settings).sort()) {
    const list = LIST_ENTRY.exec(name)?.[1];
    const base = list !== undefined && isWholeList(settings, list) ? list : null;
    if (base === null) flat.set(name, settings[name]);
    else if (!flat.has(base)) flat.set(base, listUnder(settings, base));
  }
  return Object.fromEntries(flat);
}

/** Whether nothing but the entries `name.0`, `name.1`, … is below a name. */
function isWholeList(settings: FlatSettings, name: string): boolean {
  const below = Object.keys(settings).filter((other) => other.startsWith(`${name}.`));
  return below.every((_, at) => settings[`${name}.${at}`] !== undefined);
}

function listUnder(settings: FlatSettings, name: string): readonly string[] {
  const entries: string[] = [];
  for (let at = 0; ; at++) {
    const entry = settings[`${name}.${at}`];
    if (entry === undefined) return entries;
    entries.push(entry);
  }
}

export function filterSettings(settings: FlatSettings, names: readonly string[]): FlatSettings {
  if (names.length === 0 || names.includes('_all')) return settings;
  return Object.fromEntries(Object.entries(settings).filter(([name]) => matchesAny(names, name)));
}

/**
 * `{'index.a.b': '1'}` as `{index: {a: {b: '1'}}}`. Where a name is both a value and a prefix, the longer name keeps the
 * rest of its dots, so that nothing is lost. Lists (`name.0`, `name.1`, …) become arrays.
 */
export function nestSettings(settings: FlatSettings): Readonly<Record<string, unknown>> {
  const root: Record<string, unknown> = Object.create(null) as Record<string, unknown>; // Typed empty map.
  for (const name of Object.keys(settings).sort(bySettingOrder)) place(root, name.split('.'), settings[name]);
  return Object.fromEntries(Object.entries(root).map(([key, value]) => [key, listsAsArrays(value)]));
}

function place(root: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let node = root;
  for (const [depth, part] of path.entries()) {
    const rest = path.slice(depth).join('.');
    if (depth === path.length - 1) {
      node[part] = value;
      return;
    }
    const next = node[part] ?? {};
    if (!isMap(next)) {
      node[rest] = value;
      return;
    }
    node[part] = next;
    node = next;
  }
}

function bySettingOrder(a: string, b: string): number {
  return lastRank(a) - lastRank(b) || (a < b ? -1 : 1);
}

function lastRank(name: string): number {
  const [group, part = ''] = name.split('.');
  return group === 'index' ? LAST_INDEX_NAMES.indexOf(part.replace('creation_date_string', 'creation_date')) : -1;
}

function listsAsArrays(value: unknown): unknown {
  if (!isMap(value)) return value;
  const keys = Object.keys(value);
  const isList = keys.length > 0 && keys.every((_, at) => Object.hasOwn(value, String(at)));
  if (isList) return keys.map((_, at) => listsAsArrays(value[String(at)]));
  return Object.fromEntries(keys.map((key) => [key, listsAsArrays(value[key])]));
}

function withReadableTwins(settings: FlatSettings): FlatSettings {
  const date = settings[CREATION_DATE];
  const version = settings[VERSION_CREATED];
  return {
    ...settings,
    ...(date === undefined || !DATE_MS.test(date)
      ? {}
      : { [`${CREATION_DATE}_string`]: new Date(Number(date)).toISOString() }),
    ...(version === undefined ? {} : { [`${VERSION_CREATED}_string`]: versionWords(version) }),
  };
}

/** Index versions have no product version in them: ours is known, another's is read as the older form `MMmmpp99`. */
function versionWords(id: string): string {
  if (id === INDEX_VERSION_CREATED) return API_VERSION.number;
  if (!VERSION_ID.test(id)) return id;
  const number = Number(id);
  return [number / 1_000_000, (number / 10_000) % 100, (number / 100) % 100].map(Math.floor).join('.');
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
