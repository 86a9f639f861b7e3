/**
 * Stored scripts in the cluster state, on the wire and on disk: an id, a language and a source.
 */
import { assert, type ItemReader, ValueReader } from '@shoal/core';
import { sortedMap } from './sorted-map.ts';

export interface StoredScript {
  readonly id: string;
  readonly lang: string;
  readonly source: string;
  /** Options of the script, by name. */
  readonly options: Readonly<Record<string, string>>;
}

export const NO_STORED_SCRIPTS: ReadonlyMap<string, StoredScript> = new Map();
/** Most scripts of a cluster. */
export const STORED_SCRIPTS_MAX = 5_000;
/** Characters of one script: all scripts are a part of every whole cluster state. */
export const STORED_SCRIPT_CHARS_MAX: number = 65_535;

export function writeStoredScripts(scripts: ReadonlyMap<string, StoredScript>): readonly Record<string, unknown>[] {
  assert(scripts.size <= STORED_SCRIPTS_MAX, `${scripts.size} stored scripts are more than can be read`);
  return [...scripts.values()].map(({ id, lang, source, options }) => ({ id, lang, source, options: { ...options } }));
}

/** All stored scripts of a state, by id. */
export const readStoredScripts: ItemReader<ReadonlyMap<string, StoredScript>> = (value, field) => {
  const scripts = new ValueReader({ scripts: value }, field).list('scripts', readStoredScript, STORED_SCRIPTS_MAX);
  return sortedMap(scripts.map((script) => [script.id, script]));
};

/** One script; further members are left alone. */
const readStoredScript: ItemReader<StoredScript> = (value, field) => {
  return readStoredScriptFields(ValueReader.of(value, field));
};

/** A script whose members stand among others. */
export function readStoredScriptFields(r: ValueReader): StoredScript {
  const options = r.object('options');
  return {
    id: r.string('id'),
    lang: r.string('lang'),
    source: r.string('source'),
    options: Object.fromEntries(options.fields().map((name) => [name, options.string(name)])),
  };
}
