/**
 * Mapping types in answers: there are none since version 8, and only the type `_doc` in version 7.
 *
 * Clients of version 7 name it, and that for Java throws where a write's answer lacks it. So documents have a `_type` in answers to whoever
 * wants those of version 7, by its `Accept`, and to that client, which says of itself which version it is.
 */
import type { HttpRequest } from '@shoal/http';

const VERSION_7 = /;\s*compatible-with=7\b/i;
const JAVA_CLIENT_OF_VERSION_7 = 'elasticsearch-java/7.';

/** Whether documents have a `_type` in the answer to a request. */
export function showsTypes({ headers }: Pick<HttpRequest, 'headers'>): boolean {
  const { accept } = headers;
  if (accept?.includes('compatible-with')) return VERSION_7.test(accept);
  return headers['user-agent']?.startsWith(JAVA_CLIENT_OF_VERSION_7) === true;
}
