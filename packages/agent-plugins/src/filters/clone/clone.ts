/**
 * clone: copies an event once for each name. What is added on success goes to the copies only.
 */
import { compileMatchDecoration, type MatchDecoration } from '@shoal/agent-config';
import type { PluginDefinition, PluginOptions } from '@shoal/agent-plugin-kit';

export const cloneFilter: PluginDefinition = {
  kind: 'filter',
  name: 'clone',
  version: '4.2.0',
  isStateless: true,
  options: {
    clones: { type: 'array', isRequired: true },
  },
  create: (options, context) => {
    const names = options.strings('clones');
    const decorate = decorationOf(options);
    return {
      filter: (event, emit) => {
        for (const name of names) {
          const copy = event.clone();
          if (context.ecs === 'disabled') copy.fields.set('type', name);
          else copy.tag(name);
          decorate?.(copy);
          emit(copy);
        }
        // Not "matched": that would decorate the original.
        return 'unmatched';
      },
    };
  },
};

function decorationOf(options: PluginOptions): MatchDecoration | null {
  const strings = (name: string): readonly string[] => (options.has(name) ? options.strings(name) : []);
  return compileMatchDecoration({
    addField: options.has('add_field') ? options.hash('add_field') : new Map(),
    removeField: strings('remove_field'),
    addTag: strings('add_tag'),
    removeTag: strings('remove_tag'),
  });
}
