/**
 * `GET /{index}`: aliases, mappings and settings of indices.
 */
import { checkIndexBlocks, dataStreamOf } from '@shoal/cluster';
import type { ClusterState } from '@shoal/cluster-state';
import type { CoordinatorContext } from '@shoal/coordinator';
import { illegalArgument } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { ABSENT_APIS } from '../request/absent-apis.ts';
import { readState } from '../request/managed-state.ts';
import { refuseTypes } from '../request/refuse-types.ts';
import { aliasesBody } from './aliases/alias-body.ts';
import { GET_INDEX_PARAMETERS, OPEN_INDICES_OPTIONS, resolveRequest } from './resolve-request.ts';
import { defaultIndexSettings } from './settings/index-setting-defaults.ts';
import { indexSettingsBody } from './settings/index-settings-body.ts';

const FEATURES: readonly string[] = ['aliases', 'mappings', 'settings'];

export const getIndexApi: RestApi = {
  usageName: 'get_indices_action',
  methods: ['GET'],
  paths: ['/{index}'],
  except: ABSENT_APIS,
  privilege: 'indices:admin/get',
  task: null,
  params: GET_INDEX_PARAMETERS,
  handler: getIndex,
};

async function getIndex(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  refuseTypes(request);
  const state = await readState(request, context);
  const found = resolveRequest(state, request, context, OPEN_INDICES_OPTIONS);
  checkIndexBlocks(
    state,
    'metadata_read',
    found.map(({ index }) => index.name),
  );
  const features = request.params.has('features') ? request.params.list('features') : FEATURES;
  const unknown = features.find((feature) => !FEATURES.includes(feature));
  if (unknown !== undefined) throw illegalArgument(`No feature for name [${unknown}]`);
  const isFlat = request.params.boolean('flat_settings', false);
  const view = { isFlat, names: [], isHuman: request.human };
  const bodies = found.map(({ index }) => [
    index.name,
    {
      ...(features.includes('aliases') ? { aliases: aliasesBody(index.aliases.values()) } : {}),
      ...(features.includes('mappings') ? { mappings: index.mapping } : {}),
      ...(features.includes('settings') ? { settings: indexSettingsBody(index, view) } : {}),
      ...(request.params.boolean('include_defaults', false) ? { defaults: defaultIndexSettings(index, view) } : {}),
      ...dataStreamPart(state, index.name),
    },
  ]);
  return valueResponse(Object.fromEntries(bodies));
}

/** The data stream that the index belongs to, for a backing index. */
function dataStreamPart(state: ClusterState, index: string): { readonly data_stream?: string } {
  const stream = dataStreamOf(state, index);
  return stream === null ? {} : { data_stream: stream.name };
}
