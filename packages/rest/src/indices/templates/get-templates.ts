/**
 * `GET` and `HEAD` of `_index_template`, `_component_template` and `_template`: the templates that a list of names means.
 */

import type { TemplateKind } from '@shoal/cluster-state';
import type { CoordinatorContext } from '@shoal/coordinator';
import { matchesAny, ShoalError } from '@shoal/core';
import { emptyResponse, type HttpRequest, type HttpResponse, valueResponse, withoutEffect } from '@shoal/http';
import type { RestApi } from '../../api/rest-api.ts';
import { readState } from '../../request/managed-state.ts';
import { READ_PARAMETERS } from '../../request/manager-timeouts.ts';
import { refuseTypes, TYPE_NAME_PARAMETER } from '../../request/refuse-types.ts';
import { componentTemplateBody, indexTemplateBody, legacyTemplateBody, viewOf } from './template-body.ts';

export const getIndexTemplateApi: RestApi = {
  usageName: 'get_composable_index_template_action',
  methods: ['GET'],
  paths: ['/_index_template', '/_index_template/{name}'],
  privilege: 'indices:admin/index_template/get',
  task: null,
  params: { ...READ_PARAMETERS, flat_settings: 'boolean', include_defaults: 'boolean' },
  handler: async (request, context) => {
    const { templates } = (await readState(request, context)).metadata;
    const view = viewOf(request);
    const found = namedTemplates(templates.index.values(), request, 'index template');
    const bodies = found.map((template) => ({
      name: template.name,
      index_template: indexTemplateBody(template, view),
    }));
    return answer(request, { index_templates: bodies }, bodies.length > 0);
  },
};

export const getComponentTemplateApi: RestApi = {
  usageName: 'get_component_template_action',
  methods: ['GET'],
  paths: ['/_component_template', '/_component_template/{name}'],
  privilege: 'cluster:admin/component_template/get',
  task: null,
  params: { ...READ_PARAMETERS, flat_settings: 'boolean', include_defaults: 'boolean' },
  handler: async (request, context) => {
    const { templates } = (await readState(request, context)).metadata;
    const view = viewOf(request);
    const found = namedTemplates(templates.component.values(), request, 'component template');
    const bodies = found.map((template) => ({
      name: template.name,
      component_template: componentTemplateBody(template, view),
    }));
    return answer(request, { component_templates: bodies }, bodies.length > 0);
  },
};

export const getLegacyTemplateApi: RestApi = {
  usageName: 'get_index_template_action',
  methods: ['GET'],
  paths: ['/_template', '/_template/{name}'],
  privilege: 'indices:admin/template/get',
  task: null,
  params: { ...READ_PARAMETERS, ...TYPE_NAME_PARAMETER, flat_settings: 'boolean' },
  handler: async (request, context) => {
    refuseTypes(request);
    const { templates } = (await readState(request, context)).metadata;
    const isFlat = request.params.boolean('flat_settings', false);
    const found = namedTemplates(templates.legacy.values(), request, null);
    const bodies = found.map((template) => [template.name, legacyTemplateBody(template, isFlat)]);
    return answer(request, Object.fromEntries(bodies), bodies.length > 0);
  },
};

export const indexTemplateExistsApi: RestApi = existsApi(getIndexTemplateApi, 'index', '/_index_template/{name}');
export const componentTemplateExistsApi: RestApi = existsApi(
  getComponentTemplateApi,
  'component',
  '/_component_template/{name}',
);
export const legacyTemplateExistsApi: RestApi = existsApi(getLegacyTemplateApi, 'legacy', '/_template/{name}');

/** @param read the API that answers with what exists */
function existsApi({ usageName }: RestApi, kind: TemplateKind, path: string): RestApi {
  return {
    usageName,
    methods: ['HEAD'],
    paths: [path],
    privilege: 'indices:admin/index_template/get',
    task: null,
    params: { ...READ_PARAMETERS, flat_settings: withoutEffect('boolean', 'the answer has no body') },
    handler: (request, context) => templateExists(kind, request, context),
  };
}

async function templateExists(
  kind: TemplateKind,
  request: HttpRequest,
  context: CoordinatorContext,
): Promise<HttpResponse> {
  const { templates } = (await readState(request, context)).metadata;
  const names = request.params.list('name');
  const isFound = [...templates[kind].keys()].some((name) => matchesAny(names, name));
  return emptyResponse(isFound ? 200 : 404);
}

/**
 * All templates when the request names none.
 *
 * @param what name of the kind in the error for a missing name; null: a missing name is no error
 */
function namedTemplates<T extends { readonly name: string }>(
  templates: Iterable<T>,
  request: HttpRequest,
  what: string | null,
): readonly T[] {
  const all = [...templates];
  const names = request.params.list('name');
  if (names.length === 0) return all;
  const missing = names.find((name) => !name.includes('*') && !all.some((template) => template.name === name));
  if (missing !== undefined && what !== null) {
    throw new ShoalError('resource_not_found_exception', 404, `${what} matching [${missing}] not found`);
  }
  return all.filter((template) => matchesAny(names, template.name));
}

/** Names that find nothing are a 404 whose body has the shape of an answer. */
function answer(request: HttpRequest, body: Readonly<Record<string, unknown>>, isFound: boolean): HttpResponse {
  return valueResponse(body, isFound || request.params.list('name').length === 0 ? 200 : 404);
}
