/**
 * jdbc: one event for each row that a statement gives, once or by a schedule.
 *
 * `sql_last_value` moves when the queue has all rows of a run, and where the pipeline waits for its outputs, when these have them. A run
 * that fails, or is ended, leaves it: its rows come again, none is lost.
 */
import { createEvent, type FieldReference, type LogEvent } from '@shoal/agent-event';
import {
  type Charset,
  charsetNamed,
  type EventSink,
  type Input,
  type LoopControl,
  noteRootTarget,
  optionError,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  producingInput,
} from '@shoal/agent-plugin-kit';
import { cronSchedule, runScheduled } from '../../schedule/schedule.ts';
import { databaseOptions, errorText } from '../../sql/connect-database.ts';
import { DatabaseSession } from '../../sql/database-session.ts';
import { type RowValue, rowMap } from '../../sql/row-values.ts';
import type { RowBatch, SqlConnection } from '../../sql/sql-connection.ts';
import { checkOptions, type JdbcInputSetup, setUp } from './jdbc-setup.ts';
import type { LastValue } from './last-value.ts';

export const jdbcInput: PluginDefinition = {
  kind: 'input',
  name: 'jdbc',
  version: '5.6.2',
  options: {
    codec: { type: 'codec', default: 'plain' },
    ...databaseOptions,
    jdbc_password_filepath: { type: 'path' },
    jdbc_paging_enabled: { type: 'boolean', default: false },
    jdbc_paging_mode: { type: ['auto', 'explicit'], default: 'auto' },
    jdbc_page_size: { type: 'number', default: 100_000 },
    jdbc_fetch_size: { type: 'number' },
    jdbc_validate_connection: { type: 'boolean', default: false },
    jdbc_validation_timeout: { type: 'number', default: 3600 },
    jdbc_pool_timeout: {
      type: 'number',
      deprecated: 'it has no effect: an input has one connection, which nobody else waits for',
    },
    jdbc_default_timezone: { type: 'string' },
    plugin_timezone: { type: ['local', 'utc'], default: 'utc' },
    sequel_opts: { type: 'hash', default: {} },
    sql_log_level: { type: ['fatal', 'error', 'warn', 'info', 'debug'], default: 'info' },
    connection_retry_attempts: { type: 'number', default: 1 },
    connection_retry_attempts_wait_time: { type: 'number', default: 0.5 },
    statement_retry_attempts: { type: 'number', default: 1 },
    statement_retry_attempts_wait_time: { type: 'number', default: 0.5 },
    statement: { type: 'string' },
    statement_filepath: { type: 'path' },
    parameters: { type: 'hash', default: {} },
    schedule: { type: 'string' },
    last_run_metadata_path: { type: 'string' },
    use_column_value: { type: 'boolean', default: false },
    tracking_column: { type: 'string' },
    tracking_column_type: { type: ['numeric', 'timestamp'], default: 'numeric' },
    clean_run: { type: 'boolean', default: false },
    record_last_run: { type: 'boolean', default: true },
    lowercase_column_names: { type: 'boolean', default: true },
    charset: { type: 'string' },
    columns_charset: { type: 'hash', default: {} },
    use_prepared_statements: { type: 'boolean', default: false },
    prepared_statement_name: { type: 'string', default: '' },
    prepared_statement_bind_values: { type: 'array', default: [] },
    target: { type: 'fieldReference' },
  },
  create(options, context): Input {
    checkOptions(options);
    noteRootTarget(options, context);
    const reader = new JdbcReader(options, context);
    return producingInput(
      context.runtime,
      { isEndless: options.has('schedule'), prepare: () => reader.prepare() },
      (sink, control) => reader.run(sink, control),
    );
  },
};

