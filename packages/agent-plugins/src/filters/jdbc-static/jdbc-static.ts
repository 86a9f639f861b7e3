/**
 * jdbc_static: tables of a database in memory, filled at the start and by a schedule, in which events are looked up.
 *
 * What the lookups read is replaced in one step; a load that fails later leaves the tables as they are.
 */
import { type EventValue, type LogEvent, toEventValue } from '@shoal/agent-event';
import {
  type Filter,
  type FilterOutcome,
  optionError,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  StoppableWait,
} from '@shoal/agent-plugin-kit';
import { cronSchedule, runScheduled } from '../../schedule/schedule.ts';
import { connectDatabase, databaseLogin, databaseOptions, errorText, FETCH_ROWS } from '../../sql/connect-database.ts';
import type { DatabaseLogin } from '../../sql/database-login.ts';
import { eventValueOf } from '../../sql/row-values.ts';
import { SqlStatement } from '../../sql/sql-statement.ts';
import { SqlTimes } from '../../sql/sql-times.ts';
import { sqliteEngine } from '../../sql/sqlite-engine.ts';
import { LocalDatabase } from './local-database.ts';
import {
  type Loader,
  type LocalLookup,
  type LocalTable,
  readLoaders,
  readLookups,
  readTables,
} from './static-options.ts';

const PLUGIN = 'jdbc_static filter';

export const jdbcStaticFilter: PluginDefinition = {
  kind: 'filter',
  name: 'jdbc_static',
  version: '5.6.2',
  options: {
    ...databaseOptions,
    loaders: { type: 'any', default: [] },
    local_db_objects: { type: 'any', default: [] },
    local_lookups: { type: 'any', isRequired: true },
    loader_schedule: { type: 'string' },
    tag_on_failure: { type: 'array', default: ['_jdbcstaticfailure'] },
    tag_on_default_use: { type: 'array', default: ['_jdbcstaticdefaultsused'] },
    staging_directory: {
      type: 'string',
      deprecated: 'it has no effect: rows go into memory without a file between',
    },
  },
  create: (options, context) => new JdbcStaticFilter(options, context),
};

