/**
 * The aliases that a request reads, for `GET` and `HEAD`.
 */
import { checkIndexBlocks } from '@shoal/cluster';
import {
  type CoordinatorContext,
  type IndicesOptions,
  METADATA_INDICES_OPTIONS,
  resolveIndices,
} from '@shoal/coordinator';
import type { HttpRequest, ParameterDeclarations } from '@shoal/http';
import { INDICES_OPTIONS_PARAMETERS, indicesOptionsOf } from '../../request/indices-options-parameters.ts';
import { readState } from '../../request/managed-state.ts';
import { READ_PARAMETERS } from '../../request/manager-timeouts.ts';
import { type AliasesAnswer, getAliasesAnswer } from './alias-body.ts';

const READ_OPTIONS: IndicesOptions = {
  ...METADATA_INDICES_OPTIONS,
  expandsToHidden: true,
  allowsSelectors: false,
};

export const READ_ALIASES_PARAMETERS: ParameterDeclarations = { ...READ_PARAMETERS, ...INDICES_OPTIONS_PARAMETERS };
/** Paths that name aliases. */
export const NAMED_ALIASES_PATHS: readonly string[] = ['/_alias/{name}', '/{index}/_alias/{name}'];

/** Status and body of `GET`. */
export async function readAliases(request: HttpRequest, context: CoordinatorContext): Promise<AliasesAnswer> {
  const state = await readState(request, context);
  const options = indicesOptionsOf(request.params, READ_OPTIONS);
  const found = resolveIndices(state, request.params.string('index'), options, context.runtime.clock.wallMs());
  checkIndexBlocks(
    state,
    'metadata_read',
    found.map(({ index }) => index.name),
  );
  return getAliasesAnswer(
    found.map(({ index }) => index),
    request.params.list('name'),
  );
}
