/**
 * `PUT /{index}`: creates an index.
 */
import { type CoordinatorContext, resolveDateMathName } from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { ABSENT_APIS } from '../request/absent-apis.ts';
import { parseActiveShards } from '../request/active-shards.ts';
import { bodyObject, checkKeys, objectAt } from '../request/json-body.ts';
import { CHANGE_PARAMETERS, managerTimeouts } from '../request/manager-timeouts.ts';
import { refuseTypes, TYPE_NAME_PARAMETER } from '../request/refuse-types.ts';
import { checkAliasFilters } from './aliases/alias-filter.ts';
import { untypedMappings } from './mappings/untyped-mappings.ts';

const CREATE_KEYS: readonly string[] = ['settings', 'mappings', 'aliases'];

export const createIndexApi: RestApi = {
  usageName: 'create_index_action',
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
  const name = request.params.required('index');
  const response = await context.cluster.admin.createIndex({
    ...managerTimeouts(request),
    index: resolveDateMathName(name, context.runtime.clock.wallMs()),
    providedName: name,
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
