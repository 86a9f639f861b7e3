/**
 * Searches that are asked for by templates, as the searches that these make.
 */
import type { AskedRequest } from '../requests/asked-request.ts';
import type { NodeFacts } from './node-facts.ts';

const TEMPLATES = /\/template$/;

/** The request itself when no template is in it. A template that makes no search any more leaves an empty one. */
export async function renderedRequest(asked: AskedRequest, render: NodeFacts['render']): Promise<AskedRequest> {
  const path = asked.path.replace(TEMPLATES, '');
  if (path === asked.path) return asked;
  if (path.endsWith('/_search')) return { ...asked, path, body: await render(asked.body) };
  if (!path.endsWith('/_msearch') || !Array.isArray(asked.body)) return asked;
  const lines = asked.body.map((line: unknown, n) => (n % 2 === 0 ? line : render(line)));
  return { ...asked, path, body: await Promise.all(lines) };
}
