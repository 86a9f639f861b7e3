/**
 * `_resolve/index`: what an index expression names.
 */
import { dataStreamOf, indicesOfComponent } from '@shoal/cluster';
import type { ClusterState, DataStream, IndexMetadata, StreamComponent } from '@shoal/cluster-state';
import {
  type CoordinatorContext,
  type IndicesOptions,
  indicesOfAlias,
  READ_INDICES_OPTIONS,
  resolveNames,
  withSelector,
} from '@shoal/coordinator';
import { illegalArgument } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../../api/rest-api.ts';
import { INDICES_OPTIONS_PARAMETERS, indicesOptionsOf } from '../../request/indices-options-parameters.ts';
import { readState } from '../../request/managed-state.ts';
import { READ_PARAMETERS } from '../../request/manager-timeouts.ts';

/** Modes that an index can have in Elasticsearch. */
const MODES: readonly string[] = ['standard', 'time_series', 'logsdb', 'lookup'];
const NOTHING: ReturnType<typeof resolveNames> = { indices: [], aliases: [], dataStreams: [], failureStores: [] };
const OPTIONS: IndicesOptions = { ...READ_INDICES_OPTIONS, forbidsClosed: false };

export const resolveIndexApi: RestApi = {
  usageName: 'resolve_index_action',
  methods: ['GET', 'POST'],
  paths: ['/_resolve/index/{name}'],
  privilege: 'indices:admin/resolve/index',
  task: null,
  params: { ...READ_PARAMETERS, ...INDICES_OPTIONS_PARAMETERS, mode: 'list' },
  handler: resolveIndex,
};

async function resolveIndex(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const state = await readState(request, context);
  const options = indicesOptionsOf(request.params, OPTIONS);
  const nowMs = context.runtime.clock.wallMs();
  const found = resolveNames(state, request.params.required('name'), options, nowMs);
  const { indices, aliases, dataStreams, failureStores } = hasStandardMode(request.params.list('mode'))
    ? found
    : NOTHING;
  return valueResponse({
    indices: indices.map((index) => indexBody(state, index)),
    aliases: aliases.map((name) => ({
      name,
      indices: indicesOfAlias(state, name)
        .map(({ index }) => index.name)
        .sort(),
    })),
    data_streams: [
      ...dataStreams.map((stream) => streamBody(stream, 'data')),
      ...failureStores.map((stream) => streamBody(stream, 'failures')),
    ],
  });
}

function streamBody(stream: DataStream, component: StreamComponent): Readonly<Record<string, unknown>> {
  const name = withSelector({ name: stream.name, component });
  return { name, backing_indices: indicesOfComponent(stream, component), timestamp_field: '@timestamp' };
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

/** Every index has the mode `standard`: those of another mode are none. @throws illegal_argument_exception for a word that is no mode */
function hasStandardMode(modes: readonly string[]): boolean {
  const unknown = modes.find((mode) => !MODES.includes(mode.toLowerCase()));
  if (unknown !== undefined) {
    throw illegalArgument(`[${unknown}] is an invalid index mode, valid modes are: [${MODES.join(', ')}]`);
  }
  return modes.length === 0 || modes.some((mode) => mode.toLowerCase() === 'standard');
}