class JdbcReader {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly target: FieldReference | null;
  private readonly charset: Charset | null;
  private readonly charsets: ReadonlyMap<string, Charset>;
  private setup: JdbcInputSetup | null = null;
  private session: DatabaseSession | null = null;
  private isColumnMissed = false;

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    this.target = options.has('target') ? options.reference('target') : null;
    this.charset = options.has('charset') ? charsetNamed(options.string('charset')) : null;
    this.charsets = new Map(
      [...options.hash('columns_charset')].map(([name, set]) => [name, charsetNamed(String(set))]),
    );
    if (options.has('schedule')) cronSchedule(options.string('schedule'));
  }

  async prepare(): Promise<void> {
    this.setup = await setUp(this.options, this.context);
    const validates = this.options.boolean('jdbc_validate_connection');
    const validateAfterMs = validates ? this.options.number('jdbc_validation_timeout') * 1000 : null;
    this.session = new DatabaseSession(this.setup.login, this.context.runtime, validateAfterMs);
  }

  async run(sink: EventSink, control: LoopControl): Promise<void> {
    const { setup, session } = this;
    if (setup === null || session === null) throw optionError('the input was not prepared');
    const forget = control.onStop(() => session.close());
    try {
      if (!this.options.has('schedule')) await this.runOnce(setup, session, sink, control);
      else
        await runScheduled(cronSchedule(this.options.string('schedule')), this.context.runtime.clock, control, () =>
          this.runOnce(setup, session, sink, control).catch((error) => {
            // The next run of the schedule tries again; the last value has not moved.
            if (!control.isStopped) this.log('error', 'a scheduled run failed', { error: errorText(error) });
          }),
        );
    } finally {
      forget();
      session.close();
    }
  }

  /** @throws when no connection can be made, or the queue takes no more */
  private async runOnce(
    setup: JdbcInputSetup,
    session: DatabaseSession,
    sink: EventSink,
    control: LoopControl,
  ): Promise<void> {
    const connection = await this.connected(session, control);
    const attemptsMax = Math.max(1, this.options.number('statement_retry_attempts'));
    for (let attempt = 1; !control.isStopped; attempt++) {
      try {
        const usable = connection.isOpen ? connection : await this.connected(session, control);
        return await this.execute(setup, usable, sink, control);
      } catch (error) {
        // Who stops the input closes its connection under the statement.
        if (control.isStopped) return;
        if (error instanceof QueueClosed) throw error;
        this.log('warn', 'the statement failed', { error: errorText(error), attempt });
        if (attempt >= attemptsMax) {
          this.log('error', `the statement cannot be executed: tried ${attempt} times`, {});
          return;
        }
        await control.pause(this.options.number('statement_retry_attempts_wait_time') * 1000);
      }
    }
  }

  private async execute(
    setup: JdbcInputSetup,
    connection: SqlConnection,
    sink: EventSink,
    control: LoopControl,
  ): Promise<void> {
    const { tracker } = setup;
    const startMs = this.context.runtime.clock.wallMs();
    const startedMs = this.context.runtime.clock.monotonicMs();
    let last: LastValue | null = null;
    this.isColumnMissed = false;
    for await (const batch of setup.statement.batches(connection, tracker)) {
      const columns = this.options.boolean('lowercase_column_names')
        ? batch.columns.map((name) => name.toLowerCase())
        : batch.columns;
      if (setup.tracksColumn) last = this.tracked(setup, columns, batch) ?? last;
      await taken(sink.push(batch.rows.map((row) => this.event(columns, row))));
      if (control.isStopped) return;
    }
    // A connection that was closed under the statement ends it like one that came to its end.
    if (control.isStopped) return;
    await taken(sink.confirmed?.());
    const time = setup.timeOf(startMs);
    tracker.value = setup.tracksColumn ? (last ?? tracker.value) : time;
    tracker.isFromColumn = setup.tracksColumn;
    await tracker.write();
    const level = this.options.string('sql_log_level');
    this.log(level === 'fatal' ? 'error' : (level as 'error' | 'warn' | 'info' | 'debug'), 'executed a statement', {
      statement: setup.statement.source,
      seconds: (this.context.runtime.clock.monotonicMs() - startedMs) / 1000,
    });
  }

  /** The value of the last row; null when it has none, which is said once a run. */
  private tracked(setup: JdbcInputSetup, columns: readonly string[], batch: RowBatch): LastValue | null {
    const name = this.options.string('tracking_column');
    const index = columns.lastIndexOf(name);
    if (index >= 0) {
      for (let i = batch.rows.length - 1; i >= 0; i--) {
        const value = setup.tracker.observe(batch.rows[i]?.[index] ?? null);
        if (value !== null) return value;
      }
    } else if (!this.isColumnMissed) {
      this.isColumnMissed = true;
      this.log('warn', 'the tracking column is not among the columns', {
        tracking_column: name,
        columns: columns.join(', '),
      });
    }
    return null;
  }

  private event(columns: readonly string[], row: readonly RowValue[]): LogEvent {
    const fields = rowMap(
      columns,
      columns.map((name, i) => this.recoded(name, row[i] ?? null)),
    );
    if (this.target === null) return createEvent(fields);
    const event = createEvent();
    event.set(this.target, fields);
    return event;
  }

  private recoded(column: string, value: RowValue): RowValue {
    const charset = this.charsets.get(column) ?? this.charset;
    if (charset === null) return value;
    if (value instanceof Uint8Array) return charset.decode(value);
    return typeof value === 'string' ? charset.decode(Buffer.from(value, 'utf8')) : value;
  }

  private async connected(session: DatabaseSession, control: LoopControl): Promise<SqlConnection> {
    const attemptsMax = Math.max(1, this.options.number('connection_retry_attempts'));
    for (let attempt = 1; ; attempt++) {
      try {
        return await session.open();
      } catch (error) {
        this.log('error', `the database cannot be reached: tried ${attempt} times`, { error: errorText(error) });
        if (attempt >= attemptsMax || control.isStopped) throw error;
      }
      await control.pause(this.options.number('connection_retry_attempts_wait_time') * 1000);
    }
  }

  private log(
    level: 'error' | 'warn' | 'info' | 'debug',
    message: string,
    fields: Readonly<Record<string, unknown>>,
  ): void {
    const { pipelineId: pipeline, pluginId: plugin, runtime } = this.context;
    runtime.log[level](message, { pipeline, plugin, ...fields });
  }
}

/** The queue ends the input: nothing is wrong with the statement. */
class QueueClosed extends Error {}

async function taken(pushed: Promise<void> | undefined): Promise<void> {
  try {
    await pushed;
  } catch (error) {
    throw new QueueClosed('the queue takes no more', { cause: error });
  }
}
