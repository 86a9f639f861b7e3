/**
 * The search for one event: a `query` in the query string, or the JSON of a `query_template` as the body, both with fields of
 * the event in them. A template says size and sort itself.
 */
import { readFileSync } from 'node:fs';
import { compileTemplate, type LogEvent, type Template } from '@shoal/agent-event';
import type { PluginContext, PluginOptions } from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';

export interface SearchCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

export type LookupSearch = (event: LogEvent) => SearchCall;

export function lookupSearch(options: PluginOptions, context: PluginContext): LookupSearch {
  if (options.hash('query_params').size > 0)
    throw new ShoalError('illegal_argument_exception', 400, '[query_params] go with an ES|QL query alone');
  const index = options.template('index');
  const hasQuery = options.has('query') && options.string('query') !== '';
  const hasTemplate = options.has('query_template') && options.string('query_template') !== '';
  if (hasQuery === hasTemplate)
    throw new ShoalError('illegal_argument_exception', 400, 'give either [query] or [query_template]');
  if (hasTemplate) return templateSearch(index, options.string('query_template'), context);
  const query = options.template('query');
  const fixed = [`size=${options.number('result_size')}`];
  if (options.boolean('enable_sort')) fixed.push(`sort=${encodeURIComponent(options.string('sort'))}`);
  return (event) => ({
    method: 'GET',
    path: `${searchPath(index, event)}?${[`q=${encodeURIComponent(query.render(event))}`, ...fixed].join('&')}`,
  });
}

function templateSearch(index: Template, path: string, { now, escapeStyle }: PluginContext): LookupSearch {
  const template = compileTemplate(readFileSync(path, 'utf8'), {
    ...(now === undefined ? {} : { now }),
    ...(escapeStyle === undefined ? {} : { escapeStyle }),
  });
  return (event) => ({
    method: 'POST',
    path: searchPath(index, event),
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(template.render(event), 'utf8'),
  });
}

/** Indices may be several with commas between; none means all. */
function searchPath(index: Template, event: LogEvent): string {
  const names = index.render(event);
  return names === '' ? '/_search' : `/${encodeURIComponent(names)}/_search`;
}
