/**
 * The rows of an ES|QL query as events: a field for each column that has a value.
 */
import type { EventMap, EventValue, FieldReference, LogEvent } from '@shoal/agent-event';
import { type PluginOptions, targetedEvent } from '@shoal/agent-plugin-kit';
import { esqlQuery, type UnsaidOptions } from '../../elasticsearch-client/esql-query.ts';

const UNSAID: UnsaidOptions = {
  index: (options, name) => options.string(name) === 'logstash-*',
  size: (options, name) => options.number(name) === 1000,
  slices: (options, name) => !options.has(name),
  search_api: (options, name) => options.string(name) === 'auto',
  docinfo: (options, name) => !options.boolean(name),
  docinfo_target: (options, name) => !options.has(name),
  response_type: (options, name) => options.string(name) === 'hits',
  tracking_field: (options, name) => !options.has(name),
};

export function checkRowsOptions(options: PluginOptions): void {
  esqlQuery(options, UNSAID);
}

/** @param target the field below which the columns go; null for the top of the event */
export function rowEvents(answer: EventMap, target: FieldReference | null): readonly LogEvent[] {
  const names = listOf(answer.get('columns')).map((column) =>
    column instanceof Map ? String(column.get('name')) : '',
  );
  const all = new Set(names);
  // A field and what is below it have no place in one event: the field goes before.
  const paths = names.map((name) => (isBelowAnother(name, all) ? null : name.split('.')));
  return listOf(answer.get('values')).map((row) => targetedEvent(documentOf(listOf(row), paths), target));
}

function isBelowAnother(name: string, all: ReadonlySet<string>): boolean {
  for (let end = name.lastIndexOf('.'); end > 0; end = name.lastIndexOf('.', end - 1)) {
    if (all.has(name.slice(0, end))) return true;
  }
  return false;
}

/** @param paths of the columns; null for one that is left out */
function documentOf(values: readonly EventValue[], paths: readonly (readonly string[] | null)[]): EventMap {
  const document: EventMap = new Map();
  for (const [index, path] of paths.entries()) {
    const value = values[index] ?? null;
    if (path === null || value === null) continue;
    let place = document;
    for (const part of path.slice(0, -1)) {
      const below = place.get(part);
      const next: EventMap = below instanceof Map ? below : new Map();
      place.set(part, next);
      place = next;
    }
    place.set(path.at(-1) ?? '', value);
  }
  return document;
}

function listOf(value: EventValue | undefined): readonly EventValue[] {
  return Array.isArray(value) ? value : [];
}
