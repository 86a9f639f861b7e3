/**
 * `_resolve/index`: what an index expression names.
 */
import { dataStreamOf } from '@shoal/cluster';
import {
  type CoordinatorContext,
  type IndicesOptions,
  indicesOfAlias,
  READ_INDICES_OPTIONS,
  resolveNames,
} from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { ClusterState, IndexMetadata } from '@shoal/protocol';
import type { RestApi } from '../api/rest-api.ts';
import { INDICES_OPTIONS_PARAMETERS, indicesOptionsOf } from '../request/indices-options-parameters.ts';
import { readState } from '../request/managed-state.ts';
import { READ_PARAMETERS } from '../request/manager-timeouts.ts';

const OPTIONS: IndicesOptions = { ...READ_INDICES_OPTIONS, forbidsClosed: false };

export const resolveIndexApi: RestApi = {
  usageName: 'resolve_index_action',
  methods: ['GET', 'POST'],
  paths: ['/_resolve/index/{name}'],
  privilege: 'indices:admin/resolve/index',
  task: null,
  params: { ...READ_PARAMETERS, ...INDICES_OPTIONS_PARAMETERS },
  handler: resolveIndex,
};

async function resolveIndex(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const state = await readState(request, context);
  const options = indicesOptionsOf(request.params, OPTIONS);
  const nowMs = context.runtime.clock.wallMs();
  const { indices, aliases, dataStreams } = resolveNames(state, request.params.required('name'), options, nowMs);
  return valueResponse({
    indices: indices.map((index) => indexBody(state, index)),
    aliases: aliases.map((name) => ({
      name,
      indices: indicesOfAlias(state, name)
        .map(({ index }) => index.name)
        .sort(),
    })),
    data_streams: dataStreams.map((stream) => ({
      name: stream.name,
      backing_indices: stream.indices,
      timestamp_field: '@timestamp',
    })),
  });
}

function indexBody(state: ClusterState, index: IndexMetadata): Readonly<Record<string, unknown>> {
  const stream = dataStreamOf(state, index.name);
  const aliases = [...index.aliases.keys()].sort();
  const isHidden = index.settings['index.hidden'] === 'true';
  return {
    name: index.name,
    ...(aliases.length > 0 ? { aliases } : {}),
    attributes: [...(isHidden ? ['hidden'] : []), index.state === 'open' ? 'open' : 'closed'],
    ...(stream === null ? {} : { data_stream: stream.name }),
  };
}
