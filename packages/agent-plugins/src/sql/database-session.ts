/**
 * One connection that is made again when it was lost.
 */
import type { Runtime } from '@shoal/runtime';
import { connectDatabase } from './connect-database.ts';
import type { DatabaseLogin } from './database-login.ts';
import type { SqlConnection } from './sql-connection.ts';

export class DatabaseSession {
  private readonly login: DatabaseLogin;
  private readonly runtime: Runtime;
  /** A connection that was idle for longer is asked whether it still answers; null: never. */
  private readonly validateAfterMs: number | null;
  private connection: SqlConnection | null = null;
  private usedMs = 0;
  private isClosed = false;

  constructor(login: DatabaseLogin, runtime: Runtime, validateAfterMs: number | null) {
    this.login = login;
    this.runtime = runtime;
    this.validateAfterMs = validateAfterMs;
  }

  /** @throws whatever the client says when no connection can be made */
  async open(): Promise<SqlConnection> {
    if (this.connection === null || !(await this.isUsable(this.connection))) {
      this.connection?.close();
      this.connection = null;
      const connection = await connectDatabase(this.login, this.runtime);
      if (this.isClosed) connection.close();
      this.connection = connection;
    }
    this.usedMs = this.runtime.clock.monotonicMs();
    return this.connection;
  }

  /** Ends the statement that runs, too. */
  close(): void {
    this.isClosed = true;
    this.connection?.close();
    this.connection = null;
  }

  private async isUsable(connection: SqlConnection): Promise<boolean> {
    if (!connection.isOpen || this.validateAfterMs === null) return connection.isOpen;
    if (this.runtime.clock.monotonicMs() - this.usedMs < this.validateAfterMs) return true;
    try {
      const question = { text: 'SELECT 1', values: [], literalText: null, name: null };
      for await (const _ of connection.run(question, 1));
      return connection.isOpen;
    } catch {
      // It is lost, which is what was asked: another is made.
      return false;
    }
  }
}
