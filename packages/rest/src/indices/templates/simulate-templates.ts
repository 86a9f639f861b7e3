/**
 * `_index_template/_simulate` and `_index_template/_simulate_index/{name}`: what an index would be created with.
 */
import {
  changedTemplates,
  doOverlap,
  findIndexTemplate,
  layersOfIndexTemplate,
  type TemplateChange,
} from '@shoal/cluster';
import type { IndexTemplate, Templates } from '@shoal/cluster-state';
import type { CoordinatorContext } from '@shoal/coordinator';
import { type ConfigFiles, illegalArgument } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse, withoutEffect } from '@shoal/http';
import type { RestApi } from '../../api/rest-api.ts';
import { bodyObject } from '../../request/json-body.ts';
import { readState } from '../../request/managed-state.ts';
import { READ_PARAMETERS } from '../../request/manager-timeouts.ts';
import { checkFilters } from './put-templates.ts';
import { layersBody, viewOf } from './template-body.ts';

/** Name of a template that is sent and not stored. */
const SENT_NAME = 'simulate_template';

const SIMULATE_PARAMETERS = {
  ...READ_PARAMETERS,
  create: 'boolean',
  flat_settings: 'boolean',
  include_defaults: 'boolean',
  cause: withoutEffect('string', 'nothing is stored, and so nothing logged'),
} as const;

export const simulateTemplateApi: RestApi = {
  usageName: 'simulate_template_action',
  methods: ['POST'],
  paths: ['/_index_template/_simulate', '/_index_template/_simulate/{name}'],
  privilege: 'indices:admin/index_template/simulate',
  task: null,
  params: SIMULATE_PARAMETERS,
  body: 'json',
  handler: simulateTemplate,
};

export const simulateIndexApi: RestApi = {
  usageName: 'simulate_index_template_action',
  methods: ['POST'],
  paths: ['/_index_template/_simulate_index/{name}'],
  privilege: 'indices:admin/index_template/simulate_index',
  task: null,
  params: SIMULATE_PARAMETERS,
  body: 'json',
  handler: simulateIndex,
};

async function simulateTemplate(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const state = await readState(request, context);
  const name = request.params.string('name');
  const body = bodyObject(request);
  const { templates } = state.metadata;
  if (Object.keys(body).length === 0) {
    if (name === null) throw illegalArgument('a template name or an index template body is required');
    const stored = templates.index.get(name);
    if (stored === undefined) throw illegalArgument(`unable to simulate template [${name}] that does not exist`);
    return answer(request, templates, stored);
  }
  const sent = withSent(templates, request, name ?? SENT_NAME, context.runtime.config);
  const template = sent.index.get(name ?? SENT_NAME);
  if (template === undefined) throw illegalArgument(`unable to simulate template [${name}] that does not exist`);
  return answer(request, sent, template);
}

async function simulateIndex(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const state = await readState(request, context);
  const index = request.params.required('name');
  const hasBody = Object.keys(bodyObject(request)).length > 0;
  const stored = state.metadata.templates;
  const templates = hasBody ? withSent(stored, request, SENT_NAME, context.runtime.config) : stored;
  const template = findIndexTemplate(templates, index, false);
  return template === null ? valueResponse({}) : answer(request, templates, template);
}

/** Templates with the one in the body of the request, checked like one that is stored. */
function withSent(templates: Templates, request: HttpRequest, name: string, files: ConfigFiles): Templates {
  const body = bodyObject(request);
  checkFilters(body);
  const change: TemplateChange = { kind: 'index', name, create: request.params.boolean('create', false), body };
  return changedTemplates(templates, change, files);
}

function answer(request: HttpRequest, templates: Templates, template: IndexTemplate): HttpResponse {
  const others = [...templates.legacy.values(), ...templates.index.values()].filter(
    (other) => other !== template && doOverlap(other.indexPatterns, template.indexPatterns),
  );
  return valueResponse({
    template: layersBody(layersOfIndexTemplate(templates, template), viewOf(request)),
    overlapping: others.map(({ name, indexPatterns }) => ({ name, index_patterns: indexPatterns })),
  });
}
