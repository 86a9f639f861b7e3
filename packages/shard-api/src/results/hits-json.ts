/**
 * The hits of an answer as JSON, written hit by hit: a search shows the same few members for each of them, and documents
 * pass through as bytes.
 */

import { FloatNumber, RawJson, writeJson, writeJsonText } from '@shoal/core';
import type { HitOptions } from '@shoal/query';
import { type DateFormatter, dateFormatter } from '@shoal/schema';
import { sortValueForHit } from '../columns/compare-columns.ts';
import type { SortColumn } from '../columns/sort-column.ts';
import type { NestedStep } from '../source/nested-source.ts';
import { joinedObjects } from './joined-objects.ts';
import type { FetchedHit } from './shard-results.ts';

/** Order of a list of hits: sort values, or scores, by position. */
interface HitColumns {
  readonly columns: readonly SortColumn[];
  readonly scores: Float32Array | null;
}

export interface ShownHit {
  readonly index: string;
  readonly shardNumber: number;
  /** The node whose copy answered; null: not known. */
  readonly nodeId: string | null;
  readonly hit: FetchedHit;
  /** Stored fields that were asked for; null without any. */
  readonly fields: Readonly<Record<string, readonly unknown[]>> | null;
  readonly result: HitColumns;
  /** Where it stands in the columns. */
  readonly position: number;
  /** Where it stands in its document, from the outermost object on; left out for documents. */
  readonly nested?: readonly NestedStep[];
}

/** What kind of list the hits are in. */
export interface HitsForm {
  /** Within another hit or a bucket: sorted by fields too, hits have scores only where those are tracked. */
  readonly isInner: boolean;
  /** Each is the first of a group. */
  readonly isCollapsed: boolean;
  /** Hits have a `_type`. */
  readonly showsTypes: boolean;
}

const PAGE_FORM: HitsForm = { isInner: false, isCollapsed: false, showsTypes: false };
/** The one type that documents of version 7 have. */
const SINGLE_TYPE = '_doc';

export class HitsJson {
  private readonly request: HitOptions;
  private readonly showsTypes: boolean;
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

  constructor(request: HitOptions, { isInner, isCollapsed, showsTypes }: HitsForm = PAGE_FORM) {
    this.request = request;
    this.showsTypes = showsTypes;
    this.formatters = request.sort.map(({ format }) => (format === null ? null : dateFormatter(format)));
    this.showsSort = !sortsByScoreAlone(request, isCollapsed);
    this.showsIds = request.storedFields?.includes('_none_') !== true;
    const byScore = isInner ? -1 : request.sort.findIndex((field) => field.kind === 'score');
    this.scoreColumn = this.showsSort ? byScore : 0;
  }

  /** @param groups shown beside the inner hits of the hit: values for `writeJson` by their names; null without any */
  add(found: ShownHit, groups: Readonly<Record<string, unknown>> | null): void {
    const { request } = this;
    const { hit, result, position } = found;
    this.text += this.isFirst ? '{' : ',{';
    this.isFirst = false;
    if (hit.explanation !== null) {
      this.text += `"_shard":${JSON.stringify(`[${found.index}][${found.shardNumber}]`)},`;
      if (found.nodeId !== null) this.text += `"_node":${JSON.stringify(found.nodeId)},`;
    }
    this.text += `"_index":${this.printedIndex(found.index)}`;
    if (this.showsTypes) this.text += `,"_type":"${SINGLE_TYPE}"`;
    if (this.showsIds) this.text += `,"_id":${JSON.stringify(hit.id)}`;
    if (found.nested !== undefined) this.text += `,"_nested":${JSON.stringify(identity(found.nested))}`;
    if (request.version) this.text += `,"_version":${hit.version}`;
    // Nested objects share the numbers of their document, and do not show them.
    if (request.seqNoPrimaryTerm && found.nested === undefined)
      this.text += `,"_seq_no":${hit.seqNo},"_primary_term":${hit.primaryTerm}`;
    this.text += `,"_score":${this.printedScore(result, position)}`;
    if (hit.routing !== null && this.showsIds) this.text += `,"_routing":${JSON.stringify(hit.routing)}`;
    if (this.showsIds) this.member('_ignored', hit.ignored);
    this.member('_source', hit.source);
    const fields = joinedObjects(hit.fields, found.fields);
    if (fields !== undefined) this.member('fields', writeJson(fields));
    this.member('ignored_field_values', hit.ignoredValues);
    this.member('highlight', hit.highlight);
    if (this.showsSort) this.text += `,"sort":${this.printedSort(result, position)}`;
    this.member('matched_queries', hit.matchedQueries);
    this.member('_explanation', hit.explanation?.tree ?? null);
    const innerHits = joinedObjects(hit.innerHits, groups);
    if (innerHits !== undefined) this.member('inner_hits', writeJson(innerHits));
    this.text += '}';
  }

  /** The list of hits. */
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

  private printedScore(result: HitColumns, position: number): string {
    const score = result.scores?.[position] ?? scoreKey(result.columns[this.scoreColumn], position);
    if (score === null) return 'null';
    // Filters give every hit the same.
    if (score !== this.score) {
      this.score = score;
      this.scoreJson = new FloatNumber(score).toString();
    }
    return this.scoreJson;
  }

  private printedSort(result: HitColumns, position: number): string {
    let text = '';
    for (const [k, column] of result.columns.entries()) {
      const value = shownSortValue(column, position, this.formatters[k]);
      text += text === '' ? '[' : ',';
      text += Number.isSafeInteger(value) ? String(value) : writeJsonText(value);
    }
    return text === '' ? '[]' : `${text}]`;
  }
}

/** `_nested` of a hit. */
function identity([first, ...inner]: readonly NestedStep[]): unknown {
  return inner.length === 0 ? first : { ...first, _nested: identity(inner) };
}

/** Dates in the format that the sort asks for; shards take a format for dates alone. */
function shownSortValue(column: SortColumn, position: number, formatter: DateFormatter | null | undefined): unknown {
  const value = sortValueForHit(column, position);
  return formatter && column.kind === 'integer' && typeof value === 'number' ? formatter.print(value) : value;
}

/** Sorting by `_score` alone is what a search without a sort does, and is answered alike; the first of groups in either order. */
function sortsByScoreAlone({ sort }: HitOptions, isCollapsed: boolean): boolean {
  const [only] = sort;
  if (only === undefined) return true;
  return sort.length === 1 && only.kind === 'score' && (isCollapsed || only.order === 'desc');
}

function scoreKey(column: SortColumn | undefined, position: number): number | null {
  return column?.kind === 'score' ? (column.values[position] ?? 0) : null;
}
