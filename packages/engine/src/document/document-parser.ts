/**
 * Documents to values by the mapping: what is indexed, and which fields the mapping still lacks.
 *
 * Pure. A document is parsed whole before anything of it is indexed, so that a refused one leaves no trace. It never
 * changes the mapping: new fields are returned, and the document is parsed again when they are confirmed.
 */

import { ANY_TOKENS, assert, illegalArgument, isShoalError, JSON_TOKENS_MAX, parseJson } from '@shoal/core';
import {
  type AssignedTemplates,
  checkAssigned,
  type DateFormatter,
  dateFormatter,
  type Mapping,
  type MappingJson,
  TIMESTAMP_FIELD,
  withAssignedTemplates,
} from '@shoal/schema';
import { addContexts } from './completion-contexts.ts';
import type { DocumentLimits } from './document-limits.ts';
import { DocumentWalk } from './document-walk.ts';
import { mappingUpdate } from './dynamic-mapping.ts';
import { FieldBudget } from './field-budget.ts';
import { mapperParsing } from './mapper-errors.ts';
import type { ParsedDocument } from './parsed-document.ts';
import { PlainDocumentReader } from './plain-document.ts';

export interface ParseOutcome {
  readonly document: ParsedDocument;
  /** Fields that the mapping lacks, as a mapping update; null when it has all. */
  readonly mappingUpdate: MappingJson | null;
}

/** `index.mapping.nested_objects.limit` where it is not set. */
const NESTED_MAX = 10_000;

interface WrittenDocument {
  readonly id: string;
  readonly source: Uint8Array;
  readonly routing: string | null;
  /** What does not fit is left out, and refuses nothing. */
  readonly leavesOutMisfits: boolean;
}

/** Parses documents of one mapping. */
export class DocumentParser {
  readonly mapping: Mapping;
  private readonly formatters = new Map<string, DateFormatter>();
  private readonly dates = (format: string): DateFormatter => {
    let formatter = this.formatters.get(format);
    if (formatter === undefined) {
      formatter = dateFormatter(format);
      this.formatters.set(format, formatter);
    }
    return formatter;
  };

  private readonly plain: PlainDocumentReader | null;

  private readonly limits: DocumentLimits | null;

  /** Any field has contexts that other fields may give. */
  private readonly hasContexts: boolean;

  /** @param limits of the index; null: the usual ones */
  constructor(mapping: Mapping, limits: DocumentLimits | null = null) {
    this.hasContexts = [...mapping.fields.values()].some(({ completion }) => (completion?.contexts ?? []).length > 0);
    this.mapping = mapping;
    this.limits = limits;
    this.plain = mapping.objects.get('')?.isEnabled === false ? null : new PlainDocumentReader(mapping);
  }

  /** Throws `mapper_parsing_exception` or `strict_dynamic_mapping_exception`. */
  parse(
    id: string,
    source: Uint8Array,
    routing: string | null = null,
    templates: AssignedTemplates | null = null,
  ): ParseOutcome {
    const mapping = templates === null ? this.mapping : withAssignedTemplates(this.mapping, templates);
    const walk = this.walk(mapping, { id, source, routing, leavesOutMisfits: false });
    const { newFields, newRuntime } = walk;
    if (templates !== null) {
      checkAssigned(this.mapping, templates, (path) => newFields.has(path) || newRuntime.has(path));
    }
    assert(walk.fields.length === walk.values.length, `${walk.fields.length} fields, ${walk.values.length} values`);
    if (this.mapping.requiresTimestamp) checkTimestamp(walk);
    return {
      document: { fields: walk.fields, values: walk.values, nested: walk.nested, isAccepted: false },
      mappingUpdate: mappingUpdate(this.mapping, { fields: newFields, runtime: newRuntime }),
    };
  }

  /**
   * A document that was accepted before. What does not fit is left out: the field was mapped after the document was
   * written, so that it never was in the index; and a document that somebody was promised is never refused.
   */
  parseAccepted(id: string, source: Uint8Array, routing: string | null = null): ParsedDocument {
    const written = { id, source, routing, leavesOutMisfits: true };
    const { fields, values, nested } = this.walk(this.mapping, written);
    return { fields, values, nested, isAccepted: true };
  }

  private walk(mapping: Mapping, written: WrittenDocument): DocumentWalk {
    const { dates, limits } = this;
    const { source, leavesOutMisfits } = written;
    const budget = new FieldBudget(mapping, limits, leavesOutMisfits);
    const nestedMax = limits?.nestedObjectsLimit ?? NESTED_MAX;
    const walk = new DocumentWalk({ ...written, mapping, dates, nestedMax, budget });
    const plain = this.plain?.read(source) ?? null;
    if (plain === null) this.walkExactly(walk, source, leavesOutMisfits ? ANY_TOKENS : JSON_TOKENS_MAX);
    else walk.plain(plain);
    walk.finish();
    // With new fields it is read once more, when their types are known: until then contexts may be missing.
    if (this.hasContexts && walk.newFields.size === 0)
      for (const part of [walk, ...walk.nested]) addContexts(part, leavesOutMisfits);
    return walk;
  }

  private walkExactly(walk: DocumentWalk, source: Uint8Array, tokensMax: number): void {
    let json: unknown;
    try {
      json = parseJson(source, tokensMax);
    } catch (error) {
      if (isShoalError(error)) throw mapperParsing('failed to parse', error);
      throw error;
    }
    if (typeof json !== 'object' || json === null || Array.isArray(json)) {
      throw mapperParsing(
        'failed to parse',
        illegalArgument(`document must be a JSON object but is a ${Array.isArray(json) ? 'START_ARRAY' : 'VALUE'}`),
      );
    }
    const root = this.mapping.objects.get('');
    if (root?.isEnabled !== false) walk.object('', Object.entries(json), root?.dynamic ?? 'true');
  }
}

/** @throws mapper_parsing_exception when the document of a data stream has not exactly one time */
function checkTimestamp({ fields }: DocumentWalk): void {
  const count = fields.reduce((sum, field) => sum + (field.path === TIMESTAMP_FIELD ? 1 : 0), 0);
  if (count === 1) return;
  const fault = count === 0 ? 'is missing' : 'encountered multiple values';
  throw mapperParsing('failed to parse', illegalArgument(`data stream timestamp field [${TIMESTAMP_FIELD}] ${fault}`));
}
