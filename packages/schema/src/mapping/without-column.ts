/**
 * Reasons why a field has no values by document to sort or aggregate by.
 */

/** Reason of a text field whose values by document were not asked for. */
export function noFielddata(path: string): string {
  return `Text fields are not optimised for operations that require per-document field data like aggregations and sorting, so these operations are disabled by default. Please use a keyword field instead. Alternatively, set fielddata=true on [${path}] in order to load field data by uninverting the inverted index. Note that this can use significant memory.`;
}

/** Reason of a field that was declared without doc values. */
export function noDocValues(path: string, kind: string): string {
  return `Can't load fielddata on [${path}] because fielddata is unsupported on fields of type [${kind}]. Use doc values instead.`;
}

/** Reason of a field whose type has no values by document. */
export function noColumn(path: string, kind: string): string {
  return `Fielddata is not supported on field [${path}] of type [${kind}]`;
}
