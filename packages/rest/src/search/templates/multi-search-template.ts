/**
 * `_msearch/template`: several searches in one request, each made of a template. What is no template fails the request; a
 * template that makes no search fails alone.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import { illegalArgument, isShoalError, parseJsonTree } from '@shoal/core';
import type { RestApi } from '../../api/rest-api.ts';
import { answerMultiSearch, type LineReader, MULTI_SEARCH_PARAMETERS } from '../multi-search.ts';
import { overrides, renderedText, searchBody } from './rendered-search.ts';
import { readSearchTemplate, requiredTemplateOfMany } from './search-template-body.ts';

export const multiSearchTemplateApi: RestApi = {
  usageName: 'multi_search_template_action',
  methods: ['GET', 'POST'],
  paths: ['/_msearch/template', '/{index}/_msearch/template', '/{index}/_doc/_msearch/template'],
  privilege: 'indices:data/read/msearch/template',
  task: { action: 'indices:data/read/msearch/template', isCancellable: true },
  body: 'ndjson',
  params: MULTI_SEARCH_PARAMETERS,
  handler: (request, context) => answerMultiSearch(request, context, templateReader(context)),
};

/** Characters that the templates of one request may come to: their searches are held until the last of them is answered. */
const RENDERED_CHARS_MAX = 32 * 1024 * 1024;

function templateReader(context: CoordinatorContext): LineReader {
  let charsLeft = RENDERED_CHARS_MAX;
  return {
    failsAlone: true,
    read(line) {
      const search = readSearchTemplate(parseJsonTree(line));
      const template = requiredTemplateOfMany(search);
      try {
        const text = renderedText(template, search.params, context);
        charsLeft -= text.length;
        if (charsLeft < 0) throw illegalArgument(`the templates give more than [${RENDERED_CHARS_MAX}] characters`);
        return { body: searchBody(text), params: overrides(search) };
      } catch (error) {
        if (isShoalError(error)) return error;
        throw error;
      }
    },
  };
}
