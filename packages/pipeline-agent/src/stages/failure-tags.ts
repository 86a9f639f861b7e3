/**
 * Tags of an event on which a filter threw: those that the filter is configured to use for its own failures, or one of its name.
 */
import type { PlannedFilter } from '@shoal/agent-config';

/** Options in which filters name the tags of their failures. */
const TAG_OPTIONS: readonly string[] = ['tag_on_exception', 'tag_on_failure'];

/** At least one, also when the configuration asks for none: an event that was not worked on must be found again. */
export function failureTags({ name, definition, options }: PlannedFilter): readonly string[] {
  for (const option of TAG_OPTIONS) {
    if (definition.options[option] === undefined || !options.values.has(option)) continue;
    const tags = options.withoutCodecs().strings(option);
    if (tags.length > 0) return tags;
  }
  return [`_${name}_exception`];
}
