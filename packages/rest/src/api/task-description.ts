/**
 * Descriptions of tasks: what `_tasks?detailed` says of a request.
 */
import type { HttpRequest } from '@shoal/http';

const DECODER = new TextDecoder();

/** Description of a task that works on the indices of its path. */
export function describeIndices(request: HttpRequest): string {
  return `indices[${parameterText(request, 'index')}]`;
}

/** Description of a search: its indices, its type, and its body as sent. */
export function describeSearch(request: HttpRequest): string {
  const type = parameterText(request, 'search_type') || 'query_then_fetch';
  const source = request.body === null ? '' : DECODER.decode(request.body);
  return `${describeIndices(request)}, search_type[${type.toUpperCase()}], source[${source}]`;
}

/** Text of a parameter; empty when it is not given, or not declared by the route. */
export function parameterText({ params }: HttpRequest, name: string): string {
  return params.entries().get(name) ?? '';
}
