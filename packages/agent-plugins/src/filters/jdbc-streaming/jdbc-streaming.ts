/**
 * jdbc_streaming: asks a database about each event, and puts the rows into a field. Answers are remembered for a while.
 *
 * Values of the event are bound, never written into the statement. A lookup that fails leaves the event with the default and a tag.
 */
import { cloneValue, type EventMap, type EventValue, type LogEvent, toEventValue } from '@shoal/agent-event';
import {
  type Filter,
  type FilterOutcome,
  optionError,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
} from '@shoal/agent-plugin-kit';
import { databaseLogin, databaseNames, databaseOptions, errorText } from '../../sql/connect-database.ts';
import type { DatabaseLogin } from '../../sql/database-login.ts';
import { DatabaseSession } from '../../sql/database-session.ts';
import { keyText, rowMap } from '../../sql/row-values.ts';
import { allRows } from '../../sql/sql-connection.ts';
import { SqlStatement } from '../../sql/sql-statement.ts';
import { bindParameter, type EventParameter, fieldParameter } from './event-parameter.ts';
import { LookupCache } from './lookup-cache.ts';

/** Rows of one answer. */
const ROWS_MAX = 100_000;

export const jdbcStreamingFilter: PluginDefinition = {
  kind: 'filter',
  name: 'jdbc_streaming',
  version: '5.6.2',
  options: {
    ...databaseOptions,
    jdbc_validate_connection: { type: 'boolean', default: false },
    jdbc_validation_timeout: { type: 'number', default: 3600 },
    sequel_opts: { type: 'hash', default: {} },
    statement: { type: 'string', isRequired: true },
    parameters: { type: 'hash', default: {} },
    target: { type: 'fieldReference', isRequired: true },
    default_hash: { type: 'hash', default: {} },
    tag_on_failure: { type: 'array', default: ['_jdbcstreamingfailure'] },
    tag_on_default_use: { type: 'array', default: ['_jdbcstreamingdefaultsused'] },
    use_cache: { type: 'boolean', default: true },
    cache_expiration: { type: 'number', default: 5 },
    cache_size: { type: 'number', default: 500 },
    use_prepared_statements: { type: 'boolean', default: false },
    prepared_statement_name: { type: 'string', default: '' },
    prepared_statement_bind_values: { type: 'array', default: [] },
    prepared_statement_warn_on_constant_usage: { type: 'boolean', default: true },
  },
  create: (options, context) => new JdbcStreamingFilter(options, context),
};

interface Answer {
  readonly rows: readonly EventMap[];
  readonly isFailed: boolean;
}

class JdbcStreamingFilter implements Filter {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly session: DatabaseSession;
  private readonly statement: SqlStatement;
  private readonly names: readonly string[];
  private readonly parameters: readonly EventParameter[];
  private readonly isPrepared: boolean;
  private readonly cache: LookupCache<Answer> | null;
  private readonly defaults: EventValue;
  /** Lookups go one behind the other: there is one connection. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    const login = loginOf(options, context);
    const validates = options.boolean('jdbc_validate_connection');
    const validateAfterMs = validates ? options.number('jdbc_validation_timeout') * 1000 : null;
    this.session = new DatabaseSession(login, context.runtime, validateAfterMs);
    this.statement = new SqlStatement(options.string('statement'), { kind: login.address.kind, times: login.times });
    this.isPrepared = options.boolean('use_prepared_statements');
    const named = [...options.hash('parameters')];
    this.names = named.map(([name]) => name);
    this.parameters = this.isPrepared
      ? preparedParameters(options, context, this.statement)
      : named.map(([, value]) => fieldParameter(value, context));
    this.cache = options.boolean('use_cache') ? cacheOf(options, context) : null;
    this.defaults = [toEventValue(options.hash('default_hash'))];
  }

  async start(): Promise<void> {
    await this.session.open();
  }

  async stop(): Promise<void> {
    this.session.close();
  }

  async filter(event: LogEvent): Promise<FilterOutcome> {
    const { rows, isFailed } = await this.lookUp(event);
    if (isFailed) for (const tag of this.options.strings('tag_on_failure')) event.tag(tag);
    if (rows.length === 0) for (const tag of this.options.strings('tag_on_default_use')) event.tag(tag);
    // Later filters change what is in the event, not what is remembered.
    const value = rows.length === 0 ? this.defaults : [...rows];
    event.set(this.options.reference('target'), cloneValue(value));
    return 'matched';
  }

  private lookUp(event: LogEvent): Promise<Answer> {
    const values = this.parameters.map((parameter) => parameter.of(event));
    const ask = (): Promise<Answer> => {
      const answer = this.last.then(() => this.ask(values));
      this.last = answer;
      return answer;
    };
    return this.cache === null ? ask() : this.cache.get(values.map(keyText).join(), ask);
  }

  private async ask(values: readonly EventValue[]): Promise<Answer> {
    try {
      const statement = this.isPrepared
        ? this.statement.withMarks(values, this.options.string('prepared_statement_name'))
        : this.statement.withNames(new Map(this.names.map((name, i) => [name, values[i] ?? null])));
      const { columns, rows } = await allRows(await this.session.open(), statement, ROWS_MAX);
      return { rows: rows.map((row) => rowMap(columns, row)), isFailed: false };
    } catch (error) {
      // The event goes on with the default; its tags say so.
      const { pipelineId: pipeline, pluginId: plugin, runtime } = this.context;
      runtime.log.warn('a lookup failed', { pipeline, plugin, error: errorText(error) });
      return { rows: [], isFailed: true };
    }
  }
}

function loginOf(options: PluginOptions, context: PluginContext): DatabaseLogin {
  return databaseLogin(databaseNames(options), context, {
    databaseZone: null,
    isLocal: false,
    plugin: 'jdbc_streaming filter',
  });
}

function cacheOf(options: PluginOptions, { runtime }: PluginContext): LookupCache<Answer> {
  const size = options.number('cache_size');
  const seconds = options.number('cache_expiration');
  if (!Number.isInteger(size) || size < 1) throw optionError(`[cache_size] must be at least 1, but is ${size}`);
  if (seconds <= 0) throw optionError(`[cache_expiration] must be above 0, but is ${seconds}`);
  return new LookupCache(size, seconds * 1000, runtime.clock);
}

function preparedParameters(
  options: PluginOptions,
  context: PluginContext,
  { markCount }: SqlStatement,
): readonly EventParameter[] {
  const given = options.value('prepared_statement_bind_values') as readonly unknown[];
  if (options.string('prepared_statement_name') === '')
    throw optionError('[use_prepared_statements] needs a [prepared_statement_name]');
  if (markCount !== given.length)
    throw optionError(
      `[prepared_statement_bind_values] has ${given.length} values, but the statement ${markCount} placeholders [?]`,
    );
  const parameters = given.map((value) => bindParameter(value, context));
  const constants = parameters.flatMap(({ constantText }) => (constantText === null ? [] : [constantText]));
  if (constants.length > 0 && options.boolean('prepared_statement_warn_on_constant_usage'))
    context.runtime.log.warn('texts without brackets are constants, not fields, in [prepared_statement_bind_values]', {
      pipeline: context.pipelineId,
      plugin: context.pluginId,
      constants: constants.join(', '),
    });
  return parameters;
}
