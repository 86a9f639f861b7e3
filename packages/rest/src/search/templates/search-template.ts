/**
 * `_search/template`: a search whose body is made of a template.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import type { HttpRequest, HttpResponse } from '@shoal/http';
import type { RestApi } from '../../api/rest-api.ts';
import { answerSearch } from '../search.ts';
import { searchInputOf, TEMPLATE_PARAMETERS } from '../search-parameters.ts';
import { SEARCH_TASK } from '../search-task.ts';
import { overrides, renderedText, searchBody } from './rendered-search.ts';
import { readSearchTemplate, requiredTemplate } from './search-template-body.ts';

export const searchTemplateApi: RestApi = {
  usageName: 'search_template_action',
  methods: ['GET', 'POST'],
  paths: ['/_search/template', '/{index}/_search/template', '/{index}/_doc/_search/template'],
  privilege: 'indices:data/read/search/template',
  task: { ...SEARCH_TASK, action: 'indices:data/read/search/template' },
  body: 'json',
  params: TEMPLATE_PARAMETERS,
  handler: searchTemplate,
};

async function searchTemplate(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { params } = request;
  const search = await context.trees.read(request, readSearchTemplate);
  const text = renderedText(requiredTemplate(search), search.params, context);
  const given = overrides({
    ...search,
    isExplained: search.isExplained ?? params.boolean('explain', false),
    isProfiled: search.isProfiled ?? params.boolean('profile', false),
  });
  return answerSearch(request, context, { ...searchInputOf(request), body: searchBody(text), params: given });
}
