/**
 * The query language of `query_string`, `simple_query_string` and `q=` to the typed tree.
 *
 * Lucene's classic rules: bare words stand together as one text, AND requires both its sides, `+` and `-` require and
 * forbid, `field:` binds to what follows, `name^2` weighs, `"a b"~2` is a phrase with slop.
 */
import { illegalArgument, ShoalError } from '@shoal/core';
import { MATCH_ALL, type MatchNoneQuery, type Query, type QueryStringQuery } from '@shoal/query';
import type { CompileContext } from '../context/compile-context.ts';
import { CLAUSES_MAX } from '../term-sets/clause-limits.ts';
import { fieldQueries, type LeafText } from './query-string-leaves.ts';

/** Parentheses inside parentheses. */
const NESTING_MAX = 50;
const MATCH_NONE: MatchNoneQuery = { kind: 'matchNone', boost: 1, name: null };

type Occur = 'must' | 'should' | 'mustNot';
interface Clause {
  occur: Occur;
  readonly query: Query;
}

export function queryStringToQuery(ctx: CompileContext, query: QueryStringQuery): Query {
  return new QueryStringParser(ctx, query).parse();
}

class QueryStringParser {
  private readonly ctx: CompileContext;
  private readonly query: QueryStringQuery;
  private readonly text: string;
  private at = 0;
  private depth = 0;
  private clauseCount = 0;

  constructor(ctx: CompileContext, query: QueryStringQuery) {
    this.ctx = ctx;
    this.query = query;
    this.text = query.text;
  }

  parse(): Query {
    const parsed = this.clauses(null);
    if (this.at < this.text.length) throw this.failure(`unexpected [${this.text[this.at]}] at ${this.at + 1}`);
    return parsed;
  }

  private failure(why: string): ShoalError {
    const cause = new ShoalError('parse_exception', 400, `Cannot parse '${this.text}': ${why}`);
    return new ShoalError('query_shard_exception', 400, `Failed to parse query [${this.text}]`, {
      metadata: { index: this.ctx.shard.index, index_uuid: this.ctx.shard.indexUuid },
      causedBy: cause,
    });
  }

  private clauses(field: string | null): Query {
    const clauses: Clause[] = [];
    for (;;) {
      this.skipSpace();
      if (this.at >= this.text.length || this.text[this.at] === ')') break;
      const conjunction = this.conjunction();
      const modifier = this.modifier();
      const query = this.clause(field, conjunction === null && modifier === null);
      if (query) this.addClause(clauses, conjunction, modifier, query);
    }
    return this.combine(clauses);
  }

  private addClause(clauses: Clause[], conjunction: string | null, modifier: string | null, query: Query): void {
    const isAndByDefault = this.query.operator === 'and';
    if (++this.clauseCount > CLAUSES_MAX) throw illegalArgument(`maxClauseCount is set to ${CLAUSES_MAX}`);
    const previous = clauses.at(-1);
    if (previous && previous.occur !== 'mustNot') {
      if (conjunction === 'AND') previous.occur = 'must';
      if (conjunction === 'OR' && isAndByDefault) previous.occur = 'should';
    }
    const isRequired = isAndByDefault ? conjunction !== 'OR' : modifier === '+' || conjunction === 'AND';
    clauses.push({ occur: modifier === '-' ? 'mustNot' : isRequired ? 'must' : 'should', query });
  }

  private combine(clauses: readonly Clause[]): Query {
    const [only] = clauses;
    if (!only) return MATCH_NONE;
    if (clauses.length === 1 && only.occur !== 'mustNot') return only.query;
    const pick = (occur: Occur) => clauses.filter((c) => c.occur === occur).map((c) => c.query);
    const should = pick('should');
    const minimum = should.length > 0 ? this.query.minimumShouldMatch : null;
    return {
      kind: 'bool',
      must: pick('must'),
      filter: [],
      should,
      mustNot: pick('mustNot'),
      minimumShouldMatch: minimum,
      boost: 1,
      name: null,
    };
  }

  private skipSpace(): void {
    while (/\s/.test(this.text[this.at] ?? '')) this.at++;
  }

