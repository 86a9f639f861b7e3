/**
 * `index.similarity.NAME.*`: the similarities that an index declares, with their parameters.
 */
import { illegalArgument, ShoalError } from '@shoal/core';
import { BUILT_IN_SIMILARITIES, type Similarities, type Similarity } from '../mapping/similarity.ts';
import { SIMILARITY_TYPES, type SimilaritySettings } from './similarity-types.ts';

const PREFIX = 'index.similarity.';

/** Similarities of an index, the built-in ones among them. @throws illegal_argument_exception for one that is none */
export function indexSimilarities(flat: Readonly<Record<string, string>>): Similarities {
  const groups = declaredGroups(flat);
  if (groups.size === 0) return BUILT_IN_SIMILARITIES;
  return new Map([...BUILT_IN_SIMILARITIES, ...[...groups].map(([name, group]) => [name, read(name, group)] as const)]);
}

/** Parameters of each declared similarity, by its name. */
function declaredGroups(flat: Readonly<Record<string, string>>): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const groups = new Map<string, Map<string, string>>();
  for (const [key, value] of Object.entries(flat)) {
    if (!key.startsWith(PREFIX)) continue;
    const rest = key.slice(PREFIX.length);
    const dot = rest.indexOf('.');
    if (dot < 0) {
      const reason = `Failed to get setting group for [${PREFIX}] setting prefix and setting [${key}] because of a missing '.'`;
      throw new ShoalError('settings_exception', 500, reason);
    }
    const name = rest.slice(0, dot);
    const group = groups.get(name) ?? new Map<string, string>();
    groups.set(name, group.set(rest.slice(dot + 1), value));
  }
  return groups;
}

function read(name: string, group: SimilaritySettings): Similarity {
  if (BUILT_IN_SIMILARITIES.has(name)) throw illegalArgument(`Cannot redefine built-in Similarity [${name}]`);
  const type = group.get('type');
  if (type === undefined) throw illegalArgument(`Similarity [${name}] must have an associated type`);
  const readType = SIMILARITY_TYPES.get(type);
  if (readType !== undefined) return readType(group);
  throw illegalArgument(`Unknown Similarity type [${type}] for [${name}]`);
}
