/**
 * `_forcemerge`: merges the segments of shards now, down to a number or to be rid of deleted documents.
 */
import { checkBlock, checkIndexBlocks } from '@shoal/cluster';
import { type CoordinatorContext, maintainShards, READ_INDICES_OPTIONS } from '@shoal/coordinator';
import type { HttpRequest, HttpResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { INDICES_OPTIONS_PARAMETERS } from '../request/indices-options-parameters.ts';
import { namedIndices } from '../request/named-indices.ts';
import { warningHeader } from '../request/warning-header.ts';
import { answerOrDetach, DETACHING_PARAMETERS } from '../tasks/detached-task.ts';
import { shardsHeaderBody } from './index-stats-body.ts';

const BOTH_GIVEN =
  'setting only_expunge_deletes and max_num_segments at the same time is deprecated and will be rejected in a future version';

export const forceMergeApi: RestApi = {
  usageName: 'force_merge_action',
  methods: ['POST'],
  paths: ['/_forcemerge', '/{index}/_forcemerge'],
  privilege: 'indices:admin/forcemerge',
  // A client that goes away leaves the merges to go on, as any that started by themselves.
  task: { action: 'indices:admin/forcemerge', isCancellable: false },
  params: {
    ...INDICES_OPTIONS_PARAMETERS,
    flush: 'boolean',
    max_num_segments: 'integer',
    only_expunge_deletes: 'boolean',
    ...DETACHING_PARAMETERS,
  },
  handler: forceMerge,
};

async function forceMerge(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { params } = request;
  const state = context.cluster.state();
  checkBlock(state, 'metadata_write', []);
  const indices = namedIndices(state, request, context, READ_INDICES_OPTIONS);
  checkIndexBlocks(state, 'metadata_write', indices);
  const wanted = params.integer('max_num_segments') ?? -1;
  const onlyExpungeDeletes = params.boolean('only_expunge_deletes', false);
  const merge = { segmentsMax: wanted > 0 ? wanted : null, onlyExpungeDeletes };
  const flush = params.boolean('flush', true);
  const response = await answerOrDetach(request, context, async () => {
    const header = await maintainShards(context, state, { kind: 'force_merge', merge, flush }, indices);
    return { status: 200, body: () => ({ _shards: shardsHeaderBody(header) }) };
  });
  const isOdd = onlyExpungeDeletes && params.has('max_num_segments');
  return isOdd ? { ...response, headers: { Warning: warningHeader([BOTH_GIVEN]) } } : response;
}
