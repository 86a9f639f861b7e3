/**
 * Index expressions of APIs that take neither aliases nor data streams.
 */

import type { ClusterState } from '@shoal/cluster-state';
import { type IndicesOptions, resolveIndices, splitExpression } from '@shoal/coordinator';
import { illegalArgument } from '@shoal/core';

/**
 * Concrete indices for APIs that refuse aliases: a wildcard passes them over, a name is an error.
 *
 * @throws illegal_argument_exception when a part of the expression is an alias
 */
export function concreteIndices(
  state: ClusterState,
  expression: string | null,
  options: IndicesOptions,
  nowMs: number,
): readonly string[] {
  for (const part of splitExpression(expression)) {
    const isAlias = [...state.metadata.indices.values()].some((index) => index.aliases.has(part));
    if (isAlias && !options.ignoreUnavailable) {
      throw illegalArgument(
        `The provided expression [${part}] matches an alias, specify the corresponding concrete indices instead.`,
      );
    }
  }
  return resolveIndices(state, expression, { ...options, includesDataStreams: false, allowsSelectors: false }, nowMs)
    .filter((resolved) => resolved.viaAliases.length === 0)
    .map((resolved) => resolved.index.name);
}
