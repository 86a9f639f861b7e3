/**
 * The statement of the jdbc input: as it is, prepared, or page by page.
 */
import { toEventValue } from '@shoal/agent-event';
import type { PluginOptions } from '@shoal/agent-plugin-kit';
import { integerValue, type RowValue, SqlDecimal } from '../../sql/row-values.ts';
import { allRows, type RowBatch, type SqlConnection } from '../../sql/sql-connection.ts';
import { type BoundStatement, SqlStatement, type StatementDialect } from '../../sql/sql-statement.ts';
import type { LastValueTracker } from './last-value.ts';

const LAST_VALUE = 'sql_last_value';

export class JdbcStatement {
  readonly source: string;
  private readonly statement: SqlStatement;
  private readonly dialect: StatementDialect;
  private readonly parameters: ReadonlyMap<string, RowValue>;
  private readonly fetchRows: number;
  private readonly pageSize: number;
  private readonly mode: 'whole' | 'prepared' | 'auto' | 'explicit';
  private readonly boundValues: readonly RowValue[];
  private readonly name: string;

  constructor(options: PluginOptions, statement: SqlStatement, dialect: StatementDialect, fetchRows: number) {
    this.statement = statement;
    this.source = statement.source;
    this.dialect = dialect;
    this.fetchRows = fetchRows;
    this.parameters = new Map([...options.hash('parameters')].map(([name, value]) => [name, toEventValue(value)]));
    this.pageSize = options.number('jdbc_page_size');
    this.mode = modeOf(options);
    this.name = options.string('prepared_statement_name');
    this.boundValues = (options.value('prepared_statement_bind_values') as readonly unknown[]).map(toEventValue);
  }

  batches(connection: SqlConnection, tracker: LastValueTracker): AsyncIterable<RowBatch> {
    switch (this.mode) {
      case 'prepared':
        return connection.run(this.prepared(tracker), this.fetchRows);
      case 'auto':
        return this.countedPages(connection, tracker);
      case 'explicit':
        return this.explicitPages(connection, tracker);
      default:
        return connection.run(this.bound(this.statement, tracker), this.fetchRows);
    }
  }

  private prepared(tracker: LastValueTracker): BoundStatement {
    const isLast = (value: RowValue): boolean => value === `:${LAST_VALUE}`;
    const fromColumn = tracker.isFromColumn ? this.boundValues.flatMap((value, i) => (isLast(value) ? [i] : [])) : [];
    const values = this.boundValues.map((value) => (isLast(value) ? tracker.value : value));
    return this.statement.withMarks(values, this.name, new Set(fromColumn));
  }

  private bound(
    statement: SqlStatement,
    tracker: LastValueTracker,
    more: Iterable<readonly [string, RowValue]> = [],
  ): BoundStatement {
    const values = new Map<string, RowValue>([...this.parameters, [LAST_VALUE, tracker.value], ...more]);
    return statement.withNames(values, new Set(tracker.isFromColumn ? [LAST_VALUE] : []));
  }

  /** The statement is counted first, and then read in parts of its own result. */
  private async *countedPages(
    connection: SqlConnection,
    tracker: LastValueTracker,
  ): AsyncGenerator<RowBatch, void, undefined> {
    // The line break ends a comment at the end of the statement.
    const inner = `(${this.source.replace(/[;\s]+$/, '')}\n) AS t1`;
    const count = new SqlStatement(`SELECT count(*) AS n FROM ${inner}`, this.dialect);
    const { rows } = await allRows(connection, this.bound(count, tracker), 1);
    const total = numberOf(rows[0]?.[0]);
    for (let offset = 0; offset < total; offset += this.pageSize) {
      const page = new SqlStatement(`SELECT * FROM ${inner} LIMIT ${this.pageSize} OFFSET ${offset}`, this.dialect);
      yield* connection.run(this.bound(page, tracker), this.fetchRows);
    }
  }

  /** `:size` and `:offset` stand in the statement itself; a page that is not full is the last. */
  private async *explicitPages(
    connection: SqlConnection,
    tracker: LastValueTracker,
  ): AsyncGenerator<RowBatch, void, undefined> {
    for (let offset = 0; ; offset += this.pageSize) {
      let count = 0;
      const page = this.bound(this.statement, tracker, [
        ['offset', offset],
        ['size', this.pageSize],
      ]);
      for await (const batch of connection.run(page, this.fetchRows)) {
        count += batch.rows.length;
        yield batch;
      }
      if (count !== this.pageSize) return;
    }
  }
}

function modeOf(options: PluginOptions): 'whole' | 'prepared' | 'auto' | 'explicit' {
  if (options.boolean('use_prepared_statements')) return 'prepared';
  if (!options.boolean('jdbc_paging_enabled')) return 'whole';
  return options.string('jdbc_paging_mode') === 'explicit' ? 'explicit' : 'auto';
}

function numberOf(value: RowValue | undefined): number {
  return Number(value instanceof SqlDecimal ? integerValue(value.text) : (value ?? 0));
}
