/**
 * Executes a client's request by the code that answers HTTP, without a socket: for node clients in their own process and
 * for transport clients behind 9300.
 */
import type { CancelFlag } from '@shoal/core';
import { answerRequest, type HttpHandler } from '@shoal/http';
import { type ClientRequest, type ClientResponse, restForm } from '@shoal/protocol';

/** Never rejects for what is wrong with the request: the answer says it, with its status. */
export async function executeClientRequest(
  handler: HttpHandler,
  request: ClientRequest,
  signal: CancelFlag,
): Promise<ClientResponse> {
  const { method, target, contentType, body } = restForm(request);
  const rendered = await answerRequest(handler, {
    method,
    target,
    headers: { accept: 'application/json', ...(contentType === null ? {} : { 'content-type': contentType }) },
    remoteAddress: 'client',
    readBody: async () => body,
    signal,
  });
  return { status: rendered.status, body: rendered.body };
}
