/**
 * `_render/template`: the body of a search that a template makes, without the search.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import { parseJsonTree, RawJson } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../../api/rest-api.ts';
import { renderedText, searchBody } from './rendered-search.ts';
import { readSearchTemplate, requiredTemplate } from './search-template-body.ts';

export const renderTemplateApi: RestApi = {
  usageName: 'render_search_template_action',
  methods: ['GET', 'POST'],
  paths: ['/_render/template', '/_render/template/{id}'],
  privilege: 'indices:data/read/search/template/render',
  task: null,
  body: 'json',
  params: {},
  handler: renderTemplate,
};

async function renderTemplate(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const search = await context.trees.read(request, readSearchTemplate);
  const id = request.params.string('id');
  const template = id === null ? requiredTemplate(search) : ({ kind: 'id', text: id } as const);
  const output = searchBody(renderedText(template, search.params, context));
  // Text that is no JSON would make the answer none.
  parseJsonTree(output);
  return valueResponse({ template_output: new RawJson(output) });
}
