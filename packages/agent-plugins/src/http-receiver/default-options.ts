/**
 * Options of a codec that an input makes by itself: nothing is given, the declared defaults count.
 */

import { checkPlugin } from '@shoal/agent-config';
import type { PluginDefinition, PluginOptions } from '@shoal/agent-plugin-kit';
import { AssertionFailure } from '@shoal/core';

export function defaultOptions(definition: PluginDefinition): PluginOptions {
  const position = { file: '', line: 1, column: 1 };
  const checked = checkPlugin({ options: [], position }, definition, {
    plugins: { find: () => undefined, names: () => [] },
    codecId: (name) => name,
    report: () => undefined,
  });
  return checked.bind(() => {
    throw new AssertionFailure(`${definition.name} has a codec of its own`);
  });
}
