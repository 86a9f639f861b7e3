/**
 * metricize: an event with several measurements as one event for each, with its name and its value.
 */
import { parseFieldReference } from '@shoal/agent-event';
import type { PluginDefinition } from '@shoal/agent-plugin-kit';

export const metricizeFilter: PluginDefinition = {
  kind: 'filter',
  name: 'metricize',
  version: '3.0.3',
  isStateless: true,
  options: {
    metrics: { type: 'array', isRequired: true },
    metric_field_name: { type: 'fieldReference', default: 'metric' },
    value_field_name: { type: 'fieldReference', default: 'value' },
    drop_original_event: { type: 'boolean', default: false },
  },
  create: (options, { escapeStyle }) => {
    const metrics = options
      .strings('metrics')
      .map((name) => ({ name, reference: parseFieldReference(name, escapeStyle) }));
    const nameField = options.reference('metric_field_name');
    const valueField = options.reference('value_field_name');
    const dropsOriginal = options.boolean('drop_original_event');
    return {
      decoratesNewEvents: false,
      filter: (event, emit) => {
        const base = event.clone();
        for (const { reference } of metrics) base.remove(reference);
        for (const { name, reference } of metrics) {
          const value = event.get(reference);
          if (value === undefined || value === null || value === false) continue;
          const metric = base.clone();
          metric.set(nameField, name);
          metric.set(valueField, value);
          emit(metric);
        }
        if (dropsOriginal) event.cancel();
        return 'matched';
      },
    };
  },
};
