/**
 * `loaders`, `local_db_objects` and `local_lookups` of jdbc_static, read with all that is wrong in them said.
 */
import type { EventMap, EventValue, FieldReference } from '@shoal/agent-event';
import { parseFieldReference, toEventValue } from '@shoal/agent-event';
import { optionError, type PluginContext, type PluginOptions } from '@shoal/agent-plugin-kit';
import { type DatabaseNames, databaseNames } from '../../sql/connect-database.ts';
import { derbySql, derbyType } from './derby-sql.ts';
import { type LookupParameter, lookupParameter } from './lookup-parameter.ts';

export interface LocalTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly indexColumns: readonly string[];
}

export interface Loader {
  readonly id: string;
  readonly table: string;
  readonly query: string;
  readonly rowsMax: number;
  readonly database: DatabaseNames;
}

export interface LocalLookup {
  readonly id: string;
  readonly query: string;
  readonly target: FieldReference;
  /** By name, or null for values in the order of `?`. */
  readonly names: readonly string[] | null;
  readonly parameters: readonly LookupParameter[];
  readonly defaults: EventMap | null;
  readonly failureTags: readonly string[];
  readonly defaultTags: readonly string[];
}

const ROWS_MAX = 1_000_000;

export function readTables(options: PluginOptions): readonly LocalTable[] {
  return hashes(options, 'local_db_objects').map((hash) => {
    const name = text(hash, 'name', 'local_db_objects');
    known(hash, 'local_db_objects', ['name', 'columns', 'index_columns', 'preserve_existing']);
    const given = hash.get('columns');
    if (!Array.isArray(given) || given.length === 0)
      throw optionError(`[local_db_objects] [${name}] needs a list of [columns]`);
    const columns = given.map((column) => {
      const [columnName, type] = Array.isArray(column) && column.length === 2 ? column : [];
      if (typeof columnName !== 'string' || typeof type !== 'string')
        throw optionError(`[columns] of [local_db_objects] [${name}] are pairs of a name and a type`);
      return { name: columnName, type: derbyType(type) };
    });
    const indexColumns = list(hash.get('index_columns')).map(String);
    for (const column of indexColumns)
      if (!columns.some((one) => one.name === column))
        throw optionError(
          `[index_columns] of [local_db_objects] [${name}] has [${column}], which is none of its columns`,
        );
    return { name, columns, indexColumns };
  });
}

export function readLoaders(options: PluginOptions): readonly Loader[] {
  const own = databaseNames(options);
  return hashes(options, 'loaders').map((hash) => {
    const table = text(hash, 'local_table', 'loaders');
    known(hash, 'loaders', [
      'id',
      'local_table',
      'query',
      'max_rows',
      'jdbc_connection_string',
      'jdbc_driver_class',
      'jdbc_driver_library',
      'jdbc_user',
      'jdbc_password',
      'staging_directory',
    ]);
    const rowsMax = Number(hash.get('max_rows') ?? ROWS_MAX);
    if (!Number.isInteger(rowsMax) || rowsMax < 0)
      throw optionError(`[max_rows] of the loader of [${table}] is no number`);
    const or = (name: string, otherwise: string | null): string | null => {
      const given = hash.get(name);
      return given === undefined ? otherwise : String(given);
    };
    return {
      id: String(hash.get('id') ?? table),
      table,
      query: text(hash, 'query', 'loaders'),
      rowsMax,
      database: {
        url: or('jdbc_connection_string', own.url) ?? '',
        driverClass: or('jdbc_driver_class', own.driverClass),
        library: or('jdbc_driver_library', own.library),
        user: or('jdbc_user', own.user),
        password: or('jdbc_password', own.password),
      },
    };
  });
}

export function readLookups(options: PluginOptions, context: PluginContext): readonly LocalLookup[] {
  const lookups = hashes(options, 'local_lookups').map((hash, i) => {
    const id = String(hash.get('id') ?? `lookup-${i + 1}`);
    known(hash, 'local_lookups', [
      'id',
      'query',
      'parameters',
      'prepared_parameters',
      'target',
      'default_hash',
      'tag_on_failure',
      'tag_on_default_use',
    ]);
    const tags = (name: string): readonly string[] =>
      hash.has(name) ? list(hash.get(name)).map(String) : options.strings(name);
    const target = hash.get('target');
    if (target === undefined && context.ecs !== 'disabled')
      context.runtime.log.info('a lookup without [target] writes to a field of its own name, which ECS does not know', {
        pipeline: context.pipelineId,
        plugin: context.pluginId,
        lookup: id,
      });
    const defaults = toEventValue(hash.get('default_hash') ?? null);
    return {
      id,
      query: derbySql(text(hash, 'query', 'local_lookups')),
      target: parseFieldReference(String(target ?? id), context.escapeStyle),
      ...readParameters(hash, id, context),
      defaults: defaults instanceof Map && defaults.size > 0 ? defaults : null,
      failureTags: tags('tag_on_failure'),
      defaultTags: tags('tag_on_default_use'),
    };
  });
  distinct(
    'id',
    lookups.map(({ id }) => id),
  );
  distinct(
    'target',
    lookups.map(({ target }) => target.path.join('][')),
  );
  return lookups;
}

function readParameters(
  hash: ReadonlyMap<string, unknown>,
  id: string,
  context: PluginContext,
): Pick<LocalLookup, 'names' | 'parameters'> {
  const [named, inOrder] = [hash.get('parameters'), hash.get('prepared_parameters')];
  if (named !== undefined && inOrder !== undefined)
    throw optionError(`the lookup [${id}] may have [parameters] or [prepared_parameters], not both`);
  if (named !== undefined && !(named instanceof Map))
    throw optionError(`[parameters] of the lookup [${id}] must be a hash`);
  if (inOrder !== undefined && !Array.isArray(inOrder))
    throw optionError(`[prepared_parameters] of the lookup [${id}] must be a list`);
  const read = (value: unknown): LookupParameter => lookupParameter(String(value), context);
  if (Array.isArray(inOrder)) return { names: null, parameters: inOrder.map(read) };
  const entries = named instanceof Map ? [...named] : [];
  return { names: entries.map(([name]) => String(name)), parameters: entries.map(([, value]) => read(value)) };
}

function hashes(options: PluginOptions, name: string): readonly ReadonlyMap<string, EventValue>[] {
  return list(options.value(name)).map((item) => {
    if (!(item instanceof Map)) throw optionError(`[${name}] is a list of hashes`);
    return item;
  });
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}

function text(hash: ReadonlyMap<string, unknown>, name: string, option: string): string {
  const value = hash.get(name);
  if (typeof value !== 'string' || value === '') throw optionError(`each of [${option}] needs a [${name}]`);
  return value;
}

function known(hash: ReadonlyMap<string, unknown>, option: string, names: readonly string[]): void {
  for (const name of hash.keys())
    if (!names.includes(name)) throw optionError(`[${option}] has a setting [${name}] that is not known`);
}

function distinct(what: string, values: readonly string[]): void {
  const twice = values.find((value, i) => values.indexOf(value) !== i);
  if (twice !== undefined) throw optionError(`two of [local_lookups] have the same ${what} [${twice}]`);
}
