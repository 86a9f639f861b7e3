/**
 * What goes for every ES|QL query in a configuration: how it starts, what cannot be said beside it, and where it is sent.
 */
import { optionError, type PluginOptions } from '@shoal/agent-plugin-kit';

export const ESQL_PATH = '/_query?format=json';

const SOURCE_COMMANDS = ['FROM', 'ROW', 'SHOW'] as const;

/** For each option of a search: whether it has the value that it has where nobody wrote it. */
export type UnsaidOptions = Readonly<Record<string, (options: PluginOptions, name: string) => boolean>>;

/** @returns the query, as it is written */
export function esqlQuery(options: PluginOptions, unsaid: UnsaidOptions): string {
  const query = options.has('query') ? options.string('query') : '';
  if (!SOURCE_COMMANDS.some((command) => query.trimStart().startsWith(command))) {
    throw optionError(`[query] must start with one of ${SOURCE_COMMANDS.join(', ')}`);
  }
  const misfits = Object.entries(unsaid).flatMap(([name, isUnsaid]) => (isUnsaid(options, name) ? [] : [`[${name}]`]));
  if (misfits.length > 0) throw optionError(`${misfits.join(', ')} cannot go with an ES|QL query`);
  return query;
}