class JdbcStaticFilter implements Filter {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly control: StoppableWait;
  private readonly tables: readonly LocalTable[];
  private readonly loaders: readonly { readonly loader: Loader; readonly login: DatabaseLogin }[];
  private readonly lookups: readonly { readonly lookup: LocalLookup; readonly statement: SqlStatement }[];
  private readonly times: SqlTimes;
  private local: LocalDatabase | null = null;
  private running: Promise<void> = Promise.resolve();

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    this.control = new StoppableWait(context.runtime);
    this.times = new SqlTimes({ databaseZone: null, isLocal: true, clock: context.runtime.clock });
    this.tables = readTables(options);
    const zone = { databaseZone: null, isLocal: false, plugin: PLUGIN };
    this.loaders = readLoaders(options).map((loader) => ({
      loader,
      login: databaseLogin(loader.database, context, zone),
    }));
    for (const { loader } of this.loaders)
      if (!this.tables.some(({ name }) => name.toLowerCase() === loader.table.toLowerCase()))
        throw optionError(`the loader [${loader.id}] fills [${loader.table}], which [local_db_objects] do not have`);
    this.lookups = readLookups(options, context).map((lookup) => {
      const statement = new SqlStatement(lookup.query, { kind: 'sqlite', times: this.times });
      if (lookup.names === null && statement.markCount !== lookup.parameters.length)
        throw optionError(
          `the lookup [${lookup.id}] has ${lookup.parameters.length} [prepared_parameters] for ${statement.markCount} placeholders [?]`,
        );
      return { lookup, statement };
    });
    if (options.has('loader_schedule')) cronSchedule(options.string('loader_schedule'));
  }

  async start(): Promise<void> {
    const engine = await sqliteEngine(PLUGIN);
    this.local = new LocalDatabase(engine.open(':memory:', { isReadOnly: false, busyMs: 0 }), this.times);
    for (const table of this.tables) this.local.create(table);
    await this.load(this.local);
    if (this.options.has('loader_schedule')) this.running = this.reload(this.local);
  }

  async stop(): Promise<void> {
    this.control.stop();
    await this.running;
    this.local?.close();
    this.local = null;
  }

  filter(event: LogEvent): FilterOutcome {
    const { local } = this;
    if (local === null) throw optionError('the filter was not started');
    // All lookups are made, also behind one that failed.
    const made = this.lookups.map(({ lookup, statement }) => this.enhance(local, lookup, statement, event));
    return made.every(Boolean) ? 'matched' : 'unmatched';
  }

  private enhance(local: LocalDatabase, lookup: LocalLookup, statement: SqlStatement, event: LogEvent): boolean {
    const found = this.find(local, lookup, statement, event);
    if (found === null) {
      for (const tag of lookup.failureTags) event.tag(tag);
      return false;
    }
    if (found.length === 0 && lookup.defaults !== null) {
      for (const tag of lookup.defaultTags) event.tag(tag);
      event.set(lookup.target, toEventValue([lookup.defaults]));
    } else event.set(lookup.target, found);
    return true;
  }

  /** null when a value is not in the event, or the query fails. */
  private find(
    local: LocalDatabase,
    lookup: LocalLookup,
    statement: SqlStatement,
    event: LogEvent,
  ): EventValue[] | null {
    const values = lookup.parameters.map((parameter) => parameter.of(event));
    const missing = lookup.parameters.filter((_, i) => values[i] === undefined).map(({ source }) => source);
    if (missing.length > 0) {
      this.log('warn', 'the event has no field for a lookup', { lookup: lookup.id, parameters: missing.join(', ') });
      return null;
    }
    try {
      const given = values.map((value) => value ?? null);
      const bound =
        lookup.names === null
          ? statement.withMarks(given, lookup.id)
          : statement.withNames(new Map(lookup.names.map((name, i) => [name, given[i] ?? null])));
      const rows = local.select(bound);
      return rows.map((row) => new Map([...row].map(([name, value]) => [name, eventValueOf(value)])));
    } catch (error) {
      // The event goes on without what was looked up; its tags say so.
      this.log('warn', 'a lookup failed', { lookup: lookup.id, error: errorText(error) });
      return null;
    }
  }

  private reload(local: LocalDatabase): Promise<void> {
    const schedule = cronSchedule(this.options.string('loader_schedule'));
    return runScheduled(schedule, this.context.runtime.clock, this.control, async () => {
      try {
        await this.load(local);
      } catch (error) {
        // The tables stay as they are until the next load.
        if (!this.control.isStopped) this.log('error', 'the tables cannot be loaded', { error: errorText(error) });
      }
    });
  }

  private async load(local: LocalDatabase): Promise<void> {
    for (const { loader, login } of this.loaders) {
      if (this.control.isStopped) return;
      const startMs = this.context.runtime.clock.monotonicMs();
      const connection = await connectDatabase(login, this.context.runtime);
      const forget = this.control.onStop(() => connection.close());
      try {
        const statement = new SqlStatement(loader.query, { kind: login.address.kind, times: login.times });
        const rows = connection.run(statement.withNames(new Map()), FETCH_ROWS);
        const count = await local.fill(loader.table, rows, loader.rowsMax);
        const seconds = (this.context.runtime.clock.monotonicMs() - startMs) / 1000;
        if (count === 0) this.log('warn', 'a loader found no rows: its table stays as it is', { loader: loader.id });
        else if (count > loader.rowsMax)
          this.log('warn', 'a loader found more than [max_rows]: its table stays as it is', { loader: loader.id });
        else this.log('info', 'a loader filled its table', { loader: loader.id, rows: count, seconds });
      } finally {
        forget();
        connection.close();
      }
    }
  }

  private log(level: 'error' | 'warn' | 'info', message: string, fields: Readonly<Record<string, unknown>>): void {
    const { pipelineId: pipeline, pluginId: plugin, runtime } = this.context;
    runtime.log[level](message, { pipeline, plugin, ...fields });
  }
}
