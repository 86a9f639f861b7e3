/**
 * SQL of Derby, the database in memory of Logstash, as SQLite has it: what lookups and tables of configurations really use.
 */
import { optionError } from '@shoal/agent-plugin-kit';
import { cutSql } from '../../sql/sql-text.ts';

const TYPE =
  /^(?:(?:VAR)?CHAR|CHARACTER(?: VARYING)?|LONG VARCHAR|CLOB|BLOB|INT|INTEGER|SMALLINT|BIGINT|REAL|DOUBLE|DOUBLE PRECISION|FLOAT|DECIMAL|DEC|NUMERIC|DATE|TIME|TIMESTAMP|BOOLEAN|XML|TEXT|DATETIME)(?:\s*\(\s*\d+\s*[KMG]?\s*(?:,\s*\d+\s*)?\))?(?: FOR BIT DATA)?(?: NOT NULL)?$/i;
const FETCH = /\bFETCH\s+(?:FIRST|NEXT)(?:\s+(\d+))?\s+ROWS?\s+ONLY\b/i;
const OFFSET = /\bOFFSET\s+(\d+)\s+ROWS?\b/i;

/** @throws ShoalError for what is no type: it becomes a part of a statement */
export function derbyType(text: string): string {
  const type = text.trim().replace(/\s+/g, ' ');
  if (!TYPE.test(type)) throw optionError(`a column of [local_db_objects] has the type [${text}], which is not known`);
  return type;
}

/** `OFFSET 2 ROWS FETCH FIRST 3 ROWS ONLY` is `LIMIT 3 OFFSET 2`. */
export function derbySql(sql: string): string {
  const pieces = cutSql(sql.replace(/[;\s]+$/, ''), 'sqlite');
  return pieces
    .map((piece) => {
      if (piece.kind === 'name') return `:${piece.name}`;
      return piece.kind === 'mark' ? '?' : limited(piece.text);
    })
    .join('');
}

function limited(text: string): string {
  const offset = OFFSET.exec(text)?.[1];
  const fetch = FETCH.exec(text);
  if (fetch === null && offset === undefined) return text;
  const limit = `LIMIT ${fetch === null ? -1 : (fetch[1] ?? 1)}${offset === undefined ? '' : ` OFFSET ${offset}`}`;
  return text.replace(OFFSET, fetch === null ? limit : '').replace(FETCH, limit);
}
