/**
 * A connection to a database as the plugins use it: statements in, batches of rows out.
 */

import type { DatabaseKind } from './jdbc-url.ts';
import type { RowValue } from './row-values.ts';
import type { BoundStatement } from './sql-statement.ts';

export interface RowBatch {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly RowValue[])[];
}

export interface SqlConnection {
  readonly kind: DatabaseKind;
  /** false after the connection was lost or closed. */
  readonly isOpen: boolean;
  /**
   * Rows in batches of about `fetchRows`; the next batch is asked for when the one before is done with. Who leaves early, or
   * fails, has no use for the connection any more: it is closed.
   */
  run(statement: BoundStatement, fetchRows: number): AsyncIterable<RowBatch>;
  close(): void;
}

/** All rows of a statement that is to give few. @throws ShoalError beyond `rowsMax` */
export async function allRows(
  connection: SqlConnection,
  statement: BoundStatement,
  rowsMax: number,
): Promise<RowBatch> {
  let columns: readonly string[] = [];
  const rows: (readonly RowValue[])[] = [];
  for await (const batch of connection.run(statement, Math.min(rowsMax, 1_000))) {
    columns = batch.columns;
    for (const row of batch.rows) rows.push(row);
    if (rows.length > rowsMax) throw new Error(`the statement gives more than ${rowsMax} rows`);
  }
  return { columns, rows };
}
