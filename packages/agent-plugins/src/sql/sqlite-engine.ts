/**
 * SQLite: the module of Node where it has one, which keeps SQLite's own locks on files; the package `node-sqlite3-wasm` on older Nodes.
 */
import { loadOptionalPackage } from '@shoal/agent-plugin-kit';

const PACKAGE = { name: 'node-sqlite3-wasm', version: '0.8' };

export type SqliteValue = null | string | number | bigint | Uint8Array;

export interface SqliteStatement {
  /** Rows by name of column; a name that comes twice has its last value. */
  rows(values: readonly SqliteValue[]): Iterable<Readonly<Record<string, SqliteValue>>>;
  run(values: readonly SqliteValue[]): void;
  /** Declared type of each column of a table, by its name in the result; null where nothing tells them. */
  declaredTypes(): ReadonlyMap<string, string> | null;
  end(): void;
}

export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

export interface SqliteEngine {
  /** Other processes may write to a file that is open here. */
  readonly sharesFiles: boolean;
  open(path: string, options: { readonly isReadOnly: boolean; readonly busyMs: number }): SqliteDatabase;
}

interface NodeStatement {
  iterate(...values: readonly SqliteValue[]): Iterable<Readonly<Record<string, SqliteValue>>>;
  run(...values: readonly SqliteValue[]): unknown;
  setReadBigInts(isOn: boolean): void;
  columns?(): readonly { readonly name: string; readonly type: string | null }[];
}

interface NodeModule {
  readonly DatabaseSync: new (
    path: string,
    options: object,
  ) => { exec(sql: string): void; prepare(sql: string): NodeStatement; close(): void };
}

interface WasmStatement {
  iterate(values: readonly SqliteValue[]): Iterable<Readonly<Record<string, SqliteValue>>>;
  run(values: readonly SqliteValue[]): unknown;
  finalize(): void;
}

interface WasmModule {
  readonly Database: new (
    path: string,
    options: object,
  ) => { exec(sql: string): void; prepare(sql: string): WasmStatement; close(): void };
}

/** @throws ShoalError when this Node has no SQLite and the package is not installed */
export async function sqliteEngine(plugin: string): Promise<SqliteEngine> {
  const own = nodeModule();
  if (own !== null) return nodeEngine(own);
  const loaded = (await loadOptionalPackage(PACKAGE, `${plugin} with SQLite on a Node before 22.13`)) as WasmModule & {
    readonly default?: WasmModule;
  };
  return wasmEngine(loaded.default ?? loaded);
}

/** null on a Node without it. Before 22.13 it stood behind a flag and could not give rows one by one. */
function nodeModule(): NodeModule | null {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 22 || (major === 22 && minor < 13) || (major === 23 && minor < 4)) return null;
  return process.getBuiltinModule('node:sqlite') as unknown as NodeModule;
}

function nodeEngine({ DatabaseSync }: NodeModule): SqliteEngine {
  return {
    sharesFiles: true,
    open(path, { isReadOnly, busyMs }) {
      const database = new DatabaseSync(path, { readOnly: isReadOnly });
      database.exec(`PRAGMA busy_timeout = ${busyMs}`);
      return {
        exec: (sql) => database.exec(sql),
        prepare(sql) {
          const statement = database.prepare(sql);
          statement.setReadBigInts(true);
          return {
            rows: (values) => statement.iterate(...values),
            run: (values) => void statement.run(...values),
            declaredTypes: () => typesOf(statement),
            end: () => undefined,
          };
        },
        close: () => database.close(),
      };
    },
  };
}

function typesOf(statement: NodeStatement): ReadonlyMap<string, string> | null {
  const columns = statement.columns?.();
  if (columns === undefined) return null;
  return new Map(columns.map(({ name, type }) => [name, type ?? '']));
}

function wasmEngine({ Database }: WasmModule): SqliteEngine {
  return {
    sharesFiles: false,
    open(path, { isReadOnly, busyMs }) {
      const database = new Database(path, { readOnly: isReadOnly, fileMustExist: path !== ':memory:' });
      database.exec(`PRAGMA busy_timeout = ${busyMs}`);
      return {
        exec: (sql) => database.exec(sql),
        prepare(sql) {
          const statement = database.prepare(sql);
          return {
            rows: (values) => statement.iterate(values),
            run: (values) => void statement.run(values),
            declaredTypes: () => null,
            end: () => statement.finalize(),
          };
        },
        close: () => database.close(),
      };
    },
  };
}
