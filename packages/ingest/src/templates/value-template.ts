/**
 * Configured values that may hold templates: a text, a path, or any JSON with texts in it.
 */

import { isTemplate, type MediaType, TemplateScript } from '@shoal/script';
import { type FieldPath, parseFieldPath } from '../document/field-path.ts';
import type { IngestDocument } from '../document/ingest-document.ts';
import type { DocumentMap, DocumentValue } from '../values/document-value.ts';

/** Gives a value for a document; what it gives belongs to the document. */
export type ValueTemplate = (document: IngestDocument) => DocumentValue;
export type TextTemplate = (document: IngestDocument) => string;
export type PathTemplate = (document: IngestDocument) => FieldPath;

/** @throws script_exception for what is no template */
export function textTemplate(source: string, mediaType: MediaType = 'application/json'): TextTemplate {
  if (!isTemplate(source)) return () => source;
  const template = new TemplateScript(source, mediaType);
  return (document) => template.render(scopesOf(document));
}

/** @throws script_exception for what is no template, illegal_argument_exception for what is no path */
export function pathTemplate(source: string): PathTemplate {
  if (!isTemplate(source)) {
    const path = parseFieldPath(source);
    return () => path;
  }
  const text = textTemplate(source);
  return (document) => parseFieldPath(text(document));
}

/** Texts in lists and objects, and names in objects, are templates too. */
export function valueTemplate(source: DocumentValue, mediaType: MediaType = 'application/json'): ValueTemplate {
  if (typeof source === 'string') return textTemplate(source, mediaType);
  if (Array.isArray(source)) {
    const items = source.map((item) => valueTemplate(item, mediaType));
    return (document) => items.map((item) => item(document));
  }
  if (source instanceof Map) {
    const members = [...source].map(
      ([name, value]) => [textTemplate(name, mediaType), valueTemplate(value, mediaType)] as const,
    );
    return (document) => new Map(members.map(([name, value]) => [name(document), value(document)]));
  }
  return () => source;
}

function scopesOf(document: IngestDocument): readonly DocumentMap[] {
  const outer: DocumentMap = new Map([
    ['_source', document.fields],
    ['_ingest', document.ingest],
  ]);
  return [document.fields, outer];
}
