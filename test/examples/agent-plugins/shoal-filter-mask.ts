/**
 * A filter: hides all digits of a field but the last few.
 *
 *     filter { mask { field => "card" keep => 4 } }
 */
import type { PluginDefinition } from '@shoal/pipeline-agent';

export const mask: PluginDefinition = {
  kind: 'filter',
  name: 'mask',
  version: '1.0.0',
  // Checked before anything starts: a wrong name or type is an error with its line.
  options: {
    field: { type: 'fieldReference', isRequired: true },
    keep: { type: 'number', default: 4 },
    tag_on_failure: { type: 'array', default: ['_maskfailure'] },
  },
  create(options, { metrics }) {
    const field = options.reference('field');
    const keep = options.number('keep');
    const tags = options.strings('tag_on_failure');
    return {
      filter(event) {
        const value = event.get(field);
        if (value === undefined) return 'unmatched';
        if (typeof value !== 'string') {
          for (const tag of tags) event.tag(tag);
          return 'unmatched';
        }
        const digits = value.replace(/\D/g, '').length;
        let seen = 0;
        event.set(
          field,
          value.replace(/\d/g, (digit) => (++seen > digits - keep ? digit : '*')),
        );
        metrics.increment('masked');
        // `add_tag` and the other common options run when the filter says so.
        return 'matched';
      },
    };
  },
};
