/**
 * The hits of an answer as JSON, written hit by hit: a search shows the same few members for each of them, and documents
 * pass through as bytes.
 */

import type { SearchHit } from '@shoal/coordinator';
import { FloatNumber, RawJson, writeJson, writeJsonText } from '@shoal/core';
import type { SearchRequest } from '@shoal/query';
import { type DateFormatter, dateFormatter } from '@shoal/schema';
import { type ShardQueryResult, type SortColumn, sortValueForHit } from '@shoal/shard-api';
import { shownFields } from './shown-fields.ts';

export class HitsJson {
  private readonly request: SearchRequest;
  /** Date formats by sort field; null where values are shown as they are. */
  private readonly formatters: readonly (DateFormatter | null)[];
  private readonly showsSort: boolean;
  private readonly showsIds: boolean;
  /** Position of the scores among the columns of a result; -1 without scores. */
  private readonly scoreColumn: number;
  private readonly parts: (string | Uint8Array)[] = [];
  /** Text that is not yet among the parts. */
  private text = '[';
  private isFirst = true;
  /** Printed beginning that most hits share. */
  private index = '';
  private indexJson = '';
  private score = Number.NaN;
  private scoreJson = '';

  constructor(request: SearchRequest) {
    this.request = request;
    this.formatters = request.sort.map(({ format }) => (format === null ? null : dateFormatter(format)));
    this.showsSort = !sortsByScoreAlone(request);
    this.showsIds = request.storedFields?.includes('_none_') !== true;
    this.scoreColumn = request.sort.length === 0 ? 0 : request.sort.findIndex((field) => field.kind === 'score');
  }

  /** `innerHits`: a value for `writeJson`; undefined without any. */
  add(found: SearchHit, innerHits: unknown): void {
    const { request } = this;
    const { hit, result, position } = found;
    this.text += this.isFirst ? '{' : ',{';
    this.isFirst = false;
    if (hit.explanation !== null) {
      this.text += `"_shard":${JSON.stringify(`[${found.index}][${found.shardNumber}]`)},`;
      this.text += `"_node":${JSON.stringify(found.nodeId)},`;
    }
    this.text += `"_index":${this.printedIndex(found.index)}`;
    if (this.showsIds) this.text += `,"_id":${JSON.stringify(hit.id)}`;
    if (request.version) this.text += `,"_version":${hit.version}`;
    if (request.seqNoPrimaryTerm) this.text += `,"_seq_no":${hit.seqNo},"_primary_term":${hit.primaryTerm}`;
    this.text += `,"_score":${this.printedScore(result, position)}`;
    if (hit.routing !== null) this.text += `,"_routing":${JSON.stringify(hit.routing)}`;
    if (this.showsIds) this.member('_ignored', hit.ignored);
    this.member('_source', hit.source);
    const fields = hit.fields === null && found.fields === null ? undefined : shownFields(found);
    if (fields !== undefined) this.member('fields', writeJson(fields));
    this.member('ignored_field_values', hit.ignoredValues);
    this.member('highlight', hit.highlight);
    if (this.showsSort) this.text += `,"sort":${this.printedSort(result, position)}`;
    this.member('matched_queries', hit.matchedQueries);
    this.member('_explanation', hit.explanation?.tree ?? null);
    if (innerHits !== undefined) this.member('inner_hits', writeJson(innerHits));
    this.text += '}';
  }

  finish(): RawJson {
    const parts = [...this.parts, `${this.text}]`];
    let length = 0;
    for (const part of parts) length += typeof part === 'string' ? Buffer.byteLength(part) : part.length;
    const bytes = Buffer.allocUnsafe(length);
    let at = 0;
    for (const part of parts) {
      if (typeof part === 'string') at += bytes.write(part, at);
      else {
        bytes.set(part, at);
        at += part.length;
      }
    }
    return new RawJson(bytes);
  }

  private member(name: string, json: Uint8Array | null): void {
    if (json === null) return;
    this.parts.push(`${this.text},"${name}":`, json);
    this.text = '';
  }

  private printedIndex(index: string): string {
    if (index !== this.index) {
      this.index = index;
      this.indexJson = JSON.stringify(index);
    }
    return this.indexJson;
  }

  private printedScore(result: ShardQueryResult, position: number): string {
    const score = result.scores?.[position] ?? scoreKey(result.columns[this.scoreColumn], position);
    if (score === null) return 'null';
    // Filters give every hit the same.
    if (score !== this.score) {
      this.score = score;
      this.scoreJson = new FloatNumber(score).toString();
    }
    return this.scoreJson;
  }

  private printedSort(result: ShardQueryResult, position: number): string {
    let text = '';
    for (const [k, column] of result.columns.entries()) {
      const value = shownSortValue(column, position, this.formatters[k]);
      text += text === '' ? '[' : ',';
      text += Number.isSafeInteger(value) ? String(value) : writeJsonText(value);
    }
    return text === '' ? '[]' : `${text}]`;
  }
}

/** Dates in the format that the sort asks for; shards take a format for dates alone. */
function shownSortValue(column: SortColumn, position: number, formatter: DateFormatter | null | undefined): unknown {
  const value = sortValueForHit(column, position);
  return formatter && column.kind === 'integer' && typeof value === 'number' ? formatter.print(value) : value;
}

/** Sorting by `_score` alone is what a search without a sort does, and is answered alike. */
function sortsByScoreAlone(request: SearchRequest): boolean {
  const [only] = request.sort;
  return only === undefined || (request.sort.length === 1 && only.kind === 'score' && only.order === 'desc');
}

function scoreKey(column: SortColumn | undefined, position: number): number | null {
  return column?.kind === 'score' ? (column.values[position] ?? 0) : null;
}
