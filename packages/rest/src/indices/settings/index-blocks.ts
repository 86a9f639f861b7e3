/**
 * `_block`: adds a block to indices, or removes it; wildcards find open ones.
 *
 * The answer comes when the cluster manager has published it, and each node that holds shards has applied it: no write that
 * the block refuses is accepted after that.
 */
import { type CoordinatorContext, type IndicesOptions, METADATA_INDICES_OPTIONS } from '@shoal/coordinator';
import { illegalArgument, ShoalError } from '@shoal/core';
import { type HttpRequest, valueResponse } from '@shoal/http';
import type { RestApi } from '../../api/rest-api.ts';
import { INDICES_OPTIONS_PARAMETERS } from '../../request/indices-options-parameters.ts';
import { managedState } from '../../request/managed-state.ts';
import { CHANGE_PARAMETERS, managerTimeouts } from '../../request/manager-timeouts.ts';
import { namedIndices } from '../../request/named-indices.ts';

const OPEN_INDICES: IndicesOptions = { ...METADATA_INDICES_OPTIONS, expandsToClosed: false };
const BLOCKS = ['metadata', 'read', 'read_only', 'read_only_allow_delete', 'write'] as const;

export const addBlockApi: RestApi = {
  usageName: 'add_index_block_action',
  methods: ['PUT'],
  paths: ['/{index}/_block/{block}'],
  privilege: 'indices:admin/block/add',
  task: null,
  params: { ...CHANGE_PARAMETERS, ...INDICES_OPTIONS_PARAMETERS },
  handler: async (request, context) => {
    const { acknowledged, indices } = await setBlock(request, context, true);
    return valueResponse({
      acknowledged,
      shards_acknowledged: acknowledged && indices.length > 0,
      indices: indices.map((name) => ({ name, blocked: acknowledged })),
    });
  },
};

export const removeBlockApi: RestApi = {
  usageName: 'remove_index_block_action',
  methods: ['DELETE'],
  paths: ['/{index}/_block/{block}'],
  privilege: 'indices:admin/block/remove',
  task: null,
  params: { ...CHANGE_PARAMETERS, ...INDICES_OPTIONS_PARAMETERS },
  handler: async (request, context) => {
    const { acknowledged, indices } = await setBlock(request, context, false);
    return valueResponse({ acknowledged, indices: indices.map((name) => ({ name, unblocked: acknowledged })) });
  },
};

interface ChangedBlocks {
  readonly acknowledged: boolean;
  readonly indices: readonly string[];
}

/** @param isBlocked false: the setting is taken away, so that the index has its default again */
async function setBlock(request: HttpRequest, context: CoordinatorContext, isBlocked: boolean): Promise<ChangedBlocks> {
  const name = request.params.required('block');
  const block = BLOCKS.find((candidate) => candidate === name);
  if (block === undefined) throw illegalArgument(`No block found with name ${name}`);
  if (block === 'read_only_allow_delete') {
    throw new ShoalError(
      'action_request_validation_exception',
      400,
      'Validation Failed: 1: read_only_allow_delete block is for internal use only;',
    );
  }
  const state = await managedState(request, context);
  const indices = namedIndices(state, request, context, OPEN_INDICES);
  if (indices.length === 0) return { acknowledged: true, indices };
  const { acknowledged } = await context.cluster.admin.updateIndexSettings({
    ...managerTimeouts(request),
    indices,
    settings: { [`index.blocks.${block}`]: isBlocked ? true : null },
    preserveExisting: false,
  });
  return { acknowledged, indices };
}
