/**
 * Puts and deletes stored scripts in the cluster state. Whether a script compiles is checked by the node that was asked: here it
 * is text.
 */

import {
  type ClusterState,
  STORED_SCRIPT_CHARS_MAX,
  STORED_SCRIPTS_MAX,
  type StoredScript,
  withEntries,
} from '@shoal/cluster-state';
import { illegalArgument, ShoalError } from '@shoal/core';

/** @throws illegal_argument_exception for what is too large, or one too many */
export function putStoredScript(state: ClusterState, { id, lang, source, options }: StoredScript): ClusterState {
  const { storedScripts } = state.metadata;
  if (source.length > STORED_SCRIPT_CHARS_MAX) {
    throw illegalArgument(
      `exceeded max allowed stored script size in bytes [${STORED_SCRIPT_CHARS_MAX}] with size [${source.length}] for script [${id}]`,
    );
  }
  if (!storedScripts.has(id) && storedScripts.size >= STORED_SCRIPTS_MAX) {
    throw illegalArgument(`too many stored scripts: there may be [${STORED_SCRIPTS_MAX}]`);
  }
  return withScripts(state, withEntries(storedScripts, [[id, { id, lang, source, options }]]));
}

/** @throws resource_not_found_exception (404) when no script has the id */
export function deleteStoredScripts(state: ClusterState, id: string): ClusterState {
  const { storedScripts } = state.metadata;
  if (!storedScripts.has(id)) {
    throw new ShoalError(
      'resource_not_found_exception',
      404,
      `stored script [${id}] does not exist and cannot be deleted`,
    );
  }
  return withScripts(state, withEntries(storedScripts, [[id, null]]));
}

function withScripts(state: ClusterState, storedScripts: ReadonlyMap<string, StoredScript>): ClusterState {
  return { ...state, metadata: { ...state.metadata, storedScripts } };
}
