/**
 * `_shrink`, `_split` and `_clone`: make an index of another one, which must take no writes.
 */
import { type CoordinatorContext, resolveDateMathName } from '@shoal/coordinator';
import { illegalArgument, ShoalError } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { ResizeKind } from '@shoal/protocol';
import type { ActionName, RestApi } from '../api/rest-api.ts';
import { parseActiveShards } from '../request/active-shards.ts';
import { bodyObject, objectAt, unknownKey } from '../request/json-body.ts';
import { CHANGE_PARAMETERS, managerTimeouts } from '../request/manager-timeouts.ts';
import { warningHeader } from '../request/warning-header.ts';
import { checkAliasFilters } from './aliases/alias-filter.ts';

const KEYS: readonly string[] = ['settings', 'aliases'];
const COPY_SETTINGS_DEPRECATED = 'parameter [copy_settings] is deprecated and will be removed in 8.0.0';

export const shrinkIndexApi: RestApi = resizeApi('shrink', 'indices:admin/shrink');
export const splitIndexApi: RestApi = resizeApi('split', 'indices:admin/resize');
export const cloneIndexApi: RestApi = resizeApi('clone', 'indices:admin/resize');

function resizeApi(kind: ResizeKind, privilege: ActionName): RestApi {
  return {
    usageName: `${kind}_index_action`,
    methods: ['PUT', 'POST'],
    paths: [`/{index}/_${kind}/{target}`],
    privilege,
    task: null,
    params: { ...CHANGE_PARAMETERS, wait_for_active_shards: 'string', copy_settings: 'boolean' },
    body: 'json',
    handler: (request, context) => resize(kind, request, context),
  };
}

async function resize(kind: ResizeKind, request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { params } = request;
  if (!params.boolean('copy_settings', true)) {
    throw illegalArgument('parameter [copy_settings] can not be explicitly set to [false]');
  }
  const body = bodyObject(request);
  const unknown = unknownKey(body, KEYS);
  if (unknown !== undefined) {
    throw new ShoalError('x_content_parse_exception', 400, `[1:2] [resize_request] unknown field [${unknown}]`);
  }
  const aliases = objectAt(body, 'aliases');
  checkAliasFilters(aliases);
  const nowMs = context.runtime.clock.wallMs();
  const target = params.required('target');
  const answer = await context.cluster.admin.createIndex({
    ...managerTimeouts(request),
    index: resolveDateMathName(target, nowMs),
    providedName: target,
    settings: objectAt(body, 'settings'),
    mappings: {},
    aliases,
    waitForActiveShards: parseActiveShards(params.string('wait_for_active_shards')),
    resize: { kind, source: resolveDateMathName(params.required('index'), nowMs) },
  });
  const response = valueResponse({
    acknowledged: answer.acknowledged,
    shards_acknowledged: answer.shardsAcknowledged,
    index: answer.index,
  });
  if (!params.has('copy_settings')) return response;
  return { ...response, headers: { Warning: warningHeader([COPY_SETTINGS_DEPRECATED]) } };
}
