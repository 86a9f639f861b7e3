/**
 * `PUT _index_template/{name}`, `PUT _component_template/{name}` and `PUT _template/{name}`: store a template.
 */

import type { TemplateKind } from '@shoal/cluster-state';
import type { CoordinatorContext } from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse, withoutEffect } from '@shoal/http';
import type { RestApi } from '../../api/rest-api.ts';
import { isJsonObject, type JsonObject, requiredBody } from '../../request/json-body.ts';
import { CHANGE_PARAMETERS, managerTimeouts } from '../../request/manager-timeouts.ts';
import { refuseTypes, TYPE_NAME_PARAMETER } from '../../request/refuse-types.ts';
import { warningHeader } from '../../request/warning-header.ts';
import { checkAliasFilters } from '../aliases/alias-filter.ts';
import { withCheckedScripts } from '../mappings/check-runtime-scripts.ts';

const PUT_PARAMETERS = {
  ...CHANGE_PARAMETERS,
  create: 'boolean',
  cause: withoutEffect('string', 'it names the change in logs'),
} as const;

export const putIndexTemplateApi: RestApi = {
  usageName: 'put_composable_index_template_action',
  methods: ['PUT', 'POST'],
  paths: ['/_index_template/{name}'],
  privilege: 'indices:admin/index_template/put',
  task: null,
  params: PUT_PARAMETERS,
  body: 'json',
  handler: (request, context) => putTemplate('index', request, context, requiredBody(request)),
};

export const putComponentTemplateApi: RestApi = {
  usageName: 'put_component_template_action',
  methods: ['PUT', 'POST'],
  paths: ['/_component_template/{name}'],
  privilege: 'cluster:admin/component_template/put',
  task: null,
  params: PUT_PARAMETERS,
  body: 'json',
  handler: (request, context) => putTemplate('component', request, context, requiredBody(request)),
};

export const putLegacyTemplateApi: RestApi = {
  usageName: 'put_index_template_action',
  methods: ['PUT', 'POST'],
  paths: ['/_template/{name}'],
  privilege: 'indices:admin/template/put',
  task: null,
  params: { ...PUT_PARAMETERS, ...TYPE_NAME_PARAMETER, order: 'integer' },
  body: 'json',
  handler: putLegacyTemplate,
};

async function putLegacyTemplate(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  refuseTypes(request);
  const order = request.params.has('order') ? { order: request.params.integer('order') } : {};
  return putTemplate('legacy', request, context, { ...order, ...requiredBody(request) });
}

async function putTemplate(
  kind: TemplateKind,
  request: HttpRequest,
  context: CoordinatorContext,
  body: JsonObject,
): Promise<HttpResponse> {
  checkFilters(body);
  checkScripts(body);
  const { acknowledged, warnings } = await context.cluster.admin.putTemplate({
    ...managerTimeouts(request),
    kind,
    name: request.params.required('name'),
    create: request.params.boolean('create', false),
    body,
  });
  const response = valueResponse({ acknowledged });
  if (warnings.length === 0) return response;
  return { ...response, headers: { Warning: warningHeader(warnings) } };
}

/** Scripts are compiled by whoever runs them, which is not the cluster manager. */
function checkScripts(body: JsonObject): void {
  const inner = isJsonObject(body.template) ? body.template : body;
  if (isJsonObject(inner.mappings)) withCheckedScripts(inner.mappings);
}

/** Filters of aliases are queries, which the cluster manager does not read. */
export function checkFilters(body: JsonObject): void {
  const inner = isJsonObject(body.template) ? body.template : body;
  if (isJsonObject(inner.aliases)) checkAliasFilters(inner.aliases);
}
