/**
 * How often terms occur, of one shard or of several together: what scores are computed from under `dfs_query_then_fetch`.
 *
 * It stands here because shards collect it, the coordinator adds it up, and shards score by the sum.
 */
import { ByteSink, ByteSource, DamagedBytes } from '@shoal/core';

export interface TermCounts {
  readonly docFreq: number;
  readonly totalTermFreq: number;
}

export interface FieldCounts {
  /** Documents that have the field. */
  readonly docCount: number;
  readonly sumTotalTermFreq: number;
  readonly sumDocFreq: number;
}

/** Terms that one query may name. */
const TERMS_MAX = 1_000_000;

export class TermStatisticsTable {
  private readonly fields = new Map<string, FieldCounts>();
  private readonly terms = new Map<string, TermCounts>();

  field(field: string): FieldCounts | null {
    return this.fields.get(field) ?? null;
  }

  setField(field: string, counts: FieldCounts): void {
    this.fields.set(field, counts);
  }

  term(field: string, term: Uint8Array): TermCounts | null {
    return this.terms.get(termKey(field, term)) ?? null;
  }

  setTerm(field: string, term: Uint8Array, counts: TermCounts): void {
    this.terms.set(termKey(field, term), counts);
  }

  /** Adds what another shard knows. */
  add(other: TermStatisticsTable): void {
    for (const [field, { docCount, sumTotalTermFreq, sumDocFreq }] of other.fields) {
      const mine = this.fields.get(field) ?? { docCount: 0, sumTotalTermFreq: 0, sumDocFreq: 0 };
      this.fields.set(field, {
        docCount: mine.docCount + docCount,
        sumTotalTermFreq: mine.sumTotalTermFreq + sumTotalTermFreq,
        sumDocFreq: mine.sumDocFreq + sumDocFreq,
      });
    }
    for (const [key, { docFreq, totalTermFreq }] of other.terms) {
      const mine = this.terms.get(key) ?? { docFreq: 0, totalTermFreq: 0 };
      this.terms.set(key, { docFreq: mine.docFreq + docFreq, totalTermFreq: mine.totalTermFreq + totalTermFreq });
    }
  }

  write(): Uint8Array {
    const sink = new ByteSink();
    sink.varint(this.fields.size);
    for (const [field, { docCount, sumTotalTermFreq, sumDocFreq }] of this.fields) {
      sink.text(field);
      sink.f64(docCount);
      sink.f64(sumTotalTermFreq);
      sink.f64(sumDocFreq);
    }
    sink.varint(this.terms.size);
    for (const [key, { docFreq, totalTermFreq }] of this.terms) {
      sink.text(key);
      sink.f64(docFreq);
      sink.f64(totalTermFreq);
    }
    return sink.copy();
  }

  /** @throws DamagedBytes */
  static read(bytes: Uint8Array): TermStatisticsTable {
    const from = new ByteSource(bytes);
    const table = new TermStatisticsTable();
    for (let left = countOf(from); left > 0; left--) {
      const field = from.text();
      table.fields.set(field, { docCount: amount(from), sumTotalTermFreq: amount(from), sumDocFreq: amount(from) });
    }
    for (let left = countOf(from); left > 0; left--) {
      const key = from.text();
      table.terms.set(key, { docFreq: amount(from), totalTermFreq: amount(from) });
    }
    if (from.at !== bytes.length) throw new DamagedBytes(`${bytes.length - from.at} bytes behind the statistics`);
    return table;
  }
}

/** Bytes of a term as characters, so that any term is a text. */
function termKey(field: string, term: Uint8Array): string {
  return `${field}\0${Buffer.from(term).toString('latin1')}`;
}

function countOf(from: ByteSource): number {
  const count = from.varint();
  if (count > TERMS_MAX) throw new DamagedBytes(`statistics of ${count} terms`);
  return count;
}

function amount(from: ByteSource): number {
  const value = from.f64();
  if (!(value >= 0)) throw new DamagedBytes(`a count of ${value}`);
  return value;
}
