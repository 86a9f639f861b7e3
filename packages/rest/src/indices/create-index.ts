/**
 * `PUT /{index}`: creates an index.
 */
import { type CoordinatorContext, resolveDateMathName } from '@shoal/coordinator';
import { illegalArgument } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { ABSENT_APIS } from '../request/absent-apis.ts';
import { parseActiveShards } from '../request/active-shards.ts';
import { bodyObject, checkKeys, type JsonObject, objectAt } from '../request/json-body.ts';
import { CHANGE_PARAMETERS, managerTimeouts } from '../request/manager-timeouts.ts';
import { refuseTypes, TYPE_NAME_PARAMETER } from '../request/refuse-types.ts';
import { checkAliasFilters } from './aliases/alias-filter.ts';

const CREATE_KEYS: readonly string[] = ['settings', 'mappings', 'aliases'];
const SINGLE_TYPE = '_doc';

export const createIndexApi: RestApi = {
  methods: ['PUT'],
  paths: ['/{index}'],
  except: ABSENT_APIS,
  privilege: 'indices:admin/create',
  task: null,
  params: { ...CHANGE_PARAMETERS, ...TYPE_NAME_PARAMETER, wait_for_active_shards: 'string' },
  body: 'json',
  handler: createIndex,
};

async function createIndex(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  refuseTypes(request);
  const body = bodyObject(request);
  checkKeys(body, CREATE_KEYS, (key) => `unknown key [${key}] for create index`);
  const settings = objectAt(body, 'settings');
  const aliases = objectAt(body, 'aliases');
  checkAliasFilters(aliases);
  const response = await context.cluster.admin.createIndex({
    ...managerTimeouts(request),
    index: resolveDateMathName(request.params.required('index'), context.runtime.clock.wallMs()),
    settings,
    mappings: untypedMappings(objectAt(body, 'mappings')),
    aliases,
    waitForActiveShards: parseActiveShards(request.params.string('wait_for_active_shards')),
  });
  return valueResponse({
    acknowledged: response.acknowledged,
    shards_acknowledged: response.shardsAcknowledged,
    index: response.index,
  });
}

function untypedMappings(mappings: JsonObject): JsonObject {
  const keys = Object.keys(mappings);
  if (keys.length !== 1 || keys[0] !== SINGLE_TYPE) return mappings;
  throw illegalArgument(
    `The mapping definition cannot be nested under a type [${SINGLE_TYPE}] unless include_type_name is set to true.`,
  );
}
