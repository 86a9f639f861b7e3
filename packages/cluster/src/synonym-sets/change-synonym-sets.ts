/**
 * Puts and deletes synonym sets and their rules in the cluster state. What the words of a rule are cut into only the analyzers know that use it.
 */
import { synonymSetsOf } from '@shoal/analysis';
import {
  type ClusterState,
  SYNONYM_CHARS_MAX,
  SYNONYM_RULES_MAX,
  SYNONYM_SETS_MAX,
  type SynonymRule,
  type SynonymSet,
  type SynonymSets,
  withEntries,
} from '@shoal/cluster-state';
import { illegalArgument, ShoalError } from '@shoal/core';

/** @throws illegal_argument_exception for what is too large, or one too many */
export function putSynonymSet(state: ClusterState, { id, rules }: SynonymSet): ClusterState {
  const { synonymSets } = state.metadata;
  if (!synonymSets.has(id) && synonymSets.size >= SYNONYM_SETS_MAX) {
    throw illegalArgument(`too many synonym sets: there may be [${SYNONYM_SETS_MAX}]`);
  }
  const byId = new Map(rules.map((rule) => [rule.id, { id: rule.id, synonyms: rule.synonyms }]));
  return withSet(state, { id, rules: [...byId.values()] });
}

/** @throws resource_not_found_exception (404) for no set of the id, illegal_argument_exception for one in use */
export function deleteSynonymSet(state: ClusterState, id: string): ClusterState {
  requiredSet(state.metadata.synonymSets, id);
  const users = indicesWithSet(state, id);
  if (users.length > 0) {
    throw illegalArgument(
      `synonyms set [${id}] cannot be deleted as it is used in the following indices: ${users.join(', ')}`,
    );
  }
  return withSets(state, withEntries(state.metadata.synonymSets, [[id, null]]));
}

/** @throws resource_not_found_exception (404) for no set of the id */
export function putSynonymRule(state: ClusterState, set: string, rule: SynonymRule): ClusterState {
  const { rules } = requiredSet(state.metadata.synonymSets, set);
  const others = rules.filter(({ id }) => id !== rule.id);
  return withSet(state, { id: set, rules: [...others, { id: rule.id, synonyms: rule.synonyms }] });
}

/** @throws resource_not_found_exception (404) for no set or rule of the id */
export function deleteSynonymRule(state: ClusterState, set: string, ruleId: string): ClusterState {
  const { rules } = requiredSet(state.metadata.synonymSets, set);
  requiredRule({ id: set, rules }, ruleId);
  return withSet(state, { id: set, rules: rules.filter(({ id }) => id !== ruleId) });
}

/** @throws resource_not_found_exception (404) for no set of the id */
export function requiredSet(sets: SynonymSets, id: string): SynonymSet {
  const found = sets.get(id);
  if (found !== undefined) return found;
  throw new ShoalError('resource_not_found_exception', 404, `synonyms set [${id}] not found`);
}

/** @throws resource_not_found_exception (404) for no rule of the id */
export function requiredRule({ id, rules }: SynonymSet, ruleId: string): SynonymRule {
  const found = rules.find((rule) => rule.id === ruleId);
  if (found !== undefined) return found;
  throw new ShoalError(
    'resource_not_found_exception',
    404,
    `synonym rule [${ruleId}] not found on synonyms set [${id}]`,
  );
}

/** Indices with a token filter that names the set. */
export function indicesWithSet({ metadata }: ClusterState, set: string): readonly string[] {
  return [...metadata.indices.values()]
    .filter(({ settings }) => synonymSetsOf(settings).includes(set))
    .map(({ name }) => name);
}

/** @throws illegal_argument_exception for settings with a filter whose set there is not: its words would have no synonyms */
export function checkSynonymSets({ metadata }: ClusterState, settings: Readonly<Record<string, string>>): void {
  const missing = synonymSetsOf(settings).find((set) => !metadata.synonymSets.has(set));
  if (missing !== undefined) throw illegalArgument(`synonyms set [${missing}] not found`);
}

function withSet(state: ClusterState, { id, rules }: SynonymSet): ClusterState {
  if (rules.length > SYNONYM_RULES_MAX) {
    throw illegalArgument(`The number of synonyms rules in a synonym set cannot exceed ${SYNONYM_RULES_MAX}`);
  }
  const inOrder = [...rules].sort((a, b) => (a.id < b.id ? -1 : 1));
  const synonymSets = withEntries(state.metadata.synonymSets, [[id, { id, rules: inOrder }]]);
  const chars = [...synonymSets.values()].reduce((sum, set) => sum + charsOf(set), 0);
  if (chars > SYNONYM_CHARS_MAX) {
    throw illegalArgument(`the rules of all synonym sets have [${chars}] characters, more than [${SYNONYM_CHARS_MAX}]`);
  }
  return withSets(state, synonymSets);
}

function charsOf({ id, rules }: SynonymSet): number {
  return rules.reduce((sum, rule) => sum + rule.id.length + rule.synonyms.length, id.length);
}

function withSets(state: ClusterState, synonymSets: SynonymSets): ClusterState {
  return { ...state, metadata: { ...state.metadata, synonymSets } };
}
