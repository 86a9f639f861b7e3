import { describe, expect, test } from 'vitest';
import type { DatabaseKind } from './jdbc-url.ts';
import { cutSql } from './sql-text.ts';

const values = (sql: string, kind: DatabaseKind = 'postgresql'): string[] =>
  cutSql(sql, kind).flatMap((piece) =>
    piece.kind === 'name' ? [`:${piece.name}`] : piece.kind === 'mark' ? ['?'] : [],
  );

describe('places for values in a statement', () => {
  test('are names behind a colon, and question marks', () => {
    expect(values('SELECT :a, b FROM c WHERE d=:e1 AND f=?')).toEqual([':a', ':e1', '?']);
  });

  test.each([
    "SELECT ':a', 'it''s :b'",
    'SELECT ":a"',
    'SELECT a::int, b :: text',
    'SELECT 1 -- :a\n',
    'SELECT /* :a /* :b */ :c */ 1',
    'SELECT $$:a$$, $x$ :b $$ $x$',
    String.raw`SELECT E'\':a'`,
    "SELECT '12:30:00'",
  ])('never stand in quotes, comments and casts: %s', (sql) => {
    expect(values(sql)).toEqual([]);
  });

  test('follow the quotes of each database', () => {
    expect(values(String.raw`SELECT '\', :a, '`)).toEqual([':a']);
    expect(values(String.raw`SELECT '\', :a, '`, 'mysql')).toEqual([]);
    expect(values('SELECT `:a` # :b\n, :c', 'mysql')).toEqual([':c']);
    expect(values('SELECT 5--:a', 'mysql')).toEqual([':a']);
    expect(values('SELECT [:a], :b', 'sqlite')).toEqual([':b']);
    expect(values('SELECT x[1:n]')).toEqual([':n']);
    expect(values('SELECT @x := :a', 'mysql')).toEqual([':a']);
  });

  test('keep every character of the rest', () => {
    const sql = "SELECT :a, ':b' -- é\nFROM t WHERE x = ? /* end";
    const text = cutSql(sql, 'postgresql').map((p) =>
      p.kind === 'text' ? p.text : p.kind === 'mark' ? '?' : `:${p.name}`,
    );
    expect(text.join('')).toBe(sql);
  });
});
