/**
 * `_nodes/reload_secure_settings`: asks nodes to read their keystore again. A node has none: there is nothing to read, and no
 * password opens it.
 */
import { type CoordinatorContext, NODE_TIMEOUT_MS_DEFAULT } from '@shoal/coordinator';
import { renderCause, ShoalError } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse, withoutEffect } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { bodyObject, checkKeys, textAt } from '../request/json-body.ts';
import { nodesOf } from './asked-nodes.ts';

const PASSWORD = 'secure_settings_password';

export const reloadSecureSettingsApi: RestApi = {
  usageName: 'nodes_reload_action',
  methods: ['POST'],
  paths: ['/_nodes/reload_secure_settings', '/_nodes/{node_id}/reload_secure_settings'],
  privilege: 'cluster:admin/nodes/reload_secure_settings',
  task: null,
  params: { timeout: withoutEffect('time', `no node is asked, of which each may take ${NODE_TIMEOUT_MS_DEFAULT} ms`) },
  body: 'json',
  handler: reloadSecureSettings,
};

async function reloadSecureSettings(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const body = bodyObject(request);
  checkKeys(body, [PASSWORD], (key) => `unknown field [${key}]`);
  const password = textAt(body, PASSWORD) ?? '';
  const error =
    password === '' ? null : new ShoalError('security_exception', 403, 'Provided keystore password was incorrect');
  const nodes = nodesOf(context, request.params.list('node_id'));
  return valueResponse({
    _nodes: { total: nodes.length, successful: nodes.length, failed: 0 },
    cluster_name: context.cluster.state().clusterName,
    nodes: Object.fromEntries(
      nodes.map((node) => [
        node.id,
        { name: node.name, ...(error === null ? {} : { reload_exception: renderCause(error) }) },
      ]),
    ),
  });
}
