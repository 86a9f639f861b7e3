/**
 * Synonym sets in the cluster state, on the wire and on disk: rules by id, which token filters name by their set.
 */
import { assert, type ItemReader, ValueReader } from '@shoal/core';
import { sortedMap } from './sorted-map.ts';

export interface SynonymRule {
  readonly id: string;
  /** In the format of Solr: `a, b` or `a => b`. */
  readonly synonyms: string;
}

export interface SynonymSet {
  readonly id: string;
  /** In the order of their ids, which differ. */
  readonly rules: readonly SynonymRule[];
}

export type SynonymSets = ReadonlyMap<string, SynonymSet>;

export const NO_SYNONYM_SETS: SynonymSets = new Map();
/** Most sets of a cluster. */
export const SYNONYM_SETS_MAX = 1_000;
/** Most rules of a set. */
export const SYNONYM_RULES_MAX = 10_000;
/** Characters of the rules and ids of all sets: they are a part of every whole cluster state. */
export const SYNONYM_CHARS_MAX: number = 4 * 1024 * 1024;

export function writeSynonymSets(sets: SynonymSets): readonly Record<string, unknown>[] {
  assert(sets.size <= SYNONYM_SETS_MAX, `${sets.size} synonym sets are more than can be read`);
  return [...sets.values()].map(({ id, rules }) => ({ id, rules: rules.map(writeSynonymRule) }));
}

/** All synonym sets of a state, by id. */
export const readSynonymSets: ItemReader<SynonymSets> = (value, field) => {
  const sets = new ValueReader({ sets: value }, field).list('sets', readSynonymSet, SYNONYM_SETS_MAX);
  return sortedMap(sets.map((set) => [set.id, set]));
};

const readSynonymSet: ItemReader<SynonymSet> = (value, field) => readSynonymSetFields(ValueReader.of(value, field));

/** A set whose members stand among others. */
export function readSynonymSetFields(r: ValueReader): SynonymSet {
  return { id: r.string('id'), rules: r.list('rules', readSynonymRule, SYNONYM_RULES_MAX) };
}

function writeSynonymRule({ id, synonyms }: SynonymRule): Record<string, unknown> {
  return { id, synonyms };
}

export const readSynonymRule: ItemReader<SynonymRule> = (value, field) => {
  const r = ValueReader.of(value, field);
  return { id: r.string('id'), synonyms: r.string('synonyms') };
};
