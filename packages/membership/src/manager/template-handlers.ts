/**
 * What the elected cluster manager does when a node asks it to change templates.
 */
import { deleteTemplates, putTemplate, templateWarnings } from '@shoal/cluster';
import type { TemplateKind } from '@shoal/cluster-state';
import { DELETE_TEMPLATES, PUT_TEMPLATE } from '@shoal/protocol';
import { handleWith, type Transport } from '@shoal/transport';
import { change, guarded, keepingStack, type ManagerHandlersHost } from './manager-change.ts';
import { TASK_PRIORITY } from './manager-task-queue.ts';

const SHOWN_KINDS: { readonly [K in TemplateKind]: string } = {
  index: 'index-template-v2',
  component: 'component-template',
  legacy: 'index-template',
};

export function registerTemplateHandlers(transport: Transport, host: ManagerHandlersHost): void {
  handleWith(transport, PUT_TEMPLATE, async (message) => {
    let warnings: readonly string[] = [];
    const { acknowledged } = await change(host, {
      checkBlocks: guarded('indices:admin/index_template/put', message),
      source: `create-${SHOWN_KINDS[message.kind]} [${message.name}]`,
      priority: TASK_PRIORITY.urgent,
      timeouts: message,
      update: (state) => {
        warnings = templateWarnings(state, message);
        return putTemplate(state, message, host.context().files);
      },
    });
    return { acknowledged, warnings };
  });
  handleWith(transport, DELETE_TEMPLATES, (message) =>
    change(host, {
      checkBlocks: guarded('indices:admin/index_template/delete', message),
      source: `remove-${SHOWN_KINDS[message.kind]} [${message.names.slice(0, 5).join(', ')}]`,
      priority: TASK_PRIORITY.urgent,
      timeouts: message,
      update: keepingStack(host, (state) => deleteTemplates(state, message.kind, message.names)),
    }),
  );
}
