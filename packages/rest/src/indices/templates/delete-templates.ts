/**
 * `DELETE _index_template/{name}`, `DELETE _component_template/{name}` and `DELETE _template/{name}`.
 */

import type { TemplateKind } from '@shoal/cluster-state';
import { valueResponse } from '@shoal/http';
import type { ActionName, RestApi } from '../../api/rest-api.ts';
import { CHANGE_PARAMETERS, managerTimeouts } from '../../request/manager-timeouts.ts';

const USAGE_NAMES: Readonly<Record<TemplateKind, string>> = {
  index: 'delete_composable_index_template_action',
  component: 'delete_component_template_action',
  legacy: 'delete_index_template_action',
};

export const deleteIndexTemplateApi: RestApi = deleteApi(
  'index',
  '/_index_template/{name}',
  'indices:admin/index_template/delete',
);
export const deleteComponentTemplateApi: RestApi = deleteApi(
  'component',
  '/_component_template/{name}',
  'cluster:admin/component_template/delete',
);
export const deleteLegacyTemplateApi: RestApi = deleteApi(
  'legacy',
  '/_template/{name}',
  'indices:admin/template/delete',
);

function deleteApi(kind: TemplateKind, path: string, privilege: ActionName): RestApi {
  return {
    usageName: USAGE_NAMES[kind],
    methods: ['DELETE'],
    paths: [path],
    privilege,
    task: null,
    params: CHANGE_PARAMETERS,
    handler: async (request, context) => {
      const names = request.params.list('name');
      const { acknowledged } = await context.cluster.admin.deleteTemplates({
        ...managerTimeouts(request),
        kind,
        names,
      });
      return valueResponse({ acknowledged });
    },
  };
}