  private conjunction(): 'AND' | 'OR' | null {
    const match = this.take(/(?:AND|&&|OR|\|\|)(?=[\s(+\-!"]|$)|&&|\|\|/y);
    if (match === null) return null;
    this.skipSpace();
    return match === 'AND' || match === '&&' ? 'AND' : 'OR';
  }

  private modifier(): '+' | '-' | null {
    const match = this.take(/NOT(?=\s)|[+\-!]/y);
    if (match === null) return null;
    this.skipSpace();
    return match === '+' ? '+' : '-';
  }

  private take(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (!match) return null;
    this.at += match[0].length;
    return match[0];
  }

  private clause(outerField: string | null, mayJoin: boolean): Query | null {
    const field = this.fieldName() ?? outerField;
    const c = this.text[this.at];
    if (c === undefined) throw this.failure('Encountered "<EOF>"');
    if (c === '(') return this.group(field);
    if (c === '"') return this.phrase(field);
    if (c === '[' || c === '{') return this.range(field);
    if (c === '/') return this.regexp(field);
    const comparison = field === null ? null : this.take(/[<>]=?/y);
    const text = comparison ? this.word() : this.words(field === outerField && mayJoin);
    if (text === '') throw this.failure(`Encountered "${c}" at ${this.at + 1}`);
    if (comparison) return this.boosted(this.leaf(field, comparisonOf(comparison, plainText(text))));
    const fuzziness = this.take(/~(?:\d(?:\.\d+)?)?/y);
    if (fuzziness !== null) {
      const edits = fuzziness === '~' ? this.query.fuzziness : fuzziness.slice(1);
      return this.boosted(this.leaf(field, { kind: 'fuzzy', text: plainText(text), fuzziness: edits }));
    }
    if (field === '_exists_') return this.boosted({ kind: 'exists', field: plainText(text), boost: 1, name: null });
    if (text === '*' && (field === null || field === '*')) return this.boosted(MATCH_ALL);
    if (text === '*') return this.boosted({ kind: 'exists', field: field ?? '', boost: 1, name: null });
    const isPattern = /(?:^|[^\\])(?:\\\\)*[*?]/.test(text);
    return this.boosted(
      this.leaf(field, isPattern ? { kind: 'pattern', text } : { kind: 'text', text: plainText(text) }),
    );
  }

  private fieldName(): string | null {
    const match = this.take(/(?:\*|(?:[^\s+\-!():^[\]"{}~?\\/|&]|\\.)(?:[^\s!():^[\]"{}~?\\/|&]|\\.)*):(?!$)/y);
    return match === null ? null : plainText(match.slice(0, -1));
  }

  private group(field: string | null): Query {
    if (++this.depth > NESTING_MAX) throw this.failure('too many nested parentheses');
    this.at++;
    const inner = this.clauses(field);
    if (this.text[this.at] !== ')') throw this.failure('Encountered "<EOF>", was expecting ")"');
    this.at++;
    this.depth--;
    return this.boosted(inner);
  }

  private phrase(field: string | null): Query {
    const quoted = this.take(/"(?:[^"\\]|\\.)*"/sy);
    if (quoted === null) throw this.failure('Lexical error: unbalanced quote');
    const slop = this.take(/~\d+/y);
    const text = plainText(quoted.slice(1, -1));
    return this.boosted(
      this.leaf(field, { kind: 'phrase', text, slop: slop === null ? this.query.phraseSlop : Number(slop.slice(1)) }),
    );
  }

  private regexp(field: string | null): Query {
    const written = this.take(/\/(?:[^/\\]|\\.)*\//sy);
    if (written === null) throw this.failure('Lexical error: unbalanced slash');
    const text = written.slice(1, -1).replaceAll('\\/', '/');
    return this.boosted(this.leaf(field, { kind: 'regexp', text }));
  }

  private range(field: string | null): Query {
    const match = /([[{])\s*("(?:[^"\\]|\\.)*"|\S+)\s+TO\s+("(?:[^"\\]|\\.)*"|[^\]}\s]+)\s*([\]}])/y;
    match.lastIndex = this.at;
    const found = match.exec(this.text);
    if (!found) throw this.failure('malformed range');
    this.at += found[0].length;
    const end = (text: string) => (text === '*' ? null : plainText(text.replace(/^"(.*)"$/s, '$1')));
    const [, open, from = '', to = '', close] = found;
    const leaf: LeafText = {
      kind: 'range',
      from: end(from),
      includesFrom: open === '[',
      to: end(to),
      includesTo: close === ']',
    };
    return this.boosted(this.leaf(field, leaf));
  }

  private leaf(field: string | null, text: LeafText): Query {
    return fieldQueries(this.ctx, this.query, field, text);
  }

  private boosted(query: Query): Query {
    const boost = this.take(/\^\d+(?:\.\d+)?/y);
    return boost === null ? query : { ...query, boost: query.boost * Number(boost.slice(1)) };
  }

  private word(): string {
    return this.take(/(?:[^\s!():^[\]"{}~\\]|\\.|(?<=\S)!)+/sy) ?? '';
  }

  /** Bare words with nothing but space between them are one text, analysed as one. */
  private words(mayJoin: boolean): string {
    const first = this.word();
    if (!mayJoin || /(?:^|[^\\])[*?]/.test(first)) return first;
    const words = [first];
    for (;;) {
      const before = this.at;
      if (this.take(/\s+(?!(?:AND|OR|NOT)(?:\s|$)|&&|\|\||[+\-!/])/y) === null) break;
      const start = this.at;
      const next = this.fieldName() === null ? this.word() : '';
      const follows = this.text[this.at] ?? ' ';
      if (next === '' || /[*?]/.test(next) || '^~:'.includes(follows) || start === this.at) {
        this.at = before;
        break;
      }
      words.push(next);
    }
    return words.join(' ');
  }
}

function comparisonOf(operator: string, text: string): LeafText {
  const isLower = operator.startsWith('>');
  const isIncluded = operator.endsWith('=');
  return {
    kind: 'range',
    from: isLower ? text : null,
    includesFrom: isIncluded,
    to: isLower ? null : text,
    includesTo: isIncluded,
  };
}

function plainText(text: string): string {
  return text.replace(/\\(.)/gs, '$1');
}
